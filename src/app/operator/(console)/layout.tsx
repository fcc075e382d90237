import type { ReactNode } from 'react';
import { OperatorFrame } from '#panel/operator/operator-frame.tsx';

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return <OperatorFrame>{children}</OperatorFrame>;
}

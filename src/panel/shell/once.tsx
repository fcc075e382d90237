import { type ReactNode, Suspense, useState } from 'react';

/**
 * Content that is loaded when it is first wanted, and stays from then on so that it can close.
 * `shape` keeps its place until it is there.
 */
export function Once({ wanted, shape, children }: { wanted: boolean; shape?: ReactNode; children: ReactNode }) {
  const [wasWanted, setWanted] = useState(wanted);
  if (wanted && !wasWanted) setWanted(true);
  return wasWanted ? <Suspense fallback={shape}>{children}</Suspense> : shape;
}

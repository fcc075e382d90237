import type { ReactNode } from 'react';
import { TransactionsFrame } from '#panel/transactions/transactions-frame.tsx';

/** Above both pages, so that the list stays as it is while details open and close. */
export default function TransactionsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <TransactionsFrame />
      {children}
    </>
  );
}

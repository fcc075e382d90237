import type { ReactNode } from 'react';
import { PanelPage } from '#panel/page-data/panel-page.tsx';
import { addressedSearch } from '#panel/page-data/prefetch-queries.ts';
import { listInput, readFilters } from '#panel/transactions/filters.ts';
import { TransactionsFrame } from '#panel/transactions/transactions-frame.tsx';

/** The layout of both pages, so that the list stays as it is while details open and close. */
export default function TransactionsLayout({ children }: { children: ReactNode }) {
  const filters = readFilters(addressedSearch());
  return (
    <PanelPage
      page="transacoes"
      reads={[{ query: 'transactions.list', input: listInput(filters, new Date()), list: true }]}
    >
      <TransactionsFrame />
      {children}
    </PanelPage>
  );
}

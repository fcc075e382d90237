import { useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { api } from '#panel/api.tsx';
import { useLiveTransactions } from '#panel/live/use-live-transactions.ts';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { useAfterNextPage } from '#panel/shell/use-after-next-page.ts';
import { useAccountTime } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { type Filters, isFiltered, listInput } from './filters.ts';
import { shownAmount } from './money-of.ts';
import { shownType } from './shown-type.ts';
import { titleOf } from './transaction-row.tsx';
import { useStatusLabel } from './transaction-status.tsx';

/**
 * The list under these filters, page by page, kept up to date: a transaction that changes does so
 * in its place, and a new one is added at the top of a list without filters. `arrived` are those
 * that came while the page was open.
 */
export function useTransactions(filters: Filters) {
  const utils = api.useUtils();
  const t = useTranslations('panel.transactions');
  const labelOf = useStatusLabel();
  const formats = useFormats();
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const [announcement, setAnnouncement] = useState('');
  // A period is counted from the day of the query; the input must not change with every render.
  const now = useAccountTime();
  const input = useMemo(() => listInput(filters, now()), [filters, now]);
  const query = api.transactions.list.useInfiniteQuery(input, PAGED);

  const afterNextPage = useAfterNextPage(query);

  useLiveTransactions({
    onChange: (transaction) => afterNextPage(() => show(transaction)),
    onMissed: () => afterNextPage(() => void utils.transactions.list.invalidate(input)),
  });
  function show(transaction: ListedTransaction): void {
    const shown = utils.transactions.list.getInfiniteData(input);
    if (!shown) return;
    const isKnown = shown.pages.some(({ data }) => data.some((one) => isSame(one, transaction)));
    if (!isKnown && (isFiltered(filters) || isOlder(transaction, shown.pages[0]?.data[0]))) return;
    const pages = shown.pages.map((page, index) => ({
      ...page,
      data: [
        ...(index === 0 && !isKnown ? [transaction] : []),
        ...page.data.map((one) => (isSame(one, transaction) ? transaction : one)),
      ],
    }));
    utils.transactions.list.setInfiniteData(input, { ...shown, pages });
    void utils.detail.get.invalidate({ transaction_id: transaction.transaction_id });
    if (!isKnown) setArrived((ids) => new Set([...ids, transaction.transaction_id]));
    setAnnouncement(
      t('announce', {
        type: t(`types.${shownType(transaction)}`),
        title: titleOf(transaction),
        status: labelOf(transaction),
        amount: formats.reais(shownAmount(transaction)),
      }),
    );
  }
  return { query, arrived, announcement };
}

const isSame = (a: ListedTransaction, b: ListedTransaction) => a.transaction_id === b.transaction_id;

/** Ids are UUIDv7: their order is that of creation. */
const isOlder = (transaction: ListedTransaction, newest: ListedTransaction | undefined) =>
  newest !== undefined && transaction.transaction_id < newest.transaction_id;

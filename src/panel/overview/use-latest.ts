import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { api } from '#panel/api.tsx';
import { useLiveTransactions } from '#panel/live/use-live-transactions.ts';
import { shownAmount } from '#panel/transactions/money-of.ts';
import { shownType } from '#panel/transactions/shown-type.ts';
import { titleOf } from '#panel/transactions/transaction-row.tsx';
import { useStatusLabel } from '#panel/transactions/transaction-status.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { LATEST, LATEST_INPUT } from './latest-input.ts';
import { mergeTransaction } from './merge-transaction.ts';

/** How often the list is read again where changes do not arrive by themselves. */
const POLL_MS = 15_000;

const STATUS_FIELDS = ['status', 'sub_status', 'dispute_state'] as const;

/**
 * The newest transactions, kept up to date; `arrived` are those that came while the page was open.
 */
export function useLatest(onChange: () => void) {
  const utils = api.useUtils();
  const say = useAnnouncement();
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const [announcement, setAnnouncement] = useState('');

  const live = useLiveTransactions({
    onChange(transaction) {
      const before = utils.transactions.list.getData(LATEST_INPUT);
      // A list that is being read has it already.
      if (!before) return;
      const known = before.data.find(({ transaction_id: id }) => id === transaction.transaction_id);
      const data = mergeTransaction(before.data, transaction, LATEST);
      utils.transactions.list.setData(LATEST_INPUT, { ...before, data });
      if (!known) setArrived((ids) => new Set([...ids, transaction.transaction_id]));
      // Else something has changed that is no status, e.g. it was refunded in part.
      const isAnnounced = known === undefined || STATUS_FIELDS.some((name) => known[name] !== transaction[name]);
      if (isAnnounced) setAnnouncement(say(transaction));
      onChange();
    },
    onMissed() {
      void utils.transactions.list.invalidate(LATEST_INPUT);
      onChange();
    },
  });
  const query = api.transactions.list.useQuery(LATEST_INPUT, { refetchInterval: live ? false : POLL_MS });
  return { query, live, arrived, announcement };
}

/** Returns the sentence that announces a change to screen readers. */
function useAnnouncement() {
  const t = useTranslations('panel.overview.latest');
  const types = useTranslations('panel.transactions.types');
  const labelOf = useStatusLabel();
  const formats = useFormats();
  return (transaction: ListedTransaction) => {
    return t('announce', {
      type: types(shownType(transaction)),
      title: titleOf(transaction),
      status: labelOf(transaction),
      amount: formats.reais(shownAmount(transaction)),
    });
  };
}

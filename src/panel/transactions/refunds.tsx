import { useTranslations } from 'next-intl';
import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';
import { Amount } from '#panel/money/amount.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import classes from './transaction-detail.module.css';

const TONES = { pending: 'wait', completed: 'ok', failed: 'bad' } as const;

/** What was given back to the payer, or is on its way. */
export function Refunds({ refunds }: { refunds: TransactionDetailView['transaction']['refunds'] }) {
  const t = useTranslations('panel.transactions.refunds');
  if (refunds.length === 0) return null;
  return (
    <ul className={classes.plainList} aria-label={t('title')}>
      {refunds.map(({ refund_id: id, amount, status, description, created_at: createdAt }) => (
        <li key={id} className={classes.refund}>
          <span>
            {t('one')} · <When at={createdAt} />
            {description && <span className={classes.note}> · {description}</span>}
          </span>
          <StatusBadge tone={TONES[status]} label={t(`statuses.${status}`)} hint={t(`hints.${status}`)} />
          <Amount reais={-amount} />
        </li>
      ))}
    </ul>
  );
}

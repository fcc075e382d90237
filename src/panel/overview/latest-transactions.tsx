import { VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { TextLink } from '#panel/shell/links.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { TransactionRow } from '#panel/transactions/transaction-row.tsx';
import classes from './overview.module.css';
import { RowsSkeleton } from './overview-skeleton.tsx';
import { useLatest } from './use-latest.ts';

/** The newest transactions, live. */
export function LatestTransactions({ onChange }: { onChange: () => void }) {
  const t = useTranslations('panel.overview.latest');
  const { href } = usePanel();
  const { query, live, arrived, announcement } = useLatest(onChange);
  return (
    <section className={classes.section} aria-labelledby="latest">
      <div className={classes.sectionHead}>
        <h2 id="latest" className={classes.heading}>
          {t('title')}
        </h2>
        <span className={classes.live} data-live={live}>
          {live ? t('live') : t('notLive')}
        </span>
        <TextLink href={href('/transacoes')} className={classes.all} label={t('all')} />
      </div>
      <VisuallyHidden role="status" aria-live="polite">
        {announcement}
      </VisuallyHidden>
      <QueryState
        query={query}
        skeleton={<RowsSkeleton />}
        isEmpty={({ data }) => data.length === 0}
        empty={<p className={classes.calm}>{t('none')}</p>}
      >
        {({ data }) => (
          <ul className={classes.rows}>
            {data.map((transaction) => (
              <li
                key={transaction.transaction_id}
                className={classes.row}
                data-arrived={arrived.has(transaction.transaction_id)}
              >
                <TransactionRow transaction={transaction} />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  );
}

import { Group, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import rows from '#panel/shell/row-list.module.css';
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
    <section aria-labelledby="latest">
      <Group gap={12} align="baseline" wrap="nowrap" mt={32}>
        <h2 id="latest" className={classes.heading}>
          {t('title')}
        </h2>
        <span className={classes.live} data-live={live}>
          {live ? t('live') : t('notLive')}
        </span>
        <TextLink href={href('/transacoes')} ml="auto" label={t('all')} />
      </Group>
      <VisuallyHidden role="status" aria-live="polite">
        {announcement}
      </VisuallyHidden>
      <QueryState
        query={query}
        skeleton={<RowsSkeleton />}
        isEmpty={({ data }) => data.length === 0}
        empty={<Muted>{t('none')}</Muted>}
      >
        {({ data }) => (
          <ul className={`plain-list ${rows.list}`}>
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

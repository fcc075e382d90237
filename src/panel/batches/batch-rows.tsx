import { Button, Stack, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { BatchView } from '#contract/withdrawals/payout-batches.ts';
import type { BatchState } from '#domain/withdrawals/batch-state.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useMoreRows } from '#panel/shell/use-more-rows.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { TransactionStatusBadge } from '#panel/transactions/transaction-status.tsx';
import classes from './batches.module.css';
import { keyText } from './key-text.ts';

type Row = BatchView['rows'][number];

/** How many rows a page shows at first: as many as it draws without a delay. */
const ROWS_SHOWN = 100;

/** The rows of a batch, in the order of its file, each with its outcome. */
export function BatchRows({ rows, state }: { rows: readonly Row[]; state: BatchState }) {
  const t = useTranslations('panel.batches.rows');
  const [shown, setShown] = useState(ROWS_SHOWN);
  const { list, pressed, announcement } = useMoreRows({ loads: shown, count: Math.min(shown, rows.length) });
  const more = () => {
    pressed();
    setShown(shown + ROWS_SHOWN);
  };
  return (
    <Stack gap="sm" align="center" ref={list}>
      <div style={{ width: '100%' }}>
        <DataTable
          label={t('title')}
          rows={rows.slice(0, shown)}
          keyOf={({ number }) => number}
          title={(name) => t(`columns.${name}`)}
          classes={classes}
          lines={['number key amount', 'state state state']}
          columns={[
            { name: 'number', isHead: true, cell: ({ number }) => number },
            {
              name: 'key',
              cell: (row) => (
                <>
                  {keyText(row)}
                  {row.description !== null && <Muted fz="xs">{row.description}</Muted>}
                  {row.reference !== null && <Muted fz="xs">{row.reference}</Muted>}
                </>
              ),
            },
            { name: 'amount', isNumeric: true, cell: ({ amount }) => <Amount reais={amount} /> },
            { name: 'state', cell: (row) => <RowState row={row} state={state} /> },
          ]}
        />
      </div>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {rows.length > shown && (
        <Button variant="default" onClick={more}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}

function RowState({ row, state }: { row: Row; state: BatchState }) {
  const t = useTranslations('panel.batches.rows');
  const errors = useTranslations('errors');
  const { href } = usePanel();
  const { failure, transaction } = row;
  if (transaction !== null) {
    const { transaction_id: id, status, sub_status } = transaction;
    return (
      <>
        <TransactionStatusBadge transaction={{ type: 'pix_out', status, sub_status }} />{' '}
        <TextLink href={href(`/transacoes/${id}`)} label={t('open', { number: row.number })} />
      </>
    );
  }
  if (failure !== null) {
    return (
      <>
        <StatusBadge tone="bad" label={t('rejected')} />
        <Muted fz="xs">{errors.has(failure as 'internal') ? errors(failure as 'internal') : errors('internal')}</Muted>
      </>
    );
  }
  return <StatusBadge tone={state === 'running' ? 'wait' : 'neutral'} label={t(WAITING[state])} />;
}

/** The text of a row that was not run, by the state of its batch. */
const WAITING = {
  pending_approval: 'waits',
  running: 'waits',
  done: 'waits',
  expired: 'notSent',
  declined: 'notSent',
} as const;

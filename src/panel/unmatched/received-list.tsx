import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Amount } from '#panel/money/amount.tsx';
import { CodeLine } from '#panel/shell/code-line.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import type { ReceivedMoney } from './inbox.ts';
import classes from './unmatched-list.module.css';

type Props = { received: readonly ReceivedMoney[]; onDecide: (payment: ReceivedMoney) => void };

/** Payments without a charge, the oldest first, each with a button to decide. */
export function ReceivedList({ received, onDecide }: Props) {
  const t = useTranslations('panel.unmatched');
  const formats = useFormats();
  const what = ({ payer_note: note, end_to_end_id: id, contested }: ReceivedMoney) => (
    <>
      {contested && (
        <div>
          <StatusBadge tone="warn" label={t('contested')} hint={t('contestedHint')} />
        </div>
      )}
      {note ?? <Muted span>{t('noNote')}</Muted>}
      <CodeLine>{id}</CodeLine>
    </>
  );
  const action = (payment: ReceivedMoney) =>
    payment.returning ? (
      <StatusBadge tone="wait" label={t('returning')} hint={t('returningHint')} />
    ) : (
      <Button
        size="xs"
        variant="default"
        onClick={() => onDecide(payment)}
        aria-label={t('decideWhat', { amount: formats.reais(payment.amount) })}
      >
        {t('decide')}
      </Button>
    );
  return (
    <Section plain title={t('received.title')} text={t('received.text')}>
      {received.length === 0 ? (
        <EmptyState title={t('received.none')} />
      ) : (
        <DataTable
          label={t('received.title')}
          rows={received}
          keyOf={({ payment_id: id }) => id}
          title={(name) => t(`columns.${name}`)}
          classes={classes}
          lines={['what amount', 'when action']}
          columns={[
            { name: 'what', cell: what, isHead: true, width: 'rest' },
            { name: 'when', cell: ({ paid_at: at }) => <When at={at} />, width: 152 },
            { name: 'amount', cell: ({ amount }) => <Amount reais={amount} />, isNumeric: true, width: 132 },
            { name: 'action', cell: action, width: 150, isTitleHidden: true },
          ]}
        />
      )}
    </Section>
  );
}

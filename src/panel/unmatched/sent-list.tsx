import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Amount } from '#panel/money/amount.tsx';
import { CodeLine } from '#panel/shell/code-line.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Section } from '#panel/shell/section.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import type { SentMoney } from './inbox.ts';
import classes from './unmatched-list.module.css';

type Props = { sent: readonly SentMoney[]; onDecide: (payout: SentMoney) => void };

/** PIX that were sent in the bank's application, and that no balance has paid for. */
export function SentList({ sent, onDecide }: Props) {
  const t = useTranslations('panel.unmatched');
  const formats = useFormats();
  return (
    <Section plain title={t('sent.title')} text={t('sent.text')}>
      <DataTable
        label={t('sent.title')}
        rows={sent}
        keyOf={({ payout_id: id }) => id}
        title={(name) => t(`columns.${name}`)}
        classes={classes}
        lines={['what amount', 'when action']}
        columns={[
          {
            name: 'what',
            cell: ({ end_to_end_id: id }) => (
              <>
                {t('sent.what')}
                <CodeLine>{id}</CodeLine>
              </>
            ),
            isHead: true,
            width: 'rest',
          },
          { name: 'when', cell: ({ sent_at: at }) => <When at={at} />, width: 152 },
          { name: 'amount', cell: ({ amount }) => <Amount reais={-amount} />, isNumeric: true, width: 132 },
          {
            name: 'action',
            cell: (payout) => (
              <Button
                size="xs"
                variant="default"
                onClick={() => onDecide(payout)}
                aria-label={t('sent.chargeWhat', { amount: formats.reais(payout.amount) })}
              >
                {t('sent.charge')}
              </Button>
            ),
            width: 150,
            isTitleHidden: true,
          },
        ]}
      />
    </Section>
  );
}

import { useTranslations } from 'next-intl';
import type { ReconciliationItemView } from '#contract/reconciliation/reconciliation.ts';
import { CodeLine } from '#panel/shell/code-line.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { When } from '#panel/shell/when.tsx';
import { DayAmount } from './day-amount.tsx';
import classes from './item-table.module.css';

type Props = {
  items: readonly ReconciliationItemView[];
  label: string;
  /** The asset of the day: `BRL`, or its coin. */
  asset: string;
  /** The address of a transaction's page; null: there is none where this is shown. */
  hrefOf: ((transactionId: string) => string) | null;
};

/** Movements that are not the same on both sides, each with its two amounts and times. */
export function ItemTable({ items, label, asset, hrefOf }: Props) {
  const t = useTranslations('panel.reconciliation');
  const kindText = (kind: ReconciliationItemView['kind']) =>
    asset === 'BRL' || kind === 'refund' ? t(`kinds.${kind}`) : t(`coins.kinds.${kind}`);
  const what = ({ kind, key, end_to_end_id: id, transaction_id: transaction }: ReconciliationItemView) => (
    <>
      {transaction === null || !hrefOf ? (
        kindText(kind)
      ) : (
        <TextLink href={hrefOf(transaction)} label={kindText(kind)} />
      )}
      <CodeLine>{id ?? key}</CodeLine>
    </>
  );
  const side = (name: 'psp' | 'ledger', amount: string | null, at: string | null) => (
    <>
      <span className={classes.label}>{t(`day.itemColumns.${name}`)}</span>
      {amount === null ? '—' : <DayAmount text={amount} asset={asset} />}
      {at !== null && (
        <Muted span display="block" fz="xs">
          <When at={at} />
        </Muted>
      )}
    </>
  );
  return (
    <DataTable
      rows={items}
      keyOf={({ kind, key }) => `${kind} ${key}`}
      title={(name) => t(`day.itemColumns.${name}`)}
      label={label}
      classes={classes}
      lines={['what what', 'why why', 'psp ledger']}
      columns={[
        { name: 'what', cell: what, isHead: true, width: 'rest' },
        { name: 'why', cell: ({ reason }) => t(`reasons.${reason}`) },
        { name: 'psp', cell: (item) => side('psp', item.psp_amount, item.psp_at), isNumeric: true },
        { name: 'ledger', cell: (item) => side('ledger', item.ledger_amount, item.ledger_at), isNumeric: true },
      ]}
    />
  );
}

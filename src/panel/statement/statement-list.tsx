import { useTranslations } from 'next-intl';
import type { StatementPageView } from '#contract/reports/statement.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import classes from './statement.module.css';

type Entry = StatementPageView['entries'][number];

/** Entries by day, newest first, each with the balance after it. */
export function StatementList({ entries }: { entries: readonly Entry[] }) {
  const t = useTranslations('panel.statement.list');
  const name = useTranslations('panel.statement.entries');
  const { href } = usePanel();
  const formats = useFormats();
  const time = ({ at }: Entry) => (
    <time dateTime={at} title={formats.instantExactly(at)}>
      {formats.time(at)}
    </time>
  );
  const fees = ({ fee, amount }: Entry) =>
    fee !== null &&
    t(fee < 0 ? 'feeReturned' : amount > 0 ? 'feeTaken' : 'feeIncluded', { fee: formats.reais(Math.abs(fee)) });
  // A list of the page's links would have the same name many times.
  const nameOf = ({ name: kind, amount, at }: Entry) =>
    [name(kind), formats.reais(amount), formats.instant(at)].join(', ');
  const what = (entry: Entry) => {
    const { transaction } = entry;
    const { customer_name: payer, destination, description } = transaction ?? {};
    const further = [payer, destination, description, fees(entry)].filter((text) => text);
    return (
      <>
        <span className={classes.name} data-testid="name">
          {transaction ? (
            <RowLink href={href(`/transacoes/${transaction.id}`)} scroll aria-label={nameOf(entry)}>
              {name(entry.name)}
            </RowLink>
          ) : (
            name(entry.name)
          )}
        </span>
        {further.length > 0 && <span className={classes.further}>{further.join(' · ')}</span>}
      </>
    );
  };
  const day = (last: Entry) => (
    <div className={classes.day}>
      <h2>{formats.dayName(last.day)}</h2>
      <span>
        {t('closing')} <Amount reais={last.balance_after} />
      </span>
    </div>
  );
  return (
    <DataTable
      rows={entries}
      keyOf={({ number }) => number}
      title={(column) => t(column)}
      classes={classes}
      isLink
      rowProps={() => ({ 'data-testid': 'statement-entry' })}
      groups={{ nameOf: ({ day: name }) => name, head: day }}
      columns={[
        { name: 'time', cell: time, width: 72 },
        { name: 'entry', cell: what, width: 'rest' },
        {
          name: 'amount',
          cell: ({ amount }) => (
            <span data-testid="amount">
              <Amount reais={amount} signed />
            </span>
          ),
          isNumeric: true,
          width: 164,
          props: ({ amount }) => ({ 'data-in': amount > 0 }),
        },
        {
          name: 'balance',
          cell: ({ balance_after: after }) => (
            <span data-testid="balance">
              <Amount reais={after} />
            </span>
          ),
          isNumeric: true,
          width: 164,
        },
      ]}
    />
  );
}

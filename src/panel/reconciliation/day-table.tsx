import { useTranslations } from 'next-intl';
import type { ReconciledDayView } from '#contract/reconciliation/reconciliation.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DayBadge } from './day-badge.tsx';
import classes from './day-table.module.css';

type Props = {
  days: readonly ReconciledDayView[];
  /** The address of a day's page. */
  hrefOf: (dayId: string) => string;
};

/** Days in a table, each leading to its page; on a phone a list of two lines each. */
export function DayTable({ days, hrefOf }: Props) {
  const t = useTranslations('panel.reconciliation');
  const formats = useFormats();
  // The credentials are named where there are several.
  const hasSeveral = new Set(days.map(({ rail }) => rail)).size > 1;
  const nameOf = ({ day, rail }: ReconciledDayView) =>
    hasSeveral ? `${formats.day(day)} · …${rail.slice(-6)}` : formats.day(day);
  const figure = (name: 'received' | 'returned' | 'sent') => ({
    name,
    cell: ({ checked_at: at, psp }: ReconciledDayView) => at && <Amount reais={psp[name]} size="sm" />,
    isNumeric: true,
  });
  return (
    <DataTable
      rows={days}
      keyOf={({ day_id: id }) => id}
      title={(name) => t(`columns.${name}`)}
      label={t('title')}
      folds="drawer"
      classes={classes}
      isLink
      columns={[
        {
          name: 'day',
          cell: (day) => (
            <RowLink href={hrefOf(day.day_id)} className={classes.link} aria-label={t('open', { day: nameOf(day) })}>
              {nameOf(day)}
            </RowLink>
          ),
          isHead: true,
        },
        { name: 'state', cell: (day) => <DayBadge day={day} /> },
        figure('received'),
        figure('returned'),
        figure('sent'),
        {
          name: 'closing',
          cell: ({ checked_at: at, psp }) => at && <Amount reais={psp.closing} size="sm" />,
          isNumeric: true,
        },
        {
          name: 'difference',
          cell: ({ checked_at: at, unexplained }) => at && <Amount reais={unexplained} size="sm" />,
          isNumeric: true,
          props: ({ unexplained }) => ({ 'data-differs': unexplained > 0 }),
        },
      ]}
    />
  );
}

import { useTranslations } from 'next-intl';
import type { ReconciledDayView } from '#contract/reconciliation/reconciliation.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { RowLink } from '#panel/shell/linked-row.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DayAmount, isZero } from './day-amount.tsx';
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
  const nameOf = useDayName(days);
  const figure = (name: 'received' | 'returned' | 'sent') => ({
    name,
    // Payments in coins are never returned.
    cell: ({ checked_at: at, psp, asset }: ReconciledDayView) =>
      at && (name !== 'returned' || asset === 'BRL') && <DayAmount text={psp[name]} asset={asset} />,
    isNumeric: true,
  });
  return (
    <DataTable
      rows={days}
      keyOf={({ day_id: id }) => id}
      title={(name) => t(`columns.${name}`)}
      label={t('title')}
      folds="tablet"
      classes={classes}
      lines={['day closing', 'state difference']}
      isLink
      columns={[
        {
          name: 'day',
          cell: (day) => (
            <RowLink href={hrefOf(day.day_id)} isName aria-label={t('open', { day: nameOf(day) })}>
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
          cell: ({ checked_at: at, psp, asset }) => at && <DayAmount text={psp.closing} asset={asset} />,
          isNumeric: true,
        },
        {
          name: 'difference',
          cell: ({ checked_at: at, unexplained, asset }) => at && <DayAmount text={unexplained} asset={asset} />,
          isNumeric: true,
          props: ({ unexplained, acknowledged }) => ({ 'data-differs': !isZero(unexplained) && !acknowledged }),
        },
      ]}
    />
  );
}

/**
 * Returns a day's name, with its coin where it is of one, and with its credentials where there are
 * several of a kind.
 */
function useDayName(days: Props['days']): (day: ReconciledDayView) => string {
  const formats = useFormats();
  const railsOf = (isPix: boolean) => new Set(days.filter((day) => isOfPix(day) === isPix).map(({ rail }) => rail));
  const hasSeveral = { pix: railsOf(true).size > 1, coins: railsOf(false).size > 1 };
  return (day) => {
    const isPix = isOfPix(day);
    const parts = [formats.day(day.day)];
    if (!isPix) parts.push(day.currency);
    if (isPix ? hasSeveral.pix : hasSeveral.coins) parts.push(`…${day.rail.slice(-6)}`);
    return parts.join(' · ');
  };
}

const isOfPix = ({ asset }: ReconciledDayView) => asset === 'BRL';

import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { Amount } from '#panel/money/amount.tsx';
import classes from './overview.module.css';

/**
 * How the account's money got from what it was when the period began to what it is now, line by
 * line.
 */
export function PeriodTotal({ overview }: { overview: Overview }) {
  const t = useTranslations('panel.overview.total');
  return (
    <div className={classes.total}>
      <h3 className={classes.totalTitle}>{t('title')}</h3>
      <dl className={classes.sum} data-testid="period-total">
        {totalLines(overview).map(([name, reais]) => {
          const isBalance = name === 'opening' || name === 'closing';
          return (
            <div key={name} className={classes.sumLine} data-balance={isBalance}>
              <dt>{t(name)}</dt>
              <dd>
                <Amount reais={reais} signed={!isBalance} />
              </dd>
            </div>
          );
        })}
      </dl>
      <p className={classes.calm}>{t(overview.balances.owed > 0 ? 'noteOwed' : 'note')}</p>
    </div>
  );
}

/** Lines that not every account has: left out where they are zero. */
const RARE = new Set<string>(['splitsReceived', 'splitsGiven', 'pendingChange']);

type TotalOf = Pick<Overview, 'total' | 'received' | 'splits' | 'fees' | 'sent' | 'refunded'>;

/**
 * The lines' names and reais; the opening balance and the lines after it add up to the closing one.
 */
export function totalLines({ total, received, splits, fees, sent, refunded }: TotalOf) {
  const lines = [
    ['opening', total.opening],
    ['received', received.amount],
    ['splitsReceived', splits.received],
    ['splitsGiven', -splits.given],
    ['fees', -fees.amount],
    ['sent', -sent.amount],
    ['refunded', -refunded.amount],
    ['pendingChange', total.pending_change],
    ['closing', total.closing],
  ] as const;
  return lines.filter(([name, reais]) => reais !== 0 || !RARE.has(name));
}

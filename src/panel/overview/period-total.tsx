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
        {totalLines(overview).map(({ name, reais, isBalance }) => (
          <div key={name} className={classes.sumLine} data-balance={isBalance}>
            <dt>{t(name)}</dt>
            <dd>
              <Amount reais={reais} signed={!isBalance} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.calm}>{t('note')}</p>
    </div>
  );
}

type LineName =
  | 'opening'
  | 'received'
  | 'splitsReceived'
  | 'splitsGiven'
  | 'fees'
  | 'sent'
  | 'refunded'
  | 'pendingChange'
  | 'closing';
export type TotalLine = { name: LineName; reais: number; isBalance: boolean };

/**
 * opening and what follows it add up to closing. What not every account has is left out where it is
 * nothing.
 */
export function totalLines({ total, received, splits, fees, sent, refunded }: TotalOf): TotalLine[] {
  const line = (name: LineName, reais: number): TotalLine => ({ name, reais, isBalance: false });
  const rare = (name: LineName, reais: number) => (reais === 0 ? [] : [line(name, reais)]);
  return [
    { name: 'opening', reais: total.opening, isBalance: true },
    line('received', received.amount),
    ...rare('splitsReceived', splits.received),
    ...rare('splitsGiven', -splits.given),
    line('fees', -fees.amount),
    line('sent', -sent.amount),
    line('refunded', -refunded.amount),
    ...rare('pendingChange', total.pending_change),
    { name: 'closing', reais: total.closing, isBalance: true },
  ];
}

type TotalOf = Pick<Overview, 'total' | 'received' | 'splits' | 'fees' | 'sent' | 'refunded'>;

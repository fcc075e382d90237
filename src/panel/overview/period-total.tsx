import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { Amount } from '#panel/money/amount.tsx';
import classes from './overview.module.css';
import { totalLines } from './total-lines.ts';

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

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { Amount } from '#panel/money/amount.tsx';
import { Muted } from '#panel/shell/muted.tsx';
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
      <Text component="h3" fz="sm" fw={600} mb={6}>
        {t('title')}
      </Text>
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
      <Muted>{t(overview.balances.owed > 0 ? 'noteOwed' : 'note')}</Muted>
    </div>
  );
}

import { useTranslations } from 'next-intl';
import type { StatementPageView } from '#contract/reports/statement.ts';
import type { StatementDays } from '#domain/reports/statement-period.ts';
import { Amount } from '#panel/money/amount.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './statement.module.css';

/** What it was, what came in and went out, what it is: the sum that a statement is. */
export function StatementSummary(props: { summary: NonNullable<StatementPageView['summary']>; days: StatementDays }) {
  const { summary, days } = props;
  const formats = useFormats();
  const t = useTranslations('panel.statement.summary');
  return (
    <dl className={classes.summary} aria-label={t('label')}>
      <div>
        <dt>{t('openingOn', { day: formats.day(days.from) })}</dt>
        <dd data-testid="opening">
          <Amount reais={summary.opening} size="md" />
        </dd>
      </div>
      <div>
        <dt>{t('credits')}</dt>
        <dd data-in={summary.credits > 0} data-testid="credits">
          <Amount reais={summary.credits} size="md" signed />
        </dd>
      </div>
      <div>
        <dt>{t('debits')}</dt>
        <dd data-testid="debits">
          <Amount reais={summary.debits} size="md" signed />
        </dd>
      </div>
      <div data-last="true">
        <dt>{t('closingOn', { day: formats.day(days.to) })}</dt>
        <dd data-testid="closing">
          <Amount reais={summary.closing} size="lg" />
        </dd>
      </div>
    </dl>
  );
}

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { periodIssue, type StatementDays } from '#domain/reports/statement-period.ts';
import { DayField } from '#panel/shell/day-field.tsx';
import { useIssueText } from '../shell/use-issue-text.ts';
import classes from './statement.module.css';

/** Two days; they apply as soon as they make a valid period. */
export function CustomDays(props: { days: StatementDays; today: string; onChange: (days: StatementDays) => void }) {
  const { days, today, onChange } = props;
  const t = useTranslations('panel.statement.days');
  const textOf = useIssueText();
  const [typed, setTyped] = useState<{ from: string | null; to: string | null }>(days);
  const issue = typed.from && typed.to ? periodIssue({ from: typed.from, to: typed.to }) : null;

  const change = (which: 'from' | 'to') => (day: string | null) => {
    const next = { ...typed, [which]: day };
    setTyped(next);
    const { from, to } = next;
    if (from && to && periodIssue({ from, to }) === null) onChange({ from, to });
  };
  const input = { className: classes.dayField, max: today };
  return (
    <>
      <DayField {...input} label={t('from')} value={typed.from} onChange={change('from')} />
      <DayField {...input} label={t('to')} value={typed.to} onChange={change('to')} error={issue && textOf(issue)} />
    </>
  );
}

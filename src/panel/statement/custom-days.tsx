import '@mantine/dates/styles.css';
import 'dayjs/locale/pt-br';
import { DateInput } from '@mantine/dates';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { periodIssue, type StatementDays } from '#domain/reports/statement-period.ts';
import { readDay } from '#panel/keys/expiry.ts';
import { useIssueText } from '../shell/use-issue-text.ts';
import classes from './statement.module.css';

/**
 * Two days, typed or picked; they apply as soon as they make a valid period. Loaded when they are
 * opened, because the calendar is heavy.
 */
export function CustomDays(props: { days: StatementDays; today: string; onChange: (days: StatementDays) => void }) {
  const { days, today, onChange } = props;
  const t = useTranslations('panel.statement.days');
  const textOf = useIssueText();
  const language = useLocale();
  const [typed, setTyped] = useState<{ from: string | null; to: string | null }>(days);
  const issue = typed.from && typed.to ? periodIssue({ from: typed.from, to: typed.to }) : null;

  const change = (which: 'from' | 'to') => (day: string | null) => {
    const next = { ...typed, [which]: day };
    setTyped(next);
    const { from, to } = next;
    if (from && to && periodIssue({ from, to }) === null) onChange({ from, to });
  };
  const input = {
    className: classes.dayField,
    placeholder: t('placeholder'),
    dateParser: readDay,
    valueFormat: 'DD/MM/YYYY',
    locale: language.toLowerCase(),
    // Weekends are not red: red is for issues.
    weekendDays: [],
    maxDate: today,
    ariaLabels: { previousMonth: t('previous'), nextMonth: t('next') },
  };
  return (
    <>
      <DateInput {...input} label={t('from')} value={typed.from} onChange={change('from')} />
      <DateInput {...input} label={t('to')} value={typed.to} onChange={change('to')} error={issue && textOf(issue)} />
    </>
  );
}

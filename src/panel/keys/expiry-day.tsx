import '@mantine/dates/styles.css';
import 'dayjs/locale/pt-br';
import { DateInput } from '@mantine/dates';
import { useLocale, useTranslations } from 'next-intl';
import { readDay } from './expiry.ts';

type Props = {
  value: string | null;
  onChange: (day: string | null) => void;
  /** Days as `2027-01-31`. */
  from: string;
  to: string;
  error?: React.ReactNode;
};

/**
 * The last day of a key, typed or picked. Loaded when somebody wants to pick one: the calendar is
 * heavy.
 */
export function ExpiryDay({ value, onChange, from, to, error, ...input }: Props) {
  const t = useTranslations('panel.keys.form');
  const language = useLocale();
  return (
    <DateInput
      {...input}
      label={t('day')}
      placeholder={t('dayPlaceholder')}
      value={value}
      onChange={onChange}
      dateParser={readDay}
      valueFormat="DD/MM/YYYY"
      locale={language.toLowerCase()}
      // Their red is for issues here.
      weekendDays={[]}
      minDate={from}
      maxDate={to}
      error={error}
      ariaLabels={{ previousMonth: t('previous'), nextMonth: t('next') }}
    />
  );
}

import '@mantine/dates/styles.css';
import 'dayjs/locale/pt-br';
import { DateInput, type DateInputProps } from '@mantine/dates';
import { useLocale, useTranslations } from 'next-intl';
import { KEY_LIFETIME_DAYS_MAX } from '#domain/api-keys/api-key-state.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { DAY_MS, readDay } from './expiry.ts';

/**
 * The last day of a key, typed or picked. Loaded when somebody wants to pick one, because the
 * calendar is heavy.
 */
export function ExpiryDay(input: DateInputProps) {
  const t = useTranslations('panel.keys.form');
  const language = useLocale();
  const inDays = (days: number) => dateInSaoPaulo(new Date(Date.now() + days * DAY_MS));
  return (
    <DateInput
      {...input}
      label={t('day')}
      placeholder={t('dayPlaceholder')}
      dateParser={readDay}
      valueFormat="DD/MM/YYYY"
      locale={language.toLowerCase()}
      // Weekends are not red: red is for issues.
      weekendDays={[]}
      minDate={inDays(0)}
      maxDate={inDays(KEY_LIFETIME_DAYS_MAX)}
      ariaLabels={{ previousMonth: t('previous'), nextMonth: t('next') }}
    />
  );
}

import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { datesForFirst, REPEAT_EVERY } from '#domain/withdrawals/payout-schedule.ts';
import { DayField } from '#panel/shell/day-field.tsx';
import { useAccountTime } from '#panel/shell/use-panel.ts';
import type { Draft } from './draft.ts';

/** The date of a withdrawal, its repetition, and whether its money is held from now on. */
export function ScheduleFields({ form }: { form: UseFormReturnType<Draft> }) {
  const t = useTranslations('panel.withdraw.schedule');
  const now = useAccountTime();
  const { isScheduled, every } = form.values;
  const { from, to } = datesForFirst(now());
  const checkbox = { type: 'checkbox' } as const;
  return (
    <Stack gap="sm">
      <Checkbox {...form.getInputProps('isScheduled', checkbox)} label={t('later')} />
      {isScheduled && (
        <>
          <DayField
            {...form.getInputProps('scheduledFor')}
            value={form.values.scheduledFor}
            onChange={(day, text) => form.setFieldValue('scheduledFor', day ?? text)}
            min={from}
            max={to}
            label={t('date')}
            description={t('dateHint')}
            size="md"
          />
          <NativeSelect
            {...form.getInputProps('every')}
            label={t('repeat')}
            size="md"
            data={[
              { value: '', label: t('once') },
              ...REPEAT_EVERY.map((value) => ({ value, label: t(`every.${value}`) })),
            ]}
          />
          {every !== '' && (
            <TextInput {...form.getInputProps('times')} inputMode="numeric" label={t('times')} size="md" />
          )}
          <Checkbox {...form.getInputProps('reserve', checkbox)} label={t('reserve')} description={t('reserveHint')} />
        </>
      )}
    </Stack>
  );
}

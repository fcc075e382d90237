import { Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { DayField } from '#panel/shell/day-field.tsx';
import { parseAsDay } from '#panel/shell/parse-as-day.ts';

/** The days of a list's filters, both included; empty: any. */
export const DAYS = { from: parseAsDay.withDefault(''), to: parseAsDay.withDefault('') };

/** Their names in the address. */
export const DAY_KEYS = { from: 'de', to: 'ate' };

type Days = { from: string; to: string };

/** The first and the last day of what a list shows. */
export function DayFields({ days, onChange }: { days: Days; onChange: (days: Partial<Days>) => void }) {
  const t = useTranslations('operator.transactions');
  return (
    <Group gap="sm">
      {(['from', 'to'] as const).map((name) => (
        <DayField
          key={name}
          label={t(name)}
          value={days[name]}
          onChange={(day) => onChange({ [name]: day ?? '' })}
          w={150}
        />
      ))}
    </Group>
  );
}

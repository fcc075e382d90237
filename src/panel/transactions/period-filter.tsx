import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { DayField } from '#panel/shell/day-field.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { FilterButton } from './filter-button.tsx';
import { type Filters, PERIODS } from './filters.ts';

/** Filters by days counted back from today, or by the days from one to another. */
export function PeriodFilter({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const t = useTranslations('panel.transactions.filters');
  const { by, period, from, to } = filters;
  const { day } = useFormats();
  const span = period
    ? t(`periods.${period}`)
    : from && to
      ? `${day(from)} – ${day(to)}`
      : from
        ? t('since', { day: day(from) })
        : to && t('until', { day: day(to) });
  return (
    <FilterButton label={t('period')} chosen={span && by === 'paid' ? t('paidIn', { period: span }) : span}>
      {() => (
        <Stack gap="sm">
          <SegmentedControl
            size="xs"
            aria-label={t('by.label')}
            value={by}
            onChange={(date) => onChange({ ...filters, by: date === 'paid' ? 'paid' : 'created' })}
            data={(['created', 'paid'] as const).map((value) => ({ value, label: t(`by.${value}`) }))}
          />
          <Group gap={6}>
            {PERIODS.map((one) => (
              <Button
                key={one}
                size="compact-sm"
                variant={one === period ? 'filled' : 'default'}
                aria-pressed={one === period}
                onClick={() => onChange({ ...filters, period: one === period ? null : one, from: null, to: null })}
              >
                {t(`periods.${one}`)}
              </Button>
            ))}
          </Group>
          <Group gap="sm" wrap="nowrap">
            {(['from', 'to'] as const).map((end) => (
              <DayField
                key={end}
                size="xs"
                label={t(end)}
                value={filters[end]}
                {...(end === 'from' ? { max: to ?? undefined } : { min: from ?? undefined })}
                onChange={(picked) => onChange({ ...filters, period: null, [end]: picked })}
              />
            ))}
          </Group>
        </Stack>
      )}
    </FilterButton>
  );
}

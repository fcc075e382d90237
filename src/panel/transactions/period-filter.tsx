import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useFormats } from '#panel/use-formats.ts';
import { FilterButton } from './choice-filter.tsx';
import { type Filters, PERIODS } from './filters.ts';

/** Days counted back from today, or the days from one to another. */
export function PeriodFilter({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const t = useTranslations('panel.transactions.filters');
  const { by, period, from, to } = filters;
  const { day } = useFormats();
  const chosen = period
    ? t(`periods.${period}`)
    : from && to
      ? `${day(from)} – ${day(to)}`
      : from
        ? t('since', { day: day(from) })
        : to
          ? t('until', { day: day(to) })
          : null;
  return (
    <Popover position="bottom-start" shadow="sm" trapFocus returnFocus>
      <Popover.Target>
        <FilterButton active={chosen !== null}>
          {chosen === null ? t('period') : by === 'paid' ? t('paidIn', { period: chosen }) : chosen}
        </FilterButton>
      </Popover.Target>
      <Popover.Dropdown>
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
            <TextInput
              type="date"
              size="xs"
              label={t('from')}
              value={from ?? ''}
              max={to ?? undefined}
              onChange={({ currentTarget: { value } }) => onChange({ ...filters, period: null, from: value || null })}
            />
            <TextInput
              type="date"
              size="xs"
              label={t('to')}
              value={to ?? ''}
              min={from ?? undefined}
              onChange={({ currentTarget: { value } }) => onChange({ ...filters, period: null, to: value || null })}
            />
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

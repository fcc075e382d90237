'use client';

import { Button, Group, Popover, Stack } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { AMOUNT_CENTAVOS_MAX, toBrl } from '#domain/money.ts';
import { formatReais } from '#panel/format.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { FilterButton } from './choice-filter.tsx';
import type { Filters } from './filters.ts';

/** From an amount up to another one; both belong to it. */
export function AmountFilter({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const t = useTranslations('panel.transactions.filters');
  const language = useLocale();
  const [open, setOpen] = useState(false);
  const { min, max } = filters;
  const text = (reais: number) => formatReais(reais, language);
  const chosen =
    min !== null && max !== null
      ? `${text(min)} – ${text(max)}`
      : min !== null
        ? t('atLeast', { amount: text(min) })
        : max !== null
          ? t('atMost', { amount: text(max) })
          : null;
  return (
    <Popover position="bottom-start" shadow="sm" trapFocus returnFocus opened={open} onChange={setOpen}>
      <Popover.Target>
        <FilterButton active={chosen !== null} onClick={() => setOpen(!open)}>
          {chosen ?? t('amount')}
        </FilterButton>
      </Popover.Target>
      <Popover.Dropdown>
        <AmountForm
          key={`${open} ${min} ${max}`}
          min={min}
          max={max}
          onSubmit={(bounds) => {
            setOpen(false);
            onChange({ ...filters, ...bounds });
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

type Bounds = Pick<Filters, 'min' | 'max'>;

function AmountForm(props: Bounds & { onSubmit: (bounds: Bounds) => void }) {
  const t = useTranslations('panel.transactions.filters');
  const [min, setMin] = useState<number | ''>(props.min ?? '');
  const [max, setMax] = useState<number | ''>(props.max ?? '');
  const isCrossed = min !== '' && max !== '' && min > max;
  const bound = (typed: number | '') => (typed === '' || typed === 0 ? null : Math.min(typed, AMOUNT_MAX));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isCrossed) props.onSubmit({ min: bound(min), max: bound(max) });
      }}
    >
      <Stack gap="sm" w={280}>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <AmountInput size="xs" label={t('min')} value={min} onChange={setMin} />
          <AmountInput
            size="xs"
            label={t('max')}
            value={max}
            onChange={setMax}
            error={isCrossed ? t('crossed') : undefined}
          />
        </Group>
        <Button type="submit" size="xs" variant="light">
          {t('apply')}
        </Button>
      </Stack>
    </form>
  );
}

/** No transaction is of more. */
const AMOUNT_MAX = toBrl(AMOUNT_CENTAVOS_MAX);

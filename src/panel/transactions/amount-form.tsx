'use client';

import { Button, Group, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { AMOUNT_CENTAVOS_MAX, toBrl } from '#domain/money.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import type { Filters } from './filters.ts';

/** No transaction is of more. */
const AMOUNT_MAX = toBrl(AMOUNT_CENTAVOS_MAX);

export type Bounds = Pick<Filters, 'min' | 'max'>;

/** The two ends of the filter, as they are typed. */
export function AmountForm(props: Bounds & { onSubmit: (bounds: Bounds) => void }) {
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

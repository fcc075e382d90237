import { Popover } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { useFormats } from '#panel/use-formats.ts';
import { FilterButton } from './choice-filter.tsx';
import type { Filters } from './filters.ts';

// The input of amounts is needed by who filters by them.
const AmountForm = lazyPart(() => import('./amount-form.tsx'), 'AmountForm');

/** From an amount up to another one; both belong to it. */
export function AmountFilter({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const t = useTranslations('panel.transactions.filters');
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const { min, max } = filters;
  const text = (reais: number) => formats.reais(reais);
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
        <Suspense fallback={null}>
          {open && (
            <AmountForm
              key={`${open} ${min} ${max}`}
              min={min}
              max={max}
              onSubmit={(bounds) => {
                setOpen(false);
                onChange({ ...filters, ...bounds });
              }}
            />
          )}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

import { useTranslations } from 'next-intl';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { useFormats } from '#panel/use-formats.ts';
import { FilterButton } from './filter-button.tsx';
import type { Filters } from './filters.ts';

// Loaded when somebody filters by amount.
const AmountForm = lazyPart(() => import('./amount-form.tsx'), 'AmountForm');

/** Filters by amount, from one up to another; both are included. */
export function AmountFilter({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const t = useTranslations('panel.transactions.filters');
  const { reais } = useFormats();
  const { min, max } = filters;
  const chosen =
    min !== null && max !== null
      ? `${reais(min)} – ${reais(max)}`
      : min !== null
        ? t('atLeast', { amount: reais(min) })
        : max !== null && t('atMost', { amount: reais(max) });
  return (
    <FilterButton label={t('amount')} chosen={chosen || null}>
      {(close) => (
        <AmountForm
          min={min}
          max={max}
          onSubmit={(bounds) => {
            close();
            onChange({ ...filters, ...bounds });
          }}
        />
      )}
    </FilterButton>
  );
}

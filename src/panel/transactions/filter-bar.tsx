import { Button, CloseButton, Group } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { DISPLAY_STATUSES } from '#domain/transactions/display-status.ts';
import { LISTED_TYPES } from '#domain/transactions/transaction-states.ts';
import { SearchField } from '#panel/shell/search-field.tsx';
import { Icon } from '../shell/icon.tsx';
import { AmountFilter } from './amount-filter.tsx';
import { ChoiceFilter } from './filter-button.tsx';
import { type Filters, isFiltered, NO_FILTERS } from './filters.ts';
import { PeriodFilter } from './period-filter.tsx';
import classes from './transactions-page.module.css';

type Props = { filters: Filters; onChange: (filters: Filters, options?: { quietly?: boolean }) => void };

/** The search field and the filters of the list. */
export function FilterBar({ filters, onChange }: Props) {
  const t = useTranslations('panel.transactions');
  return (
    <Group gap={8}>
      <SearchField
        text={filters.text}
        onChange={(text) => onChange({ ...filters, text }, { quietly: filters.text !== '' && text !== '' })}
        className={classes.search}
        aria-label={t('filters.search')}
        placeholder={t('filters.searchPlaceholder')}
        maxLength={200}
        leftSection={<Icon of={IconSearch} size={14} />}
        clear={(onClear) => <CloseButton size="xs" aria-label={t('filters.clearSearch')} onClick={onClear} />}
      />
      <ChoiceFilter
        label={t('filters.type')}
        options={LISTED_TYPES.map((type) => ({ value: type, label: t(`types.${type}`) }))}
        chosen={filters.types}
        onChange={(types) => onChange({ ...filters, types })}
      />
      <ChoiceFilter
        label={t('filters.status')}
        options={DISPLAY_STATUSES.map((status) => ({ value: status, label: t(`filters.statuses.${status}`) }))}
        chosen={filters.statuses}
        onChange={(statuses) => onChange({ ...filters, statuses })}
      />
      <PeriodFilter filters={filters} onChange={onChange} />
      <AmountFilter filters={filters} onChange={onChange} />
      {isFiltered(filters) && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(NO_FILTERS)}>
          {t('filters.clear')}
        </Button>
      )}
    </Group>
  );
}

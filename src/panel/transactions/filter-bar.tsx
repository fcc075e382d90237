import { Button, CloseButton, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { DISPLAY_STATUSES } from '#domain/transactions/display-status.ts';
import { LISTED_TYPES } from '#domain/transactions/transaction-states.ts';
import { Icon } from '../shell/icon.tsx';
import { AmountFilter } from './amount-filter.tsx';
import { ChoiceFilter } from './choice-filter.tsx';
import { type Filters, isFiltered, NO_FILTERS } from './filters.ts';
import { PeriodFilter } from './period-filter.tsx';
import classes from './transactions-page.module.css';

/** Typing is over when nothing came for so long. */
const PAUSE_MS = 300;

type Props = { filters: Filters; onChange: (filters: Filters, options?: { quietly?: boolean }) => void };

/** The search field and the filters of the list. */
export function FilterBar({ filters, onChange }: Props) {
  const t = useTranslations('panel.transactions');
  return (
    <Group gap={8} className={classes.filters}>
      <SearchField
        text={filters.text}
        onChange={(text) => onChange({ ...filters, text }, { quietly: filters.text !== '' && text !== '' })}
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

function SearchField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const t = useTranslations('panel.transactions');
  const [typed, setTyped] = useState(text);
  // Back, or "clear filters", has changed what is looked for; what this field itself has sent is
  // there already.
  const sent = useRef(text);
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  const send = useDebouncedCallback((wanted: string) => {
    if (wanted === sent.current) return;
    sent.current = wanted;
    onChange(wanted);
  }, PAUSE_MS);
  const type = (wanted: string) => {
    setTyped(wanted);
    send(wanted.trim());
  };
  return (
    <TextInput
      size="xs"
      type="search"
      className={classes.search}
      data-search
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      aria-label={t('filters.search')}
      placeholder={t('filters.searchPlaceholder')}
      maxLength={200}
      leftSection={<Icon of={IconSearch} size={14} />}
      rightSection={
        typed === '' ? null : <CloseButton size="xs" aria-label={t('filters.clearSearch')} onClick={() => type('')} />
      }
    />
  );
}

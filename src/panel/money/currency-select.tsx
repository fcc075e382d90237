import { Select } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { api } from '#panel/api.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';

/** The provider's list changes with its contract, not by the second. */
const CURRENCIES_FRESH_MS = 60_000;

/** Which coin over which network; `value` is what `orDefault` says. */
export function CurrencySelect(props: {
  value?: string;
  onChange: (currency: string) => void;
  error?: ReactNode;
  'data-path'?: string;
}) {
  const t = useTranslations('panel.moneyForm');
  const textOf = useErrorText();
  const { offered, error } = useCurrencies();
  return (
    <Select
      {...props}
      value={props.value || null}
      onChange={(chosen) => props.onChange(chosen ?? '')}
      label={t('currency')}
      data={offered.map(({ currency, name }) => ({ value: currency, label: name }))}
      error={props.error ?? (error ? textOf(error) : null)}
      nothingFoundMessage={t('noCurrency')}
      size="md"
      allowDeselect={false}
      searchable
    />
  );
}

/** What is offered, and what holds before the member has chosen one: the account's, or the first. */
export function useCurrencies() {
  const { data, error } = api.currencies.list.useQuery({}, { staleTime: CURRENCIES_FRESH_MS });
  const offered = data?.data ?? [];
  const byDefault = (offered.find((one) => one.is_default) ?? offered[0])?.currency ?? '';
  return { offered, error, orDefault: (chosen: string): string => chosen || byDefault };
}

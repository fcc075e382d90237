import { Select } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useErrorText } from '#panel/shell/call-error.ts';
import { useCurrencies } from './use-currencies.ts';

/**
 * Selects a currency: a coin over a network. `value` is what `orDefault` of useCurrencies returns.
 */
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

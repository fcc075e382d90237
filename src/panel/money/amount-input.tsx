'use client';

import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useLocale } from 'next-intl';
import type { ClipboardEvent } from 'react';
import { readReais } from './read-reais.ts';

/** Beyond it nobody types an amount of money; the service's own limit is told by the service. */
const REAIS_MAX = 99_999_999.99;

type Props = Pick<
  NumberInputProps,
  'label' | 'description' | 'error' | 'size' | 'disabled' | 'onFocus' | 'onBlur' | 'aria-label'
> & {
  /** In reais; empty while nothing is typed. */
  value: number | '';
  onChange(value: number | ''): void;
  ref?: React.Ref<HTMLInputElement>;
};

/** An amount in reais as it is typed: thousands and cents in the reader's way, at most two decimals, none of them ever dropped. */
export function AmountInput({ value, onChange, ref, ...props }: Props) {
  const isEnglish = useLocale() === 'en';
  const decimalSeparator = isEnglish ? '.' : ',';
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text');
    // The mask alone would take the point of `1.234,56` for the cents.
    if (!/[.,]/.test(text)) return;
    event.preventDefault();
    const reais = readReais(text, decimalSeparator);
    if (reais !== null && reais <= REAIS_MAX) onChange(reais);
  };
  return (
    <NumberInput
      {...props}
      ref={ref ?? null}
      value={value}
      // A text where a number would lose what is being typed, e.g. `12.0` on the way to 12.05.
      onChange={(typed) => onChange(typed === '' || Number.isNaN(Number(typed)) ? '' : Number(typed))}
      onPaste={paste}
      decimalSeparator={decimalSeparator}
      thousandSeparator={isEnglish ? ',' : '.'}
      allowedDecimalSeparators={[',', '.']}
      decimalScale={2}
      fixedDecimalScale
      allowNegative={false}
      isAllowed={({ floatValue }) => floatValue === undefined || floatValue <= REAIS_MAX}
      prefix={'R$\u00a0'}
      placeholder={isEnglish ? 'R$\u00a00.00' : 'R$\u00a00,00'}
      inputMode="decimal"
      autoComplete="off"
      hideControls
      withKeyboardEvents={false}
    />
  );
}

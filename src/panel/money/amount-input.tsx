'use client';

import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useLocale } from 'next-intl';

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
  return (
    <NumberInput
      {...props}
      ref={ref ?? null}
      value={value}
      onChange={(typed) => onChange(typeof typed === 'number' ? typed : '')}
      decimalSeparator={isEnglish ? '.' : ','}
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

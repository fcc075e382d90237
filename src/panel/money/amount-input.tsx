import { TextInput, type TextInputProps } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { type FocusEvent, useState } from 'react';
import { AMOUNT_CENTAVOS_MAX, toBrl } from '#domain/values/money.ts';
import { type AmountIssue, readTypedAmount } from '#domain/values/read-typed-amount.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './amount-input.module.css';
import { Recognised } from './recognised.tsx';

/**
 * Issues that are not shown while somebody types: amounts begin like this, as `0,05` does with `0`.
 */
const BEGINNINGS: ReadonlySet<AmountIssue | null> = new Set(['empty', 'zero', 'no_digits']);

type Props = Pick<
  TextInputProps,
  'label' | 'description' | 'error' | 'size' | 'disabled' | 'onFocus' | 'onBlur' | 'aria-label' | 'required'
> & {
  /** The text as it was typed; `reaisOfText` reads it. */
  value: string;
  onChange(text: string): void;
  /** The largest amount that this field accepts, in centavos. */
  maxCentavos?: bigint;
  /**
   * The most that this account, or what the amount is for, takes, in reais: named instead of a
   * larger `maxCentavos`.
   */
  ownMaximum?: number | null | undefined;
  ref?: React.Ref<HTMLInputElement>;
};

/**
 * An amount of reais. The text stays as it was typed or pasted: a field that rewrites itself while
 * somebody types puts digits into wrong places. Beneath it stands the amount that was understood,
 * or why there is none or it can't be taken.
 */
export function AmountInput(typed: Props) {
  const { value, onChange, maxCentavos = AMOUNT_CENTAVOS_MAX, ownMaximum, error, ref, ...props } = typed;
  const t = useTranslations('panel.amountInput');
  const language = useLocale();
  const formats = useFormats();
  const [isFocused, setFocused] = useState(false);
  const { centavos, issue } = readTypedAmount(value, language, maxCentavos);
  const isUnfinished = issue === 'empty' || (isFocused && BEGINNINGS.has(issue));
  const max = formats.reais(Math.min(toBrl(maxCentavos), ownMaximum ?? Number.POSITIVE_INFINITY));
  const issueText = issue === null || isUnfinished ? null : t(issue, { max });
  return (
    <div>
      <TextInput
        {...props}
        ref={ref ?? null}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onFocus={(event: FocusEvent<HTMLInputElement>) => {
          setFocused(true);
          props.onFocus?.(event);
        }}
        onBlur={(event: FocusEvent<HTMLInputElement>) => {
          setFocused(false);
          props.onBlur?.(event);
        }}
        error={issueText ?? error}
        leftSection={<Muted span>R$</Muted>}
        leftSectionPointerEvents="none"
        classNames={{ input: classes.input ?? '' }}
        placeholder={formats.decimals(0)}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
      />
      <Recognised>
        {centavos !== null && !error && (
          <span className={classes.input} data-testid="understood-amount">
            {formats.reais(toBrl(centavos))}
          </span>
        )}
      </Recognised>
    </div>
  );
}

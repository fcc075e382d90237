import { Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'next-intl';
import type { PayeeOutput } from '#contract/payees/payees.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { useCurrencies } from '#panel/money/use-currencies.ts';
import { useFormats } from '#panel/use-formats.ts';
import { destinationText, networkText } from '../payees/payee-text.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { payeeOf } from './payee-of.ts';

/** As many as fit a list that is scrolled; the others are found by typing. */
const SHOWN_MAX = 50;

type Props = { form: UseFormReturnType<Draft>; draft: Draft; payees: readonly PayeeOutput[] };

/**
 * Fills in the destination from the address book, and says which payees still wait; nothing without
 * payees.
 */
export function PayeeSelect({ form, draft, payees }: Props) {
  const t = useTranslations('panel.withdraw');
  const { instant } = useFormats();
  const { offered } = useCurrencies();
  const currencyFor = ({ network }: PayeeOutput) =>
    [draft.currency, ...offered.map(({ currency }) => currency)].find(
      (code) => isCurrencyCode(code) && CURRENCIES[code].network === network,
    );
  const fitting = payees.filter((payee) =>
    draft.kind === 'pix' ? payee.pix_key !== null : currencyFor(payee) !== undefined,
  );
  if (fitting.length === 0) return null;
  const choose = (id: string | null) => {
    const payee = fitting.find(({ payee_id }) => payee_id === id);
    if (!payee) return;
    form.clearErrors();
    const { pixKeyType, codeKey, codeName, codeTxid } = EMPTY_DRAFT;
    form.setValues(
      draft.kind === 'pix'
        ? { pixKey: destinationText(payee), pixKeyType, codeKey, codeName, codeTxid }
        : { wallet: payee.wallet ?? '', memo: payee.memo ?? '', currency: currencyFor(payee) ?? '' },
    );
  };
  return (
    <Select
      label={t('payee')}
      placeholder={t('payeePlaceholder')}
      size="md"
      searchable
      limit={SHOWN_MAX}
      value={payeeOf(draft, fitting)?.payee_id ?? null}
      onChange={choose}
      nothingFoundMessage={t('noPayee')}
      data={fitting.map((payee) => ({
        value: payee.payee_id,
        label: [
          ...[payee.label, destinationText(payee), networkText(payee)],
          payee.waits && t('payeeFrom', { at: instant(payee.usable_from) }),
        ]
          .filter(Boolean)
          .join(' · '),
      }))}
    />
  );
}

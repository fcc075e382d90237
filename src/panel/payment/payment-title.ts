import type { useTranslations } from 'next-intl';
import type { PaymentPageData } from '#contract/charges/payment-page.ts';
import type { Language } from '#domain/values/language.ts';
import { formatReais } from '#panel/format.ts';
import type { StateName } from './charge-states.ts';
import { stateValues } from './state-values.ts';

/** Returns the tab's title: what to do, then the outcome. `t` has the texts of `pay`. */
export function paymentTitle(
  t: ReturnType<typeof useTranslations<'pay'>>,
  language: Language,
  state: StateName | null,
  charge: PaymentPageData | undefined,
): string {
  if (state === null) return t('title');
  const title = t(`states.${state}.title`);
  if (!charge) return title;
  const { merchant, missing } = stateValues(charge, language);
  if (state !== 'pending' && state !== 'partial') return t('titleState', { state: title, merchant });
  return t('titlePay', { amount: missing ?? formatReais(charge.amount, language), merchant });
}

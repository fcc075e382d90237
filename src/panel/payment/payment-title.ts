import type { useTranslations } from 'next-intl';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import type { Formats } from '#panel/create-formats.ts';
import type { StateName } from './charge-states.ts';
import { stateValues } from './state-values.ts';

/** Returns the tab's title: what to do, then the outcome. `t` has the texts of `pay`. */
export function paymentTitle(
  t: ReturnType<typeof useTranslations<'pay'>>,
  formats: Formats,
  state: StateName | null,
  charge: PaymentPageData | undefined,
): string {
  if (state === null) return t('title');
  const title = t(`states.${state}.title`);
  if (!charge) return title;
  const { merchant, missing } = stateValues(charge, formats);
  if (state !== 'pending' && state !== 'partial') return t('titleState', { state: title, merchant });
  return t('titlePay', { amount: missing ?? formats.reais(charge.amount), merchant });
}

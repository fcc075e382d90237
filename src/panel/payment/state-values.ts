import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import type { Formats } from '#panel/create-formats.ts';

/** What the words of a state may name. */
export type StateValues = { merchant: string; amount?: string; received?: string; missing?: string };

/** What the words of a charge's state name, in the reader's language. */
export function stateValues(charge: PaymentPageData | undefined, formats: Formats): StateValues {
  const merchant = charge?.merchant_name ?? '';
  if (!charge?.crypto) return { merchant };
  const { asset, amount, received, missing } = charge.crypto;
  const coins = (quantity: string) => formats.coins(quantity, asset);
  return { merchant, amount: coins(amount), received: coins(received), missing: coins(missing) };
}

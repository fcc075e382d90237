import {
  IconCheck,
  IconClock,
  IconExclamationMark,
  IconLoader2,
  IconSearch,
  IconWifiOff,
  IconX,
} from '@tabler/icons-react';
import type { useTranslations } from 'next-intl';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import type { Formats } from '#panel/create-formats.ts';
import type { IconShape } from '../shell/icon.tsx';
import type { ViewState } from './polling.ts';

type Tone = 'waiting' | 'good' | 'caution' | 'bad' | 'neutral';

/**
 * The states that the page distinguishes: a crypto invoice needs other texts than a PIX charge in
 * some.
 */
export type StateName =
  | Exclude<ViewState, 'loading'>
  | 'partial'
  | 'cryptoExpired'
  | 'cryptoCancelled'
  | 'cryptoFailed';

/** The tone and icon of each state; its texts are `pay.states.*`. */
export const chargeStates: Record<StateName, { tone: Tone; icon: IconShape }> = {
  pending: { tone: 'waiting', icon: IconLoader2 },
  partial: { tone: 'waiting', icon: IconLoader2 },
  detected: { tone: 'waiting', icon: IconLoader2 },
  paid: { tone: 'good', icon: IconCheck },
  underpaid: { tone: 'caution', icon: IconExclamationMark },
  overpaid: { tone: 'good', icon: IconCheck },
  expired: { tone: 'neutral', icon: IconClock },
  cryptoExpired: { tone: 'neutral', icon: IconClock },
  cancelled: { tone: 'neutral', icon: IconX },
  cryptoCancelled: { tone: 'neutral', icon: IconX },
  failed: { tone: 'bad', icon: IconX },
  cryptoFailed: { tone: 'bad', icon: IconX },
  review: { tone: 'caution', icon: IconExclamationMark },
  unknown: { tone: 'neutral', icon: IconSearch },
  unreachable: { tone: 'caution', icon: IconWifiOff },
};

/**
 * Returns the state to show; null while there is nothing to show yet. `isUp`: the charge's time is
 * up by the server's clock; by default as it was when the charge was read.
 */
export function stateOf(
  viewState: ViewState,
  charge: PaymentPageData | undefined,
  isUp: boolean = wasUp(charge),
): StateName | null {
  if (viewState === 'loading') return null;
  if (!charge?.crypto) return viewState;
  if (viewState !== 'pending') return CRYPTO_NAMES[viewState] ?? viewState;
  // The server closes an invoice a moment late, and coins that are sent in that moment come too
  // late.
  if (isUp) return 'cryptoExpired';
  return Number(charge.crypto.received) > 0 ? 'partial' : 'pending';
}

const wasUp = (charge: PaymentPageData | undefined): boolean =>
  !!charge?.expires_at && Date.parse(charge.server_time) >= Date.parse(charge.expires_at);

/**
 * Whether to show payment instructions; before anything is known they are what most payers come
 * for.
 */
export const isPayable = (state: StateName | null): boolean =>
  state === null || state === 'pending' || state === 'partial';

const CRYPTO_NAMES: Partial<Record<ViewState, StateName>> = {
  expired: 'cryptoExpired',
  cancelled: 'cryptoCancelled',
  failed: 'cryptoFailed',
};

/**
 * The text of a charge's QR code; null where there is nothing to pay, or no code or address yet.
 */
export const qrTextOf = (charge: PaymentPageData): string | null =>
  isPayable(stateOf(charge.status, charge)) ? (charge.br_code ?? charge.crypto?.wallet ?? null) : null;

/** The values that the texts of a state may name. */
export type StateValues = { merchant: string; amount?: string; received?: string; missing?: string };

/** Returns the values for the texts of a charge's state, in the reader's language. */
export function stateValues(charge: PaymentPageData | undefined, formats: Formats): StateValues {
  const merchant = charge?.merchant_name ?? '';
  if (!charge?.crypto) return { merchant };
  const { asset, amount, received, missing } = charge.crypto;
  const coins = (quantity: string) => formats.coins(quantity, asset);
  return { merchant, amount: coins(amount), received: coins(received), missing: coins(missing) };
}

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

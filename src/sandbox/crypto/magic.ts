/**
 * Magic values of crypto: the cents of a transaction's value in reais choose its outcome, the same
 * in every installation. They take precedence over the switches. The processor sees quantities only
 * and converts them at the sandbox's fixed prices, so the table holds for accounts whose spread is
 * 0. For a withdrawal the net amount counts, after fees.
 */
import { centavosCost, centavosWorth } from '#domain/quotes/crypto-units.ts';
import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import { MAGIC_CENTS } from '#domain/sandbox/sandbox-switches.ts';
import { PRICES } from '../quotes/prices.ts';
import type { SwitchValue } from '../switches.ts';

/** What the simulator does to an invoice by itself, in seconds after its creation. */
type DepositPlan = {
  payAfterSeconds: number;
  /** The share of the requested quantity: 1 is all of it. */
  share: string;
  /** Replaces the requested expiry, so that no test waits an hour. */
  expireAfterSeconds?: number;
};

export const DEPOSIT_PLANS = {
  confirmed: { payAfterSeconds: 3, share: '1' },
  underpaid: { payAfterSeconds: 3, share: '0.5', expireAfterSeconds: 5 },
  overpaid: { payAfterSeconds: 3, share: '2' },
  paid_late: { payAfterSeconds: 4, share: '1', expireAfterSeconds: 2 },
} as const satisfies Record<(typeof MAGIC_CENTS.depositCents)[keyof typeof MAGIC_CENTS.depositCents], DepositPlan>;

/**
 * Returns what the simulator does to an invoice; undefined when its cents choose nothing. An
 * invoice asks for the least quantity that is worth its amount, so its value is rounded down.
 * `units` is in 10^-8 of a coin.
 */
export function depositMagic(units: bigint, currency: CurrencyCode): DepositPlan | undefined {
  const outcome = ofCents(MAGIC_CENTS.depositCents, centavosWorth(units, priceOf(currency)));
  return outcome && DEPOSIT_PLANS[outcome];
}

/**
 * Returns how a withdrawal ends; undefined when its cents choose nothing. A withdrawal sends the
 * most that its amount buys, so its value is rounded up. `units` is in 10^-8 of a coin.
 */
export function withdrawalMagic(units: bigint, currency: CurrencyCode): SwitchValue<'crypto.payout'> | undefined {
  return ofCents(MAGIC_CENTS.withdrawalCents, centavosCost(units, priceOf(currency)));
}

const priceOf = (currency: CurrencyCode): bigint => PRICES[CURRENCIES[currency].asset];

function ofCents<T>(byCents: Record<string, T>, centavos: bigint): T | undefined {
  const cents = String(centavos % 100n).padStart(2, '0');
  return new Map(Object.entries(byCents)).get(cents);
}

import type { TransactionType } from '../transactions/transaction-states.ts';

/**
 * The limits of an account by name: those of the REST contract, and the same for PIX. Values in
 * BRL, kept as centavos.
 */
export const LIMIT_NAMES = [
  'minimal_value_in_crypto',
  'maximal_value_in_crypto',
  'minimal_value_out_crypto',
  'maximal_value_out_crypto',
  'daily_limit_out_crypto',
  'minimal_value_in_pix',
  'maximal_value_in_pix',
  'minimal_value_out_pix',
  'maximal_value_out_pix',
  'daily_limit_out_pix',
  'night_limit_out_pix',
] as const;

/** The limits on the sum of what goes out in a day or a night. */
export type PeriodLimit = 'daily_limit_out_pix' | 'night_limit_out_pix' | 'daily_limit_out_crypto';

export type LimitName = (typeof LIMIT_NAMES)[number];

export const isLimitName = (text: string): text is LimitName => (LIMIT_NAMES as readonly string[]).includes(text);

/**
 * The least that an operation may be, in centavos, whatever the account's limits: below it the
 * rounding of fees (to the centavo) and of quantities (to the units of a coin) is no longer small
 * beside the amount, and a provider's fee for an operation may exceed the amount. Charges have no
 * such minimum: the contract accepts one centavo.
 */
export const SMALLEST_CENTAVOS: Record<TransactionType, bigint> = {
  pix_in: 1n,
  pix_out: 1_00n,
  crypto_in: 1_00n,
  crypto_out: 1_00n,
};

/**
 * A limit as an operator types it: BRL with at most two decimals, 0 included, in centavos; null for
 * `none`; undefined for anything else.
 */
export function parseLimit(text: string): bigint | null | undefined {
  if (text === 'none') return null;
  if (!/^\d{1,13}(\.\d{1,2})?$/.test(text)) return undefined;
  const [reais = '', decimals = ''] = text.split('.');
  return BigInt(reais) * 100n + BigInt(decimals.padEnd(2, '0'));
}

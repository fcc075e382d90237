import { isLimitName, LIMIT_NAMES, type LimitName, parseLimit } from './limits.ts';

/**
 * The limits of every account that has none of its own, in centavos; null: none, because the
 * operator said so.
 */
export type DefaultLimits = Record<LimitName, bigint | null>;

/**
 * What holds where the operator says nothing. R$ 15,000 an operation: what Banco Central do Brasil
 * allows for PIX and TED of institutions that it has not authorised, or that reach the network
 * through a third party (Resolução BCB 496 of 2025). R$ 1,000 a night: its limit for PIX of persons
 * from 20h to 6h (Resolução BCB 142 of 2021). A day allows two of the largest operations, or one
 * over crypto, which can't be reversed. The minimum amounts keep network fees from consuming the
 * payment.
 */
export const DEFAULT_LIMITS: DefaultLimits = {
  minimal_value_in_pix: 1_00n,
  maximal_value_in_pix: 15_000_00n,
  minimal_value_out_pix: 1_00n,
  maximal_value_out_pix: 15_000_00n,
  daily_limit_out_pix: 30_000_00n,
  night_limit_out_pix: 1_000_00n,
  minimal_value_in_crypto: 20_00n,
  maximal_value_in_crypto: 15_000_00n,
  minimal_value_out_crypto: 50_00n,
  maximal_value_out_crypto: 15_000_00n,
  daily_limit_out_crypto: 15_000_00n,
};

/**
 * An installation's own: `name=value` in BRL or `name=none`, separated by commas; what is not named
 * is as in DEFAULT_LIMITS. `none` alone: no limits at all. Null for anything else.
 */
export function parseDefaultLimits(text: string): DefaultLimits | null {
  if (text.trim() === 'none') {
    return Object.fromEntries(LIMIT_NAMES.map((name) => [name, null])) as DefaultLimits;
  }
  const limits = { ...DEFAULT_LIMITS };
  const named = new Set<string>();
  for (const part of text.split(',').map((part) => part.trim())) {
    if (part === '') continue;
    const [name = '', value = '', ...rest] = part.split('=');
    const limit = parseLimit(value);
    if (!isLimitName(name) || named.has(name) || limit === undefined || rest.length > 0) return null;
    limits[name] = limit;
    named.add(name);
  }
  return limits;
}

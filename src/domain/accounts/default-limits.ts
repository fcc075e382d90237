import { isLimitName, LIMIT_NAMES, type LimitName, parseLimit } from './limits.ts';

/**
 * The limits, in centavos, of an account that has no limit of its own; `null`: the operator has
 * switched that limit off.
 */
export type DefaultLimits = Record<LimitName, bigint | null>;

/**
 * The limits that apply unless the operator sets others. R$ 15,000 an operation: what Banco Central
 * do Brasil allows for PIX and TED of institutions that it has not authorised, or that reach the
 * network through a third party (Resolução BCB 496 of 2025). R$ 1,000 a night: its limit for PIX of
 * persons from 20h to 6h (Resolução BCB 142 of 2021). A day allows two of the largest operations,
 * or one over crypto, which can't be reversed. The minimum amounts keep network fees from consuming
 * the payment.
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
 * Parses an installation's limits: `name=value` in BRL or `name=none`, separated by commas. A limit
 * that is not named keeps its value of DEFAULT_LIMITS. `none` alone switches every limit off.
 * Returns `null` for any other text.
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

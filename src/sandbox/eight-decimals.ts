import { UNIT_DECIMALS } from '#domain/quotes/crypto-units.ts';

/** A quantity or a price in 10^-8 as markets and processors write it: eight decimals, zeros too. */
export function eightDecimals(units: bigint): string {
  const digits = units.toString().padStart(UNIT_DECIMALS + 1, '0');
  return `${digits.slice(0, -UNIT_DECIMALS)}.${digits.slice(-UNIT_DECIMALS)}`;
}

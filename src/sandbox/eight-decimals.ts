import { UNIT_DECIMALS } from '#domain/quotes/crypto-units.ts';

/**
 * Writes a quantity or a price in 10^-8 as markets and processors do: always with eight decimals.
 */
export function eightDecimals(units: bigint): string {
  if (units < 0n) return `-${eightDecimals(-units)}`;
  const digits = units.toString().padStart(UNIT_DECIMALS + 1, '0');
  return `${digits.slice(0, -UNIT_DECIMALS)}.${digits.slice(-UNIT_DECIMALS)}`;
}

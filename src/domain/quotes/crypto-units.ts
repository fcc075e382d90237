/**
 * Quantities of crypto are a bigint of units: 10^-8 of one coin, the eight decimals of the REST
 * contract. Prices are a bigint of 10^-8 BRL for one coin. Both are exact: no double ever takes
 * part in a conversion.
 */
export const UNIT_DECIMALS = 8;

/**
 * Providers write up to 18 decimals (ether). A number with many more is no quantity of any coin.
 */
const DECIMAL_TEXT = /^(?<whole>\d{1,15})(?:\.(?<fraction>\d{1,30}))?$/;

/**
 * centavos = units * price / this: 10^8 units a coin, 10^8 price steps a real, 100 centavos a real.
 */
const UNIT_PRICES_PER_CENTAVO = 10n ** 14n;

/**
 * Reads a decimal text as a quantity or a price, in 10^-8; further decimals are cut off, so that
 * nothing is counted as more than it is. `null` for everything else (signs, exponents, blanks).
 */
export function parseUnits(text: string): bigint | null {
  const groups = DECIMAL_TEXT.exec(text)?.groups;
  if (!groups) return null;
  return BigInt((groups.whole ?? '') + (groups.fraction ?? '').slice(0, UNIT_DECIMALS).padEnd(UNIT_DECIMALS, '0'));
}

/**
 * The decimal text without needless zeros: `1.89074074`, `2`; `-0.5` for a difference below zero.
 */
export function unitsToDecimal(units: bigint): string {
  if (units < 0n) return `-${unitsToDecimal(-units)}`;
  const digits = units.toString().padStart(UNIT_DECIMALS + 1, '0');
  const fraction = digits.slice(-UNIT_DECIMALS).replace(/0+$/, '');
  return digits.slice(0, -UNIT_DECIMALS) + (fraction && `.${fraction}`);
}

/** The JSON number of a quantity or a price: the double nearest to the decimal. */
export const unitsToNumber = (units: bigint): number => Number(unitsToDecimal(units));

/**
 * Returns what `centavos` buy at `price`, rounded down to the last of `decimals` (at most 8) that
 * the network has: a withdrawal never sends more than was taken, and says what it sends.
 * @throws RangeError for a price of zero.
 */
export function unitsBought(centavos: bigint, price: bigint, decimals: number): bigint {
  const units = (centavos * UNIT_PRICES_PER_CENTAVO) / price;
  return units - (units % unitStep(decimals));
}

/**
 * Returns what has to be paid for `centavos` at `price`, rounded up to the last of `decimals` (at
 * most 8) that the network has, so that an invoice which is paid exactly is never short.
 * @throws RangeError for a price of zero.
 */
export function unitsOwed(centavos: bigint, price: bigint, decimals: number): bigint {
  const step = unitStep(decimals);
  return ceilDiv(centavos * UNIT_PRICES_PER_CENTAVO, price * step) * step;
}

/** What `units` are worth at `price`, in whole centavos, rounded down. */
export const centavosWorth = (units: bigint, price: bigint): bigint => (units * price) / UNIT_PRICES_PER_CENTAVO;

/** What `units` cost at `price`, in whole centavos, rounded up. */
export const centavosCost = (units: bigint, price: bigint): bigint => ceilDiv(units * price, UNIT_PRICES_PER_CENTAVO);

/** The least quantity that a network of these decimals has, in 10^-8 of a coin. */
export const unitStep = (decimals: number): bigint => 10n ** BigInt(UNIT_DECIMALS - Math.min(decimals, UNIT_DECIMALS));

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/**
 * Money is a bigint of centavos everywhere inside. It becomes a JSON number on the wire and a
 * decimal text at the PSP, and these functions are the only way in and out.
 */

/** R$ 1,000,000.00: the largest charge the service takes, far above what one PIX is used for. */
export const AMOUNT_CENTAVOS_MAX = 100_000_000n;

/**
 * Up to 12 digits before the point: with the two decimals that is 14 significant digits, and a
 * double carries any decimal of 15 unchanged, so what the sender wrote is what we read.
 */
const BRL_TEXT = /^\d{1,12}(\.\d{1,2})?$/;

/** The pattern of API Pix for `valor.original`. */
const DECIMAL_TEXT = /^\d{1,10}\.\d{2}$/;

/** 15 significant digits: beyond them a double no longer distinguishes every centavo. */
export const JSON_CENTAVOS_MAX = 999_999_999_999_999n;

/**
 * Reads a JSON number of reais as centavos; `null` for everything that is not a positive number
 * with at most two decimals. It works on the shortest decimal text of the number, because
 * arithmetic on the double would round (`4.35 * 100` is 434.99999999999994). Callers check limits:
 * see AMOUNT_CENTAVOS_MAX.
 */
export function parseBrl(value: unknown): bigint | null {
  if (typeof value !== 'number') return null;
  const text = String(value);
  if (!BRL_TEXT.test(text)) return null;
  const centavos = centavosOf(text);
  return centavos > 0n ? centavos : null;
}

/**
 * Reads a JSON number of reais with at most two decimals as centavos, of any sign and size; `null`
 * for everything else. Callers check the range of their operation.
 */
export function readBrl(value: unknown): bigint | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  // Also the large ones, whose shortest text is no plain decimal.
  if (Number.isInteger(value)) return BigInt(value) * 100n;
  const text = String(Math.abs(value));
  if (!/^\d+\.\d{1,2}$/.test(text)) return null;
  return value < 0 ? -centavosOf(text) : centavosOf(text);
}

/** Formats an amount for people, e.g. `R$ 1.234,56`. */
export function formatBrl(centavos: bigint): string {
  const [reais = '', decimals = ''] = toDecimal(centavos).split('.');
  return `R$ ${reais.replace(/\B(?=(\d{3})+$)/g, '.')},${decimals}`;
}

/**
 * The JSON number of an amount: the double whose shortest text is the exact decimal.
 * @throws RangeError from R$ 10 trillion up, where no double could say the amount: a wrong balance
 *   is worse than none.
 */
export function toBrl(centavos: bigint): number {
  if (centavos > JSON_CENTAVOS_MAX || centavos < -JSON_CENTAVOS_MAX) {
    throw new RangeError('The amount is too large for an exact JSON number.');
  }
  // IEEE 754 division rounds correctly, so this is the double nearest to the decimal, the same one
  // that JSON.parse reads.
  return Number(centavos) / 100;
}

/**
 * The decimal text with two places, e.g. `37.00`: API Pix's `valor.original` for amounts of up to
 * ten digits of reais.
 */
export function toDecimal(centavos: bigint): string {
  const digits = (centavos < 0n ? -centavos : centavos).toString().padStart(3, '0');
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Reads API Pix's `valor` (`\d{1,10}\.\d{2}`) as centavos, zero included; null for any other text.
 */
export function fromDecimal(text: string): bigint | null {
  return DECIMAL_TEXT.test(text) ? centavosOf(text) : null;
}

function centavosOf(text: string): bigint {
  const [reais = '0', decimals = ''] = text.split('.');
  return BigInt(reais) * 100n + BigInt(decimals.padEnd(2, '0'));
}

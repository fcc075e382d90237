/**
 * A number of a JSON text that no double holds with all of its decimals. No schema takes it: an
 * amount of 999999.999999999999 is rejected, and is not read as 1000000.
 */
export class RoundedNumber {
  /** As it was written. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}

/**
 * Finds texts that may have such a number: 15 significant digits or fewer are in the double
 * unchanged, unless it is as small as an exponent makes it. Without one a text is parsed without a
 * reviver, which takes five times as long.
 */
const MAY_BE_ROUNDED = /[:[,]\s*-?(?:[\d.]{17}|[\d.]+[eE]-)/;

/** What a reviver gets beside the value, of a number its text (Node 21). */
type Source = { source?: string };

/** JSON.parse for what others wrote: a number whose decimals would be lost is a RoundedNumber. */
export function parseExactJson(text: string): unknown {
  if (!MAY_BE_ROUNDED.test(text)) return JSON.parse(text);
  const keepText = (_name: string, value: unknown, { source = '' }: Source) =>
    typeof value === 'number' && decimalsOf(source) > decimalsOf(String(value)) ? new RoundedNumber(source) : value;
  return JSON.parse(text, keepText as (name: string, value: unknown) => unknown);
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** How many decimals a number has, without zeros at its end; 0 for Infinity. */
function decimalsOf(number: string): number {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const digits = whole + fraction;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return end === 0 ? 0 : Math.max(0, fraction.length - Number(exponent) - (digits.length - end));
}

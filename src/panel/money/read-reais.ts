/** At most two decimals, and no more digits than a double carries exactly. */
const DECIMAL = /^(\d{1,12})(?:\.(\d{1,2}))?$/;

/**
 * An amount as people copy it from somewhere: `R$ 1.234,56`, `1,234.56`, `1234.5`, `1.234`. The last of two kinds of separators is the
 * decimal one; a single one with three digits behind it separates thousands, unless it is the reader's own decimal separator. Null for
 * what can't be read for certain, and for a third decimal: an amount is never rounded.
 */
export function readReais(text: string, decimalSeparator: ',' | '.'): number | null {
  const bare = text.replace(/[\s\u00a0]|R\$/g, '');
  if (!/^[\d.,]+$/.test(bare)) return null;
  const separators = [...bare].filter((character) => character === '.' || character === ',');
  const last = separators.at(-1);
  if (last === undefined) return inReais(bare);
  const [whole = '', decimals = ''] = [bare.slice(0, bare.lastIndexOf(last)), bare.slice(bare.lastIndexOf(last) + 1)];
  const isOfThousands =
    separators.length > 1
      ? separators.every((one) => one === last)
      : decimals.length === 3 && last !== decimalSeparator && whole.length <= 3;
  if (isOfThousands) return isGrouped(bare, last) ? inReais(bare.replaceAll(last, '')) : null;
  const group = last === ',' ? '.' : ',';
  if (whole.includes(last) || (whole.includes(group) && !isGrouped(whole, group))) return null;
  return inReais(`${whole.replaceAll(group, '')}.${decimals}`);
}

/** One to three digits, then threes. */
const isGrouped = (text: string, separator: string): boolean =>
  text.split(separator).every((part, index) => (index === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part));

const inReais = (text: string): number | null => (DECIMAL.test(text) ? Number(text) : null);

import { describe, expect, it, test } from 'vitest';
import type { Language } from './language.ts';
import { type AmountIssue, readTypedAmount } from './read-typed-amount.ts';

const LANGUAGES = ['pt-BR', 'en'] as const satisfies Language[];

describe('an amount reads the same in both languages', () => {
  it.each<[string, bigint]>([
    ['1.234,56', 123_456n],
    ['1,234.56', 123_456n],
    ['R$ 1.234,56', 123_456n],
    ['r$1.234,56', 123_456n],
    ['R$\u00a01.234,56', 123_456n],
    [' \u200e1 234,56 ', 123_456n],
    ['1\u202f234.56', 123_456n],
    ['1234,56', 123_456n],
    ['1234.56', 123_456n],
    ['1234,5', 123_450n],
    ['10,01', 1_001n],
    ['1.5', 150n],
    ['1,50', 150n],
    ['5,', 500n],
    ['5.', 500n],
    [',50', 50n],
    ['.5', 50n],
    ['0,05', 5n],
    ['007', 700n],
    ['100', 10_000n],
    ['1.234,', 123_400n],
    ['999.999,99', 99_999_999n],
    ['1.000.000', 100_000_000n],
    ['1,000,000.00', 100_000_000n],
  ])('%j', (text, centavos) => {
    for (const language of LANGUAGES) {
      expect(readTypedAmount(text, language)).toEqual({ centavos, issue: null });
    }
  });
});

test('one separator with three digits behind it separates thousands in its own language only', () => {
  expect(readTypedAmount('1.500', 'pt-BR')).toEqual({ centavos: 150_000n, issue: null });
  expect(readTypedAmount('1,500', 'en')).toEqual({ centavos: 150_000n, issue: null });
  expect(readTypedAmount('1.500', 'en')).toEqual({ centavos: null, issue: 'decimals' });
  expect(readTypedAmount('1,500', 'pt-BR')).toEqual({ centavos: null, issue: 'decimals' });
});

describe('what is no amount is rejected with its reason', () => {
  it.each<[string, AmountIssue]>([
    ['', 'empty'],
    ['  ', 'empty'],
    ['R$', 'no_digits'],
    [',', 'no_digits'],
    ['.,', 'no_digits'],
    ['0', 'zero'],
    ['0,00', 'zero'],
    ['-5', 'negative'],
    ['R$ -5', 'negative'],
    ['\u22125', 'negative'],
    ['1e3', 'characters'],
    ['+5', 'characters'],
    ['5-', 'characters'],
    ['(5)', 'characters'],
    ['US$ 5', 'characters'],
    ['1\u2019234.56', 'characters'],
    ['١٢', 'characters'],
    ['dez', 'characters'],
    [`1${' '.repeat(80)}2`, 'characters'],
    ['0,005', 'decimals'],
    ['0.500', 'decimals'],
    ['.500', 'decimals'],
    ['1.234,567', 'decimals'],
    ['1.23,45', 'groups'],
    ['12.34.56', 'groups'],
    ['123.456.78', 'groups'],
    ['1,2,3', 'groups'],
    ['1,234,56', 'groups'],
    ['1.234.', 'groups'],
    ['10 01', 'groups'],
    ['1 234 5', 'groups'],
    ['1 234.567,00', 'groups'],
    ['10,0 1', 'groups'],
    ['0.500,00', 'groups'],
    ['1000000,01', 'too_large'],
    ['99999999999', 'too_large'],
    ['9'.repeat(60), 'too_large'],
  ])('%j: %s', (text, issue) => {
    for (const language of LANGUAGES) {
      expect(readTypedAmount(text, language)).toEqual({ centavos: null, issue });
    }
  });
});

test('every amount is read back from every way in which it is written', () => {
  const misread: string[] = [];
  for (let run = 0; run < 2_000; run++) {
    const centavos = randomAmount();
    for (const language of LANGUAGES) {
      for (const text of writings(centavos, language)) {
        if (readTypedAmount(text, language).centavos !== centavos) misread.push(`${text} in ${language}`);
      }
    }
  }
  expect(misread).toEqual([]);
});

test('an amount is the number that its digits are: nothing is skipped, nothing is rounded', () => {
  const misread = randomTexts().flatMap((text) =>
    LANGUAGES.flatMap((language) => {
      const { centavos } = readTypedAmount(text, language);
      const digits = BigInt(text.replace(/\D/g, '') || '0');
      const isRight = centavos === null || [1n, 10n, 100n].some((shift) => digits * shift === centavos);
      return isRight ? [] : [`${text} in ${language} is ${centavos}`];
    }),
  );
  expect(misread).toEqual([]);
});

test('the languages never disagree on an amount that both read', () => {
  const disputed = randomTexts().filter((text) => {
    const [pt, en] = [readTypedAmount(text, 'pt-BR').centavos, readTypedAmount(text, 'en').centavos];
    return pt !== null && en !== null && pt !== en;
  });
  expect(disputed).toEqual([]);
});

/** What fingers and clipboards could leave in a field. */
function randomTexts(): string[] {
  const characters = '0123456789.,';
  const character = () => characters[Math.floor(Math.random() * characters.length)];
  return Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + Math.floor(Math.random() * 9) }, character).join(''),
  );
}

/** From a centavo to a million reais, small ones as often as large ones. */
function randomAmount(): bigint {
  const digits = 1 + Math.floor(Math.random() * 8);
  return BigInt(1 + Math.floor(Math.random() * (10 ** digits - 1)));
}

function writings(centavos: bigint, language: Language): string[] {
  const whole = String(centavos / 100n);
  const cents = String(centavos % 100n).padStart(2, '0');
  const inGroups = (separator: string) => whole.replace(/\B(?=(\d{3})+$)/g, separator);
  const own = language === 'en' ? ([',', '.'] as const) : (['.', ','] as const);
  const other = language === 'en' ? (['.', ','] as const) : ([',', '.'] as const);
  return [
    `${inGroups(own[0])}${own[1]}${cents}`,
    `${inGroups(other[0])}${other[1]}${cents}`,
    `${inGroups(' ')}${own[1]}${cents}`,
    `${whole},${cents}`,
    `${whole}.${cents}`,
    `R$ ${inGroups(own[0])}${own[1]}${cents}`,
    ...(cents.endsWith('0') ? [`${whole}${own[1]}${cents[0]}`] : []),
    ...(cents === '00' ? [whole, inGroups(own[0]), `${inGroups(own[0])}${own[1]}`] : []),
    ...(whole === '0' ? [`${own[1]}${cents}`] : []),
  ];
}

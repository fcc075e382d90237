import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readCsv } from '../testing/read-csv.ts';
import { type CsvFormat, csvRow, csvStart, isFormula } from './csv.ts';

const AT = new Date('2026-11-21T02:05:09.123Z');

describe('a row', () => {
  it('for Excel in Brazil has semicolons, a decimal comma and Brasília’s time', () => {
    const row = csvRow(
      ['Maria', { centavos: -123456n }, { units: 150000000n }, { at: AT }, { day: '2026-11-20' }, null],
      'pt-BR',
    );
    expect(row).toBe('"Maria";-1234,56;1,50000000;20/11/2026 23:05;20/11/2026;\r\n');
    expect(csvStart('pt-BR')).toBe('\uFEFF');
  });

  it('for programs has commas, a decimal point and ISO 8601', () => {
    const row = csvRow(['Maria', { centavos: -5n }, { units: -1n }, { at: AT }, { day: '2026-11-20' }, null], 'iso');
    expect(row).toBe('"Maria",-0.05,-0.00000001,2026-11-21T02:05:09.123Z,2026-11-20,\r\n');
    expect(csvStart('iso')).toBe('');
  });
});

// ASVS 1.2.10
describe('a text that a spreadsheet could take for a formula', () => {
  it.each([
    ['=1+1', 'the sign itself'],
    ['+5511999999999', 'a plus'],
    ['-2+3', 'a minus'],
    ['@SUM(A1)', 'an at'],
    ['\t=1', 'a tab'],
    ['\r=1', 'a carriage return'],
    ['\n=1', 'a line feed'],
    ['\u0000x', 'a control character'],
    ['＝1+1', 'full-width equals'],
    ['＋1', 'full-width plus'],
    ['－1', 'full-width minus'],
    ['＠SUM', 'full-width at'],
    ['﹦1', 'small equals'],
    ['\u22121', 'the mathematical minus'],
    ['  =1', 'blanks before it'],
    ['\u00a0=1', 'a no-break space before it'],
    ['\u200b=1', 'a zero-width space before it'],
    ['\uFEFF=1', 'a byte order mark before it'],
    ['\u202e=1', 'a change of direction before it'],
    ['\u3164=1', 'a filler before it'],
  ])('%j is made a text: %s', (text) => {
    for (const format of ['pt-BR', 'iso'] as const) {
      expect(csvRow([text], format)).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
    }
  });

  it.each(['Maria', 'a=b', 'Pedido 42 - mesa', '100 %', 'São José', '', "'=1", '1-2'])(
    '%j is left as it is',
    (text) => {
      expect(isFormula(text)).toBe(false);
      expect(readCsv(csvRow([text], 'iso'), ',')).toEqual([[text]]);
    },
  );

  it('is distinguished from our own figures: a debit stays a number', () => {
    expect(csvRow([{ centavos: -100n }], 'pt-BR')).toBe('-1,00\r\n');
  });
});

const SEPARATORS: [CsvFormat, string][] = [
  ['pt-BR', ';'],
  ['iso', ','],
];

test.each(SEPARATORS)('whatever was typed stays in its own cell (%s)', (format, separator) => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...'"\r\n;,=-@\'\t aé＝') }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (rows) => {
      const read = readCsv(rows.map((row) => csvRow(row, format)).join(''), separator);
      expect(read).toEqual(rows.map((row) => row.map((text) => (isFormula(text) ? `'${text}` : text))));
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { languages } from '#domain/values/language.ts';
import { formatsIn } from './testing/formats-in.ts';

describe('an amount in reais', () => {
  it.each([
    [100.5, 'pt-BR', 'R$\u00a0100,50'],
    [1234.56, 'pt-BR', 'R$\u00a01.234,56'],
    [1_000_000, 'pt-BR', 'R$\u00a01.000.000,00'],
    [0.01, 'pt-BR', 'R$\u00a00,01'],
    [1234.5, 'en', 'R$\u00a01,234.50'],
    // As amounts are written that leave the account.
    [-1000, 'pt-BR', '\u2212R$\u00a01.000,00'],
  ] as const)('%d in %s never drops its cents nor breaks its line', (amount, language, text) => {
    expect(formatsIn(language).reais(amount)).toBe(text);
  });
});

describe('a quantity of a coin', () => {
  it.each([
    ['18.703704', '18,703704', '18.703704'],
    ['1234.50000001', '1.234,50000001', '1,234.50000001'],
    ['0.00000001', '0,00000001', '0.00000001'],
    ['123456789012345678.12345678', '123.456.789.012.345.678,12345678', '123,456,789,012,345,678.12345678'],
  ])('%s keeps every digit', (quantity, portuguese, english) => {
    expect(formatsIn('pt-BR').quantity(quantity)).toBe(portuguese);
    expect(formatsIn('en').quantity(quantity)).toBe(english);
  });

  it('is in one line with its coin', () => {
    expect(formatsIn('pt-BR').coins('18.703704', 'USDT')).toBe('18,703704\u00a0USDT');
  });
});

describe('an instant', () => {
  it.each([
    ['pt-BR', '20/11/2026 14:05', '20/11/2026 14:05:59', '20/11', 'sex., 20/11'],
    // No reader mistakes the day for the month.
    ['en', '20 Nov 2026, 14:05', '20 Nov 2026, 14:05:59', '20 Nov', 'Fri 20 Nov'],
  ] as const)('in %s is shown in Brasília’s time, whatever zone the machine is in', (language, ...texts) => {
    const { instant, instantExactly, shortDay, shortDayName, time, timeExactly } = formatsIn(language);
    const at = '2026-11-20T17:05:59.000Z';
    expect([instant(at), instantExactly(at), shortDay(at), shortDayName(at)]).toEqual(texts);
    expect([time(at), timeExactly(at)]).toEqual(['14:05', '14:05:59']);
  });

  it.each(languages)('in %s has two digits wherever a clock has them', (language) => {
    const { timeExactly, time } = formatsIn(language);
    expect([timeExactly('2026-11-20T03:04:05Z'), time('2026-11-20T03:04:05Z')]).toEqual(['00:04:05', '00:04']);
  });

  it('falls on the Brazilian day, not on the UTC one', () => {
    const { instant } = formatsIn('pt-BR');
    expect(instant('2026-11-21T02:59:00.000Z')).toBe('20/11/2026 23:59');
    expect(instant('2026-11-21T03:00:00.000Z')).toBe('21/11/2026 00:00');
  });
});

describe('a day', () => {
  it('is the same in every zone', () => {
    expect(formatsIn('pt-BR').day('2026-11-20')).toBe('20/11/2026');
    expect(formatsIn('pt-BR').dayName('2026-11-20')).toBe('sexta-feira, 20/11/2026');
    expect(formatsIn('en').day('2026-03-01')).toBe('01 Mar 2026');
    expect(formatsIn('en').dayName('2026-03-01')).toBe('Sunday, 01 Mar 2026');
  });
});

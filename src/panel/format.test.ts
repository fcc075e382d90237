import { describe, expect, it } from 'vitest';
import { formatInstant, formatReais } from './format.ts';

describe('an amount in reais', () => {
  it.each([
    [100.5, 'pt-BR', 'R$\u00a0100,50'],
    [1234.56, 'pt-BR', 'R$\u00a01.234,56'],
    [1_000_000, 'pt-BR', 'R$\u00a01.000.000,00'],
    [0.01, 'pt-BR', 'R$\u00a00,01'],
    [1234.5, 'en', 'R$\u00a01,234.50'],
  ] as const)('%d in %s never drops its cents nor breaks its line', (amount, language, text) => {
    expect(formatReais(amount, language)).toBe(text);
  });
});

describe('an instant', () => {
  it('is shown in Brasilia time, whatever zone the machine is in', () => {
    expect(formatInstant('2026-11-20T17:05:59.000Z', 'pt-BR')).toBe('20/11/2026 14:05');
  });

  it('falls on the Brazilian day, not on the UTC one', () => {
    expect(formatInstant('2026-11-21T02:59:00.000Z', 'pt-BR')).toBe('20/11/2026 23:59');
    expect(formatInstant('2026-11-21T03:00:00.000Z', 'pt-BR')).toBe('21/11/2026 00:00');
  });

  it('names its month in English', () => {
    expect(formatInstant('2026-11-20T17:05:59.000Z', 'en')).toBe('20 Nov 2026, 14:05');
  });
});

import { describe, expect, it } from 'vitest';
import { formatCoins, formatQuantity } from './format-coins.ts';

describe('a quantity of coins', () => {
  it.each([
    ['0.00000001', '0,00000001', '0.00000001'],
    ['18.7', '18,7', '18.7'],
    ['1234.50000001', '1.234,50000001', '1,234.50000001'],
    ['999999999999999.12345678', '999.999.999.999.999,12345678', '999,999,999,999,999.12345678'],
    ['2', '2', '2'],
  ])('%s keeps every digit', (quantity, portuguese, english) => {
    expect(formatQuantity(quantity, 'pt-BR')).toBe(portuguese);
    expect(formatQuantity(quantity, 'en')).toBe(english);
  });

  it('does not part from its coin at the end of a line', () => {
    expect(formatCoins('18.703704', 'USDT', 'pt-BR')).toBe('18,703704\u00a0USDT');
  });
});

import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import { networkName } from './network-name.ts';

describe('the name of a network', () => {
  it('tells the networks of one coin apart', () => {
    const tethers = Object.values(CURRENCIES).filter(({ asset }) => asset === 'USDT');
    const names = tethers.map(({ network }) => networkName(network));
    expect(names).toContain('Tron (TRC20)');
    expect(new Set(names).size).toBe(tethers.length);
  });

  it('is never missing, even for a network that the page does not know yet', () => {
    expect(networkName('base')).toBe('base');
    expect(networkName('constructor')).toBe('constructor');
  });
});

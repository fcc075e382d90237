import { expect, test } from 'vitest';
import { CURRENCIES } from '#domain/quotes/currencies.ts';
import { networkName } from './network-name.ts';

test('the names of networks distinguish those of one coin', () => {
  const tethers = Object.values(CURRENCIES).filter(({ asset }) => asset === 'USDT');
  const names = tethers.map(({ network }) => networkName(network));
  expect(names).toContain('Tron (TRC20)');
  expect(new Set(names).size).toBe(tethers.length);
});

test('the name of a network is never missing, even where the page does not know it yet', () => {
  expect(networkName('base')).toBe('base');
  expect(networkName('constructor')).toBe('constructor');
});

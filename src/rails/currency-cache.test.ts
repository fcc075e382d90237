import { expect, test } from 'vitest';
import { createCurrencyCache } from './currency-cache.ts';
import type { CryptoRail } from './ports.ts';

const HOUR_MS = 3_600_000;

test('a processor’s currencies are asked for again after a minute, and after the clock was set back', async () => {
  let nowMs = HOUR_MS;
  let asked = 0;
  const currencies = async () => ({ outcome: 'done', value: Array.from({ length: ++asked }) });
  const cache = createCurrencyCache({ currencies } as unknown as CryptoRail, () => new Date(nowMs));
  const at = async (ms: number) => {
    nowMs = ms;
    await cache.all();
    return asked;
  };
  expect(await at(HOUR_MS)).toBe(1);
  expect(await at(HOUR_MS + 59_999)).toBe(1);
  expect(await at(HOUR_MS + 60_000)).toBe(2);
  expect(await at(60_000)).toBe(3);
});

test('a processor that does not answer has its last currencies for an hour, not longer where the clock was set back', async () => {
  let nowMs = 2 * HOUR_MS;
  let outcome = 'done';
  const currencies = async () => ({ outcome, value: [], reason: 'down' });
  const cache = createCurrencyCache({ currencies } as unknown as CryptoRail, () => new Date(nowMs));
  await cache.all();
  outcome = 'unknown';
  const at = async (ms: number) => {
    nowMs = ms;
    return (await cache.all()).outcome;
  };
  expect(await at(3 * HOUR_MS - 1)).toBe('done');
  expect(await at(3 * HOUR_MS)).toBe('unknown');
  expect(await at(0)).toBe('unknown');
});

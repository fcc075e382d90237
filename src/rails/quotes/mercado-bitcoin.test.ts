import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Market } from './market-http.ts';
import { createMercadoBitcoin } from './mercado-bitcoin.ts';
import { type ScriptedMarket, startScriptedMarket } from './testing/scripted-market.ts';

const AT = new Date('2026-11-20T11:59:45Z');
const AT_SECONDS = AT.getTime() / 1_000;

let server: ScriptedMarket;
let mercado: Market;

beforeEach(async () => {
  server = await startScriptedMarket();
  mercado = createMercadoBitcoin({ baseUrl: server.baseUrl, clock: () => new Date('2026-11-20T12:00:00Z') });
});
afterEach(async () => {
  await server.close();
  await mercado.close();
});

test('all assets are asked for in one request, and a pair that is missing in the answer is no error', async () => {
  server.answer = () => ({
    status: 200,
    body: [
      { pair: 'USDT-BRL', last: '5.16930000', date: AT_SECONDS },
      { pair: 'BTC-BRL', last: '119548.04744932', date: AT_SECONDS },
    ],
  });
  expect(await mercado.prices(['BTC', 'TON', 'USDT'])).toEqual({
    outcome: 'done',
    value: new Map([
      ['USDT', { source: 'mercado-bitcoin', price: 516_930_000n, at: AT }],
      ['BTC', { source: 'mercado-bitcoin', price: 11_954_804_744_932n, at: AT }],
    ]),
  });
  expect(server.calls).toEqual(['/api/v4/tickers?symbols=BTC-BRL,TON-BRL,USDT-BRL']);
});

test('an empty answer is no error', async () => {
  server.answer = () => ({ status: 200, body: [] });
  expect(await mercado.prices(['TON'])).toEqual({ outcome: 'done', value: new Map() });
});

test('the time may be in nanoseconds, as the documentation calls it', async () => {
  const body = `[{"pair":"USDT-BRL","last":"5.43","date":${AT_SECONDS}000000000}]`;
  server.answer = () => ({ status: 200, body });
  expect(await mercado.prices(['USDT'])).toMatchObject({
    value: new Map([['USDT', { source: 'mercado-bitcoin', price: 543_000_000n, at: AT }]]),
  });
});

test.each(['0', '-1', '1e400', '1e30', '"2026-11-20"', 'null'])('a time of %s gives no price', async (date) => {
  server.answer = () => ({ status: 200, body: `[{"pair":"USDT-BRL","last":"5.43","date":${date}}]` });
  expect(await mercado.prices(['USDT'])).toEqual({ outcome: 'unknown', reason: expect.stringContaining('date') });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFoxbit } from './foxbit.ts';
import type { Market } from './market-http.ts';
import { FOXBIT } from './testing/market-examples.ts';
import { type ScriptedMarket, startScriptedMarket } from './testing/scripted-market.ts';

const AT = new Date('2026-11-20T11:59:45.123Z');

let server: ScriptedMarket;
let foxbit: Market;

beforeEach(async () => {
  server = await startScriptedMarket();
  foxbit = createFoxbit({ baseUrl: server.baseUrl, clock: () => new Date('2026-11-20T12:00:00Z') });
});
afterEach(async () => {
  await server.close();
  await foxbit.close();
});

test('a price has the time of the last trade, and a pair that does not exist is no error', async () => {
  server.answer = (call) =>
    call.includes('usdtbrl')
      ? { status: 200, body: FOXBIT.body('USDT', '5.16750000', AT) }
      : { status: 404, body: { error: { message: 'Resource not found.', code: 404, details: [] } } };
  expect(await foxbit.prices(['TON', 'USDT'])).toEqual({
    outcome: 'done',
    value: new Map([['USDT', { source: 'foxbit', price: 516_750_000n, at: AT }]]),
  });
  expect(server.calls.sort()).toEqual(['/rest/v3/markets/tonbrl/ticker/24hr', '/rest/v3/markets/usdtbrl/ticker/24hr']);
  expect(await foxbit.prices(['TON'])).toEqual({ outcome: 'done', value: new Map() });
});

test.each<[string, object]>([
  ['no market', { data: [] }],
  ['two markets', { data: [1, 2].flatMap(() => (FOXBIT.body('USDT', '5.43', AT) as { data: object[] }).data) }],
  ['a market without a trade', { data: [{ market_symbol: 'usdtbrl', last_trade: null }] }],
  ['a trade without a time', { data: [{ market_symbol: 'usdtbrl', last_trade: { price: '5.43' } }] }],
  [
    'a time without a zone',
    { data: [{ market_symbol: 'usdtbrl', last_trade: { price: '5.43', date: '2026-11-20' } }] },
  ],
])('%s in the answer gives no price', async (_, body) => {
  server.answer = () => ({ status: 200, body });
  expect(await foxbit.prices(['USDT'])).toEqual({ outcome: 'unknown', reason: expect.stringMatching(/\(data/) });
});

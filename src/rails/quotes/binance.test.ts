import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBinance } from './binance.ts';
import type { Market } from './market-http.ts';
import { type Answer, type ScriptedMarket, startScriptedMarket } from './testing/scripted-market.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const NO_SYMBOL: Answer = { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } };
const BUSY: Answer = { status: 503, body: {} };

let server: ScriptedMarket;
let binance: Market;

beforeEach(async () => {
  server = await startScriptedMarket();
  binance = createBinance({ baseUrl: server.baseUrl, clock: () => NOW });
});
afterEach(async () => {
  await server.close();
  await binance.close();
});

test('only pairs that are traded now are asked for, each by itself', async () => {
  server.answer = (call) => {
    const symbol = new URLSearchParams(call.split('?')[1]).get('symbol');
    return { status: 200, body: { symbol, price: symbol === 'BTCBRL' ? '358504.69' : '5.43' } };
  };
  expect(await binance.prices(['BTC', 'USDT'])).toEqual({
    outcome: 'done',
    value: new Map([
      ['BTC', { source: 'binance', price: 35_850_469_000_000n, at: NOW }],
      ['USDT', { source: 'binance', price: 543_000_000n, at: NOW }],
    ]),
  });
  expect(server.calls.sort()).toEqual([
    '/api/v3/ticker/price?symbol=BTCBRL&symbolStatus=TRADING',
    '/api/v3/ticker/price?symbol=USDTBRL&symbolStatus=TRADING',
  ]);
});

test('a price has the time of its request, however long the answer takes', async () => {
  let nowMs = NOW.getTime();
  const slow = createBinance({ baseUrl: server.baseUrl, clock: () => new Date(nowMs) });
  server.answer = () => {
    nowMs += 3_000;
    return { status: 200, body: { symbol: 'USDTBRL', price: '5.43' } };
  };
  const answer = await slow.prices(['USDT']);
  await slow.close();
  expect(answer).toMatchObject({ value: new Map([['USDT', { source: 'binance', price: 543_000_000n, at: NOW }]]) });
});

test.each<[string, Answer]>([
  ['does not exist', NO_SYMBOL],
  ['is not traded now', { status: 400, body: { code: -1220, msg: "The symbol's status does not match." } }],
])('a pair that %s is no error, and keeps no other from having a price', async (_, answer) => {
  server.answer = (call) =>
    call.includes('TONBRL') ? answer : { status: 200, body: { symbol: 'USDTBRL', price: '5.43' } };
  expect(await binance.prices(['TON'])).toEqual({ outcome: 'done', value: new Map() });
  expect(await binance.prices(['TON', 'USDT'])).toEqual({
    outcome: 'done',
    value: new Map([['USDT', { source: 'binance', price: 543_000_000n, at: NOW }]]),
  });
});

test('of several pairs those that have a price are given; it is a failure only where none has', async () => {
  server.answer = (call) =>
    call.includes('BTCBRL') ? BUSY : { status: 200, body: { symbol: 'USDTBRL', price: '5.43' } };
  expect(await binance.prices(['BTC', 'USDT'])).toMatchObject({ outcome: 'done', value: { size: 1 } });
  server.answer = (call) => (call.includes('BTCBRL') ? BUSY : NO_SYMBOL);
  expect(await binance.prices(['USDT', 'BTC'])).toEqual({ outcome: 'unknown', reason: 'HTTP 503' });
});

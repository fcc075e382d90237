import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Market } from './market-http.ts';
import { MARKETS } from './testing/market-examples.ts';
import { type Answer, type ScriptedMarket, startScriptedMarket } from './testing/scripted-market.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

describe.each(MARKETS)('$name', ({ name, create, body }) => {
  let server: ScriptedMarket;
  let markets: Market[];
  const connect = (options: { timeoutMs?: number } = {}): Market => {
    const market = create({ baseUrl: server.baseUrl, clock: () => NOW, ...options });
    markets.push(market);
    return market;
  };

  beforeEach(async () => {
    server = await startScriptedMarket();
    markets = [];
  });
  afterEach(async () => {
    await server.close();
    await Promise.all(markets.map((market) => market.close()));
  });

  test.each([
    ['5.43', 543_000_000n],
    ['5.43000000', 543_000_000n],
    ['358504.69340001', 35_850_469_340_001n],
    ['0.00000001', 1n],
    ['5.169312345', 516_931_234n],
  ])('%s is read to the last digit', async (text, price) => {
    server.answer = () => ({ status: 200, body: body('USDT', text, NOW) });
    expect(await connect().prices(['USDT'])).toEqual({
      outcome: 'done',
      value: new Map([['USDT', { source: name, price, at: NOW }]]),
    });
  });

  test.each<[string, Answer, RegExp]>([
    [
      'a price as a number',
      { status: 200, body: body('USDT', 5.43, NOW) },
      /not the market's answer \(.*(price|last)\)/,
    ],
    ['a price of zero', { status: 200, body: body('USDT', '0.00000000', NOW) }, /(price|last)/],
    ['a negative price', { status: 200, body: body('USDT', '-5.43', NOW) }, /(price|last)/],
    ['a price with an exponent', { status: 200, body: body('USDT', '5e3', NOW) }, /(price|last)/],
    ['no price', { status: 200, body: body('USDT', null, NOW) }, /(price|last)/],
    ['another pair', { status: 200, body: body('BTC', '358504.69', NOW) }, /another pair/],
    ['HTML', { status: 200, body: '<html>Manutenção</html>', headers: { 'content-type': 'text/html' } }, /the body/],
    ['nothing', { status: 200 }, /the body/],
    ['half a body', { status: 200, body: '{"symbol":"USDT' }, /the body/],
    ['a server error', { status: 503, body: { error: 'busy' } }, /HTTP 503/],
    ['too many requests', { status: 429, body: { code: -1003 } }, /HTTP 429/],
    ['a ban', { status: 418, body: { code: -1003 } }, /HTTP 418/],
    ['4xx in HTML', { status: 403, body: '<html>Blocked</html>' }, /HTTP 403/],
    ['no route of this API', { status: 404, body: '<html>Not found</html>' }, /HTTP 404/],
    ['a broken connection', 'cut', /no usable answer/],
  ])('%s gives no price', async (_, answer, reason) => {
    server.answer = () => answer;
    expect(await connect().prices(['USDT'])).toEqual({ outcome: 'unknown', reason: expect.stringMatching(reason) });
  });

  test('4xx in JSON is rejected', async () => {
    server.answer = () => ({ status: 400, body: { code: -1100, msg: 'Illegal characters found in a parameter.' } });
    expect(await connect().prices(['USDT'])).toEqual({ outcome: 'rejected', reason: 'HTTP 400' });
  });

  test('an answer larger than 64 KiB gives no price, announced or not', async () => {
    const text = JSON.stringify(body('USDT', '5.43', NOW)) + ' '.repeat(64 * 1024);
    const tooLarge = { outcome: 'unknown', reason: expect.stringContaining('UND_ERR_RES_EXCEEDED_MAX_SIZE') };
    const market = connect();
    server.answer = () => ({ status: 200, body: text, headers: { 'content-length': String(Buffer.byteLength(text)) } });
    expect(await market.prices(['USDT'])).toEqual(tooLarge);
    server.answer = () => ({ status: 200, body: text, headers: { 'transfer-encoding': 'chunked' } });
    expect(await market.prices(['USDT'])).toEqual(tooLarge);
  });

  test('a redirect is not followed', async () => {
    server.answer = (call) =>
      call === '/elsewhere'
        ? { status: 200, body: body('USDT', '5.43', NOW) }
        : { status: 302, headers: { location: `${server.baseUrl}elsewhere` } };
    expect(await connect().prices(['USDT'])).toEqual({ outcome: 'unknown', reason: 'HTTP 302' });
    expect(server.calls).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['says nothing', 'silence'],
    ['never ends its answer', 'drip'],
  ])('a market that %s is given up', async (_, answer) => {
    server.answer = () => answer;
    expect(await connect({ timeoutMs: 50 }).prices(['USDT'])).toEqual({
      outcome: 'unknown',
      reason: 'no answer in time',
    });
  });

  test('a market that is not there gives no price', async () => {
    const market = connect();
    await server.close();
    expect(await market.prices(['USDT'])).toEqual({
      outcome: 'unknown',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('a call for no asset gives no price, without a request', async () => {
    expect(await connect().prices([])).toEqual({ outcome: 'done', value: new Map() });
    expect(server.calls).toEqual([]);
  });
});

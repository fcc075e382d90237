import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBinance } from '#rails/quotes/binance.ts';
import { createFoxbit } from '#rails/quotes/foxbit.ts';
import { createMercadoBitcoin } from '#rails/quotes/mercado-bitcoin.ts';
import { createPriceAggregator, type PriceAggregator } from '#rails/quotes/price-aggregator.ts';
import { createSandboxSetup, type RunningSandbox, type SandboxSetup } from '../testing/running-sandbox.ts';
import { PRICED_ASSETS, PRICES } from './prices.ts';

let setup: SandboxSetup;
let sandbox: RunningSandbox;
let aggregator: PriceAggregator;

beforeEach(async () => {
  setup = await createSandboxSetup();
  sandbox = await setup.startSandbox();
  aggregator = createPriceAggregator({ sources: markets(), clock: setup.now });
});
afterEach(async () => {
  await aggregator.close();
  await setup.close();
});

const markets = () => [
  createBinance({ baseUrl: `${sandbox.url}/binance`, clock: setup.now }),
  createMercadoBitcoin({ baseUrl: `${sandbox.url}/mercado-bitcoin`, clock: setup.now }),
  createFoxbit({ baseUrl: `${sandbox.url}/foxbit`, clock: setup.now }),
];
const set = (value: string) => sandbox.control('PUT', '/switches', { name: 'quotes', value });
async function get(path: string) {
  const response = await fetch(sandbox.url + path);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

describe('what the adapters of the real markets read from the sandbox', () => {
  test.each(PRICED_ASSETS)('%s costs the same everywhere', async (asset) => {
    const quote = await aggregator.quote(asset);
    if (quote.outcome !== 'done') throw new Error(quote.reason);
    expect(quote.value.price).toBe(PRICES[asset]);
    expect(quote.value.sources.map(({ source }) => source)).toEqual(['binance', 'foxbit', 'mercado-bitcoin']);
    expect(quote.value.at).toEqual(setup.now());
  });

  test('with the switch at down no market answers', async () => {
    await set('down');
    const answers = await Promise.all(markets().map((market) => market.prices(['USDT'])));
    expect(answers.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown']);
    expect((await aggregator.quote('USDT')).outcome).toBe('unknown');
  });

  test('with the switch at diverging the markets answer, and are too far apart for a quote', async () => {
    await set('diverging');
    const answers = await Promise.all(markets().map((market) => market.prices(['USDT'])));
    const prices = answers.map((answer) => answer.outcome === 'done' && answer.value.get('USDT')?.price);
    expect(prices).toEqual([540_000_000n, 567_000_000n, 594_000_000n]);
    expect(await aggregator.quote('USDT')).toMatchObject({ reason: expect.stringContaining('diverging') });
  });

  test('with the switch at stale the markets that say a time answer with one of an hour ago, the other not at all', async () => {
    await set('stale');
    const answers = await Promise.all(markets().map((market) => market.prices(['USDT'])));
    const times = answers.map((answer) => answer.outcome === 'done' && answer.value.get('USDT')?.at);
    const hourAgo = new Date(setup.now().getTime() - 3_600_000);
    expect(times).toEqual([false, hourAgo, hourAgo]);
    expect(await aggregator.quote('USDT')).toMatchObject({ reason: expect.stringContaining('too_few_fresh') });
    await set('ok');
    expect((await aggregator.quote('USDT')).outcome).toBe('done');
  });
});

describe('the markets at the wire', () => {
  test('Binance answers one symbol, a list, or all, and rejects a list with an unknown one', async () => {
    const path = '/binance/api/v3/ticker/price';
    const usdt = { symbol: 'USDTBRL', price: '5.40000000' };
    const btc = { symbol: 'BTCBRL', price: '540000.00000000' };
    expect(await get(`${path}?symbol=USDTBRL&symbolStatus=TRADING`)).toEqual({ status: 200, body: usdt });
    expect(await get(`${path}?symbols=${encodeURIComponent('["BTCBRL","USDTBRL"]')}`)).toEqual({
      status: 200,
      body: [btc, usdt],
    });
    expect((await get(path)).body).toHaveLength(PRICED_ASSETS.length);
    const invalid = { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } };
    expect(await get(`${path}?symbol=XMRBRL`)).toEqual(invalid);
    expect(await get(`${path}?symbols=["BTCBRL","XMRBRL"]`)).toEqual(invalid);
    for (const list of ['BTCBRL', '[1]', '{}']) expect((await get(`${path}?symbols=${list}`)).body.code).toBe(-1100);
  });

  test('Mercado Bitcoin answers the pairs it has, with the time in seconds', async () => {
    const path = '/mercado-bitcoin/api/v4/tickers';
    const { status, body } = await get(`${path}?symbols=ETH-BRL,XMR-BRL,DOGE-BRL`);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { pair: 'ETH-BRL', last: '18900.00000000', date: setup.now().getTime() / 1000 },
      { pair: 'DOGE-BRL', last: '1.08000000', buy: '1.08000000', sell: '1.08000000' },
    ]);
    expect((await get(path)).body).toHaveLength(PRICED_ASSETS.length);
    expect((await get(`${path}?symbols=XMR-BRL`)).body).toEqual([]);
  });

  test('Foxbit answers a market with its last trade, and 404 to others', async () => {
    const { status, body } = await get('/foxbit/rest/v3/markets/tonbrl/ticker/24hr');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [
        {
          market_symbol: 'tonbrl',
          last_trade: { price: '16.20000000', date: '2026-11-20T12:00:00.000Z' },
          best: { ask: { price: '16.20000000' }, bid: { price: '16.20000000' } },
        },
      ],
    });
    for (const symbol of ['xmrbrl', 'TONBRL', 'ton']) {
      const answer = await get(`/foxbit/rest/v3/markets/${symbol}/ticker/24hr`);
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 404 } } });
    }
  });

  test('a path beside their routes is not found', async () => {
    for (const path of [
      '/binance/api/v3/time',
      '/mercado-bitcoin/api/v4/symbols',
      '/foxbit/rest/v3/markets',
      '/kraken/0',
    ]) {
      expect((await get(path)).status).toBe(404);
    }
  });
});

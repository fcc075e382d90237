import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Asset } from '#domain/quotes/currencies.ts';
import type { MarketPrice, Outcome, PriceSource } from '../ports.ts';
import type { Market } from './market-http.ts';
import { createPriceAggregator, type PriceAggregator } from './price-aggregator.ts';
import { MARKETS } from './testing/market-examples.ts';
import { type Answer, type ScriptedMarket, startScriptedMarket } from './testing/scripted-market.ts';

const START_MS = Date.parse('2026-11-20T12:00:00Z');
let nowMs: number;
let rejections: string[];
const clock = () => new Date(nowMs);

beforeEach(() => {
  nowMs = START_MS;
  rejections = [];
});

describe('the quote with sources in memory', () => {
  test('all sources are asked at once, and the quote is their median', async () => {
    const [a, b, c] = [heldSource('a'), heldSource('b'), heldSource('c')];
    const quote = aggregatorOf(c, a, b).quote('USDT');
    await settled();
    expect([a.asked, b.asked, c.asked]).toEqual([1, 1, 1]);
    c.answer(545_000_000n);
    a.answer(543_000_000n);
    b.answer(541_000_000n);
    expect(await quote).toMatchObject({
      outcome: 'done',
      value: { price: 543_000_000n, at: clock(), sources: [{ source: 'a' }, { source: 'b' }, { source: 'c' }] },
    });
    expect(rejections).toEqual([]);
  });

  test('a caller that asks for an asset during its round shares the round; another asset has its own', async () => {
    const [a, b] = [heldSource('a'), heldSource('b')];
    const aggregator = aggregatorOf(a, b);
    const quotes = [aggregator.quote('USDT'), aggregator.quote('USDT'), aggregator.quote('BTC')];
    await settled();
    expect(a.asked).toBe(2);
    a.answer(543_000_000n);
    b.answer(543_000_000n);
    for (const quote of quotes) expect(await quote).toMatchObject({ outcome: 'done' });
    expect([a.asked, b.asked]).toEqual([2, 2]);
  });

  test('a quote serves for 5 s', async () => {
    const [a, b] = [source('a'), source('b')];
    const aggregator = aggregatorOf(a, b);
    const first = await aggregator.quote('USDT');
    nowMs += 4_999;
    expect(await aggregator.quote('USDT')).toEqual(first);
    expect(a.asked).toBe(1);
    nowMs += 1;
    await aggregator.quote('USDT');
    expect(a.asked).toBe(2);
  });

  test('a quote never serves longer than it is fresh', async () => {
    const [a, b] = [source('a', { ageMs: 57_000 }), source('b')];
    const aggregator = aggregatorOf(a, b);
    await aggregator.quote('USDT');
    nowMs += 3_000;
    await aggregator.quote('USDT');
    expect(a.asked).toBe(1);
    nowMs += 1;
    await aggregator.quote('USDT');
    expect(a.asked).toBe(2);
  });

  test('a quote does not serve after the clock was set back', async () => {
    const [a, b] = [source('a'), source('b')];
    const aggregator = aggregatorOf(a, b);
    await aggregator.quote('USDT');
    nowMs -= 1;
    await aggregator.quote('USDT');
    expect(a.asked).toBe(2);
  });

  test('a rejection is reported once a round, with what each source said, and is not cached', async () => {
    const [a, b] = [source('a'), source('b', { has: [] })];
    const broken: PriceSource = { name: 'c', prices: () => Promise.reject(new TypeError('a secret')) };
    const aggregator = aggregatorOf(a, b, broken);
    const reason =
      'no quote of USDT: too_few_fresh (a: 5.43 of 2026-11-20T12:00:00.000Z; b: has no such pair; c: TypeError)';
    const both = await Promise.all([aggregator.quote('USDT'), aggregator.quote('USDT')]);
    expect(both).toEqual([
      { outcome: 'unknown', reason },
      { outcome: 'unknown', reason },
    ]);
    expect(rejections).toEqual([reason]);
    b.has = ['USDT'];
    expect(await aggregator.quote('USDT')).toMatchObject({ outcome: 'done', value: { price: 543_000_000n } });
  });

  test('the rules of a quote can be set', async () => {
    const aggregator = createPriceAggregator({
      sources: [source('a', { ageMs: 1_001 }), source('b')],
      clock,
      rules: { freshForMs: 1_000, divergenceBpsMax: 300 },
    });
    expect(await aggregator.quote('USDT')).toMatchObject({ outcome: 'unknown' });
  });

  test('closing waits for the round under way, closes the sources, and ends the service', async () => {
    const [a, b] = [heldSource('a'), heldSource('b')];
    const aggregator = aggregatorOf(a, b);
    const quote = aggregator.quote('USDT');
    await settled();
    const closing = aggregator.close();
    await settled();
    expect(a.closed).toBe(false);
    a.answer(543_000_000n);
    b.answer(543_000_000n);
    expect(await quote).toMatchObject({ outcome: 'done' });
    await closing;
    expect([a.closed, b.closed]).toEqual([true, true]);
    expect(await aggregator.quote('USDT')).toEqual({ outcome: 'unknown', reason: 'the price aggregator is closed' });
    expect(a.asked).toBe(1);
  });
});

describe('the quote with three markets over HTTP', () => {
  let servers: ScriptedMarket[];
  let aggregator: PriceAggregator;
  const down: Answer = { status: 503, body: {} };

  beforeEach(async () => {
    servers = await Promise.all(MARKETS.map(() => startScriptedMarket()));
    const sources = MARKETS.map(
      ({ create }, index): Market =>
        create({ baseUrl: (servers[index] as ScriptedMarket).baseUrl, clock, timeoutMs: 1_000 }),
    );
    aggregator = createPriceAggregator({ sources, clock, onRejection: (reason) => rejections.push(reason) });
  });
  afterEach(async () => {
    await aggregator.close();
    await Promise.all(servers.map((server) => server.close()));
  });

  /**
   * Scripts Binance, Mercado Bitcoin and Foxbit, in this order: a price made now, or another
   * answer.
   */
  function script(...answers: (string | { price: string; ageMs: number } | Answer)[]): void {
    for (const [index, answer] of answers.entries()) {
      const { body } = MARKETS[index] as (typeof MARKETS)[number];
      const price = typeof answer === 'string' && /\d/.test(answer) ? { price: answer, ageMs: 0 } : answer;
      (servers[index] as ScriptedMarket).answer = () =>
        typeof price === 'object' && 'price' in price
          ? { status: 200, body: body('USDT', price.price, new Date(nowMs - price.ageMs)) }
          : (price as Answer);
    }
  }

  test('the quote is the one in the middle, to the last digit', async () => {
    script('5.43', '5.44000001', '5.45');
    expect(await aggregator.quote('USDT')).toEqual({
      outcome: 'done',
      value: {
        price: 544_000_001n,
        at: clock(),
        sources: [
          { source: 'binance', price: 543_000_000n, at: clock() },
          { source: 'foxbit', price: 545_000_000n, at: clock() },
          { source: 'mercado-bitcoin', price: 544_000_001n, at: clock() },
        ],
      },
    });
  });

  test.each<[string, Answer]>([
    ['down', down],
    ['silent', 'silence'],
    ['sending HTML', { status: 200, body: '<html></html>' }],
  ])('with one market %s, the quote is the mean of the other two', async (_, failure) => {
    script(failure, '5.43', '5.45');
    expect(await aggregator.quote('USDT')).toMatchObject({ outcome: 'done', value: { price: 544_000_000n } });
  });

  test('with one market stale, the quote is the mean of the other two', async () => {
    script('5.43', '5.45', { price: '9.99', ageMs: 61_000 });
    expect(await aggregator.quote('USDT')).toMatchObject({ outcome: 'done', value: { price: 544_000_000n } });
  });

  test('with two markets down there is no quote', async () => {
    script(down, 'cut', '5.45');
    const reason = expect.stringMatching(
      /^no quote of USDT: too_few_fresh \(binance: HTTP 503; mercado-bitcoin: no usable answer .*; foxbit: 5\.45 of /,
    );
    expect(await aggregator.quote('USDT')).toEqual({ outcome: 'unknown', reason });
  });

  test('with one market down and one stale there is no quote', async () => {
    script('5.43', { price: '5.43', ageMs: 61_000 }, down);
    expect(await aggregator.quote('USDT')).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringContaining('too_few_fresh'),
    });
  });

  test('with markets that contradict each other there is no quote', async () => {
    script('5.43', '5.44', '5.60');
    expect(await aggregator.quote('USDT')).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringContaining('diverging'),
    });
    expect(rejections).toHaveLength(1);
  });
});

type TestSource = PriceSource & { asked: number; has: Asset[]; closed: boolean; close(): Promise<void> };

/** A source with a price of 5.43, made `ageMs` before it is asked for. */
function source(name: string, { ageMs = 0, has = ['USDT', 'BTC'] as Asset[] } = {}): TestSource {
  const self: TestSource = {
    name,
    asked: 0,
    has,
    closed: false,
    async prices(assets) {
      self.asked += 1;
      const at = new Date(nowMs - ageMs);
      const listed = assets.filter((asset) => self.has.includes(asset));
      return {
        outcome: 'done',
        value: new Map(listed.map((asset) => [asset, { source: name, price: 543_000_000n, at }])),
      };
    },
    async close() {
      self.closed = true;
    },
  };
  return self;
}

/** A source that responds to all waiting calls when the test calls `answer`. */
function heldSource(name: string): TestSource & { answer(price: bigint): void } {
  const waiting: ((price: bigint) => void)[] = [];
  const self = source(name);
  return Object.assign(self, {
    prices(assets: readonly Asset[]) {
      self.asked += 1;
      return new Promise<Outcome<Map<Asset, MarketPrice>>>((resolve) => {
        waiting.push((price) => {
          const prices = assets.map((asset) => [asset, { source: name, price, at: clock() }] as const);
          resolve({ outcome: 'done', value: new Map(prices) });
        });
      });
    },
    answer(price: bigint) {
      for (const resolve of waiting.splice(0)) resolve(price);
    },
  });
}

function aggregatorOf(...sources: PriceSource[]): PriceAggregator {
  return createPriceAggregator({ sources, clock, onRejection: (reason) => rejections.push(reason) });
}

/** Lets all pending promises run that wait for no I/O. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rateLimitHeaders } from '#server/http/rate-limit-headers.ts';
import { createRateLimits, type RateLimitResult, type RateLimitSettings } from './rate-limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const create = (settings: Partial<RateLimitSettings> = {}) =>
  createRateLimits({ store: { kind: 'memory' }, perKeyAMinute: 3, failedPerAddressAMinute: 2, ...settings });

const times = async (n: number, call: () => Promise<RateLimitResult>) => {
  const results: RateLimitResult[] = [];
  for (let i = 0; i < n; i++) results.push(await call());
  return results;
};
const allowedOf = (results: RateLimitResult[]) => results.map(({ allowed }) => allowed);

describe('a key', () => {
  test('is allowed as often as its limit says, counting down, and rejected from then on', async () => {
    const limits = create();
    expect(await times(5, () => limits.countCall('key'))).toEqual([
      { allowed: true, limit: 3, remaining: 2, resetSeconds: 60 },
      { allowed: true, limit: 3, remaining: 1, resetSeconds: 60 },
      { allowed: true, limit: 3, remaining: 0, resetSeconds: 60 },
      { allowed: false, limit: 3, remaining: 0, resetSeconds: 60 },
      { allowed: false, limit: 3, remaining: 0, resetSeconds: 60 },
    ]);
  });

  test('restarts a minute after its first request, not earlier, and not later for having been rejected', async () => {
    const limits = create();
    await times(3, () => limits.countCall('key'));
    await vi.advanceTimersByTimeAsync(59_001);
    expect(await limits.countCall('key')).toEqual({ allowed: false, limit: 3, remaining: 0, resetSeconds: 1 });
    await vi.advanceTimersByTimeAsync(998);
    expect(await limits.countCall('key')).toMatchObject({ allowed: false, resetSeconds: 1 });
    await vi.advanceTimersByTimeAsync(1);
    expect(await limits.countCall('key')).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 60 });
  });

  test('never exceeds its limit, however many requests come at once', async () => {
    const limits = create({ perKeyAMinute: 100 });
    const results = await Promise.all(Array.from({ length: 1_000 }, () => limits.countCall('key')));
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(100);
  });

  test('has a count of its own: neither other keys nor an address of the same name touch it', async () => {
    const limits = create();
    await times(9, () => limits.countCall('other'));
    await times(9, () => limits.countFailedKey('key'));
    expect(allowedOf(await times(4, () => limits.countCall('key')))).toEqual([true, true, true, false]);
  });
});

describe('an address', () => {
  test('is rejected from the failed key after its limit on, and no other address with it', async () => {
    const limits = create();
    expect(allowedOf(await times(4, () => limits.countFailedKey('192.0.2.1')))).toEqual([true, true, false, false]);
    expect(await limits.countFailedKey('192.0.2.2')).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
  });

  test('has its keys looked up until it is rejected, and again when the rejection ends', async () => {
    const limits = create();
    await times(2, () => limits.countFailedKey('192.0.2.1'));
    expect(await limits.currentBlock('192.0.2.1')).toBeNull();
    await vi.advanceTimersByTimeAsync(10_000);
    const rejection = await limits.countFailedKey('192.0.2.1');
    expect(rejection).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 50 });
    expect(await limits.currentBlock('192.0.2.1')).toEqual(rejection);
    expect(await limits.currentBlock('192.0.2.2')).toBeNull();
    await vi.advanceTimersByTimeAsync(49_999);
    await limits.countFailedKey('192.0.2.1');
    expect(await limits.currentBlock('192.0.2.1')).toMatchObject({ allowed: false, resetSeconds: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await limits.currentBlock('192.0.2.1')).toBeNull();
    expect(await limits.countFailedKey('192.0.2.1')).toMatchObject({ allowed: true, remaining: 1 });
  });

  test('that is rejected leaves the valid keys behind it alone', async () => {
    const limits = create();
    await times(50, () => limits.countFailedKey('192.0.2.1'));
    expect(await limits.countCall('key')).toMatchObject({ allowed: true, remaining: 2 });
  });
});

describe('the headers', () => {
  test('give limit, remaining, reset and policy, and no Retry-After with an allowed request', () => {
    expect(rateLimitHeaders({ allowed: true, limit: 6_000, remaining: 5_999, resetSeconds: 60 })).toEqual([
      ['RateLimit-Limit', '6000'],
      ['RateLimit-Remaining', '5999'],
      ['RateLimit-Reset', '60'],
      ['RateLimit-Policy', '6000;w=60'],
    ]);
  });

  test('of a rejection name a time to retry that is never 0 and never before the window’s end', async () => {
    for (const passedMs of [0, 1, 500, 30_000, 59_000, 59_001, 59_999]) {
      const limits = create({ perKeyAMinute: 1 });
      await limits.countCall('key');
      await vi.advanceTimersByTimeAsync(passedMs);
      const headers = new Map(rateLimitHeaders(await limits.countCall('key')));
      const retryAfter = Number(headers.get('Retry-After'));
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter * 1000).toBeGreaterThanOrEqual(60_000 - passedMs);
      expect(headers.get('Retry-After')).toBe(headers.get('RateLimit-Reset'));
    }
  });
});

describe('a store that fails', () => {
  /**
   * A pool that answers as the test says; what PostgreSQL really answers is for
   * rate-limits.db.test.ts.
   */
  const createStore = (answer: () => Promise<unknown>) => {
    const query = vi.fn(answer);
    const store = { kind: 'postgres', pool: { query }, aheadMs: () => 0 };
    return { query, store: store as unknown as RateLimitSettings['store'] };
  };
  const gone = new Error('connect ECONNREFUSED');
  const fails = () => Promise.reject(gone);
  const row = (points: number) => async () => ({ rows: [{ points, expire: Date.now() + 60_000 }] });

  test('fails no request: the limits hold in memory', async () => {
    const limits = create(createStore(fails));
    expect(allowedOf(await times(4, () => limits.countCall('key')))).toEqual([true, true, true, false]);
    expect(allowedOf(await times(3, () => limits.countFailedKey('192.0.2.1')))).toEqual([true, true, false]);
    expect(await limits.currentBlock('192.0.2.1')).toMatchObject({ allowed: false });
  });

  test('is reported with its cause, once a minute', async () => {
    const onStoreFailure = vi.fn();
    const limits = create({ ...createStore(fails), onStoreFailure });
    for (let second = 0; second < 180; second++) {
      await limits.countCall('key');
      await limits.countFailedKey('192.0.2.1');
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(onStoreFailure.mock.calls).toEqual([[gone], [gone], [gone]]);
  });

  test('is not asked for five seconds, and then by one request, not by all', async () => {
    const { query, store } = createStore(fails);
    const limits = create({ store });
    await times(10, () => limits.countCall('key'));
    expect(query).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(4_999);
    await limits.countCall('key');
    expect(query).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(Array.from({ length: 10 }, () => limits.countCall('key')));
    expect(query).toHaveBeenCalledTimes(2);
  });

  test('counts again as soon as it is back', async () => {
    const { query, store } = createStore(fails);
    const limits = create({ store });
    await limits.countCall('key');
    query.mockImplementation(row(2));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await times(2, () => limits.countCall('key'))).toMatchObject([{ remaining: 1 }, { remaining: 1 }]);
    expect(query).toHaveBeenCalledTimes(3);
  });

  test('holds a request for a second when it does not answer, and the next ones not at all', async () => {
    const onStoreFailure = vi.fn();
    const { query, store } = createStore(() => new Promise(() => {}));
    const limits = create({ store, onStoreFailure });
    const result = limits.countCall('key');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toMatchObject({ allowed: true, remaining: 2 });
    expect(await limits.countCall('key')).toMatchObject({ allowed: true, remaining: 1 });
    expect(query).toHaveBeenCalledTimes(1);
    expect(onStoreFailure).toHaveBeenCalledTimes(1);
  });

  test('with a row by another process’s wrong clock rejects nobody for longer than a minute', async () => {
    const { store } = createStore(async () => ({ rows: [{ points: 4, expire: Date.now() + 600_000 }] }));
    expect(await create({ store }).countCall('key')).toMatchObject({ allowed: false, resetSeconds: 60 });
  });
});

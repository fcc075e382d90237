import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { type CounterStore, limiterQuery, type SharedStore } from './limiter-query.ts';

/** The limits are per minute; a window begins with the first request that it counts. */
export const WINDOW_SECONDS = 60;
/**
 * A healthy database counts in about a millisecond; one that needs longer must not hold up
 * payments.
 */
const STORE_WAIT_MS = 1_000;
/**
 * After a failure the store is not asked for this long; then one request finds out whether it is
 * back.
 */
const STORE_REST_MS = 5_000;
/** A store that stays away is logged once a minute, not with every request. */
const REPORT_EVERY_MS = 60_000;

/**
 * The outcome of one request; `limit` and `remaining` are requests a minute, `resetSeconds` (1 to
 * 60) is when they restart.
 */
export type RateLimitResult = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

/**
 * The checks in this order, so that a client can't lock out others behind the same address, and a
 * flood of made-up keys does not reach the database:
 *
 * 1. a key in the cache of the process is valid, whatever others do at its address: `countCall`;
 * 2. a key of the wrong form fails without a look-up: `countFailedKey`;
 * 3. a well-formed key that is not cached: under a `currentBlock` it is rejected without a look-up,
 *    otherwise looked up, and then `countCall` or `countFailedKey`.
 *
 * A failed key is 401 while `countFailedKey` allows it and 429 from then on.
 */
export type RateLimits = {
  /** Counts a request that came with the valid key `keyId`. */
  countCall(keyId: string): Promise<RateLimitResult>;
  /** Counts a key that failed, at the client's address. */
  countFailedKey(address: string): Promise<RateLimitResult>;
  /**
   * The rejection in force against an address that had too many failed keys, as far as this process
   * saw it; null: none.
   */
  currentBlock(address: string): Promise<RateLimitResult | null>;
};

export type RateLimitSettings = {
  store: CounterStore;
  perKeyAMinute: number;
  failedPerAddressAMinute: number;
  onStoreFailure?: (error: unknown) => void;
};

/** A store that fails never fails a request: each process counts for itself meanwhile. */
export function createRateLimits(settings: RateLimitSettings): RateLimits {
  const createLimiter = limiterFactory(settings);
  const calls = createLimiter('key', settings.perKeyAMinute);
  const countCall = settings.store.kind === 'memory' ? (keyId: string) => count(calls, keyId) : inAdvance(calls);
  const failedKeys = createLimiter('address', settings.failedPerAddressAMinute);
  // In memory with PostgreSQL too: a query that decides whether the database may be queried would
  // protect nothing.
  const rejections = new RateLimiterMemory({ points: settings.failedPerAddressAMinute, duration: WINDOW_SECONDS });

  return {
    countCall,
    async countFailedKey(address) {
      const result = await count(failedKeys, address);
      if (!result.allowed) await rejections.block(address, result.resetSeconds);
      return result;
    },
    async currentBlock(address) {
      const rejection = await rejections.get(address);
      return rejection && rejection.msBeforeNext > 0 ? toResult(rejections, rejection, false) : null;
    },
  };
}

type Limiter = RateLimiterMemory | RateLimiterPostgres;

/**
 * How many requests a process takes in advance: a hundredth of the limit, or a tenth of what is
 * left where that is less.
 */
const SHARE_OF_LIMIT = 100;
const SHARE_OF_REST = 10;
/** Keys for which a process has taken some in advance; far more than are active in one minute. */
const ADVANCES_MAX = 10_000;

/**
 * Counts in a shared store without asking it for every request, which costs as much as the request
 * itself: a process takes some of a key's requests in advance and gives them out of its memory.
 * Together the processes never allow more than the limit; what one has taken and not given out by
 * the end of the window is lost, which is at most a hundredth of the limit a process.
 */
function inAdvance(limiter: Limiter): (key: string) => Promise<RateLimitResult> {
  const advances = new Map<string, { left: number; result: RateLimitResult; endsAt: number }>();
  const underway = new Map<string, Promise<RateLimitResult>>();

  const take = async (key: string, taken: number): Promise<RateLimitResult> => {
    const result = await count(limiter, key, taken);
    if (advances.size >= ADVANCES_MAX) advances.clear();
    if (result.allowed) {
      advances.set(key, { left: taken, result, endsAt: performance.now() + result.resetSeconds * 1000 });
    }
    return result;
  };

  return async (key) => {
    for (;;) {
      const now = performance.now();
      const advance = advances.get(key);
      const current = advance && now < advance.endsAt ? advance : undefined;
      if (current && current.left > 0) {
        current.left -= 1;
        const resetSeconds = Math.max(Math.ceil((current.endsAt - now) / 1000), 1);
        return { ...current.result, remaining: current.result.remaining + current.left, resetSeconds };
      }
      const others = underway.get(key);
      const most = Math.max(1, Math.floor(limiter.points / SHARE_OF_LIMIT));
      const rest = Math.max(1, Math.floor((current?.result.remaining ?? limiter.points) / SHARE_OF_REST));
      const taking = others ?? take(key, Math.min(most, rest));
      if (!others) underway.set(key, taking);
      const result = await taking.finally(() => underway.delete(key));
      if (!result.allowed) return result;
    }
  };
}

function limiterFactory({ store, onStoreFailure }: RateLimitSettings): (keyPrefix: string, points: number) => Limiter {
  const inMemory = (keyPrefix: string, points: number) =>
    new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS });
  if (store.kind === 'memory') return inMemory;

  const storeClient = observedStore(store, onStoreFailure);
  return (keyPrefix, points) =>
    new RateLimiterPostgres({
      storeClient,
      storeType: 'pool',
      tableName: 'rate_limits',
      // The table comes with the migrations: a process that serves may have no right to create one.
      tableCreated: true,
      keyPrefix,
      points,
      duration: WINDOW_SECONDS,
      // A client over the limit is rejected without a query until the window ends.
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: inMemory(keyPrefix, points),
    });
}

/**
 * The store as the limiters query it: with a time limit, a pause after a failure, and a report,
 * which the library does not make.
 */
function observedStore(store: SharedStore, onFailure: (error: unknown) => void = () => {}) {
  const ask = limiterQuery(store);
  const resting = new Error('The store of the rate limits is left alone for a moment.');
  let restsUntil = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    async query(query: { text: string; values: unknown[] }) {
      const now = performance.now();
      if (now < restsUntil) throw resting;
      if (restsUntil > 0) restsUntil = now + STORE_REST_MS;
      try {
        const result = await within(STORE_WAIT_MS, ask(query));
        restsUntil = 0;
        return result;
      } catch (error) {
        const failedAt = performance.now();
        restsUntil = failedAt + STORE_REST_MS;
        if (failedAt - reportedAt >= REPORT_EVERY_MS) {
          reportedAt = failedAt;
          onFailure(error);
        }
        throw error;
      }
    },
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The store of the rate limits did not answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Counts one request. The library rejects its promise for one above the limit. Half a microsecond a
 * call in memory.
 */
const count = (limiter: Limiter, key: string, points = 1): Promise<RateLimitResult> =>
  limiter.consume(key, points).then(
    (result) => toResult(limiter, result, true),
    (rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return toResult(limiter, rejection, false);
      throw rejection;
    },
  );

const toResult = (
  { points }: Limiter,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
  allowed: boolean,
): RateLimitResult => ({
  allowed,
  limit: points,
  remaining: allowed ? remainingPoints : 0,
  // Never 0, and never beyond the window, whatever the clock of another process wrote.
  resetSeconds: Math.min(Math.max(Math.ceil(msBeforeNext / 1000), 1), WINDOW_SECONDS),
});

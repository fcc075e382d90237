/** One market's price of one coin: 10^-8 BRL for one coin, and when the market quoted it. */
export type MarketPriceLike = { source: string; price: bigint; at: Date };

/** What we consider a coin to be worth. */
export type Quote = {
  /** 10^-8 BRL for one coin: the median of the sources, without any account's spread. */
  price: bigint;
  /** When the oldest of the prices was quoted. */
  at: Date;
  /** The prices that it was made of, sorted by their sources' names. */
  sources: MarketPriceLike[];
};

export type QuoteRules = { freshForMs: number; divergenceBpsMax: number };

/**
 * A minute: a market without a price for longer is stuck or idle, and an account's spread covers no
 * longer move.
 */
export const QUOTE_FRESH_MS = 60_000;

/**
 * 3 %: arbitrage leaves less between open markets, so beyond it one of them is stuck, broken or
 * falsified.
 */
export const QUOTE_DIVERGENCE_BPS = 300;

/**
 * Clocks that are set over the network differ by less; a price further ahead has no reliable time.
 */
const CLOCK_TOLERANCE_MS = 5_000;

/** With one price alone, nothing would show that it is wrong. */
const SOURCES_MIN = 2;

/** 100 %. */
const WHOLE_BPS = 10_000n;

/**
 * Decides a quote: the median of the fresh prices, of each source the newest. For an even count it
 * is the mean of the middle two, rounded down. Rejected when fewer than two are fresh, and when the
 * highest exceeds the lowest by more than `divergenceBpsMax` of it: then it is unknown which of
 * them is right.
 */
export function decideQuote(
  prices: readonly MarketPriceLike[],
  now: Date,
  rules: QuoteRules,
): { quote: Quote } | { error: 'too_few_fresh' | 'diverging' } {
  const sources = newestOfEach(prices.filter((price) => price.price > 0n && isFresh(price.at, now, rules.freshForMs)));
  if (sources.length < SOURCES_MIN) return { error: 'too_few_fresh' };

  const sorted = sources.map(({ price }) => price).sort(ascending);
  const lowest = sorted[0] as bigint;
  const highest = sorted[sorted.length - 1] as bigint;
  if ((highest - lowest) * WHOLE_BPS > lowest * BigInt(rules.divergenceBpsMax)) return { error: 'diverging' };

  const at = new Date(Math.min(...sources.map((source) => source.at.getTime())));
  return { quote: { price: median(sorted), at, sources } };
}

/**
 * Returns the price at which an account's transaction is made, in 10^-8 BRL for one coin. Money in:
 * lowered, so that the payer pays more crypto for the same reais. Money out: raised, so that the
 * same reais buy less. Rounded in the same direction, and never zero.
 * @throws RangeError for a spread that is not a whole number of basis points from 0 to below 100 %.
 */
export function withSpread(price: bigint, spreadBps: number, side: 'in' | 'out'): bigint {
  const bps = BigInt(spreadBps);
  if (bps < 0n || bps >= WHOLE_BPS) throw new RangeError('A spread is from 0 to below 10,000 basis points.');
  if (side === 'out') return (price * (WHOLE_BPS + bps) + WHOLE_BPS - 1n) / WHOLE_BPS;
  const lowered = (price * (WHOLE_BPS - bps)) / WHOLE_BPS;
  return lowered > 0n ? lowered : 1n;
}

/** False for an invalid date too. */
function isFresh(at: Date, now: Date, freshForMs: number): boolean {
  const ageMs = now.getTime() - at.getTime();
  return ageMs <= freshForMs && ageMs >= -CLOCK_TOLERANCE_MS;
}

/** One price a source, sorted by name. */
function newestOfEach(prices: readonly MarketPriceLike[]): MarketPriceLike[] {
  const newest = new Map<string, MarketPriceLike>();
  for (const { source, price, at } of prices) {
    const known = newest.get(source);
    if (known === undefined || at > known.at) newest.set(source, { source, price, at });
  }
  return [...newest.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
}

function median(sorted: readonly bigint[]): bigint {
  const upper = sorted[Math.floor(sorted.length / 2)] as bigint;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] as bigint;
  return (lower + upper) / 2n;
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

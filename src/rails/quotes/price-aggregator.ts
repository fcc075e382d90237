import { unitsToDecimal } from '#domain/quotes/crypto-units.ts';
import type { Asset } from '#domain/quotes/currencies.ts';
import {
  decideQuote,
  QUOTE_DIVERGENCE_BPS,
  QUOTE_FRESH_MS,
  type Quote,
  type QuoteRules,
} from '#domain/quotes/quote.ts';
import { isYounger } from '../is-younger.ts';
import type { MarketPrice, Outcome, PriceSource } from '../ports.ts';

/** A burst of requests makes one request to each market; Mercado Bitcoin allows one a second. */
const REUSE_MS = 5_000;

type PriceAggregatorOptions = {
  /** Each has a time-out of its own; `close` is called when the aggregator closes. */
  sources: readonly (PriceSource & { close?(): Promise<void> })[];
  clock: () => Date;
  rules?: QuoteRules;
  /**
   * Called once for each round of queries that ended without a quote, with each source's result;
   * for the log.
   */
  onRejection?: (reason: string) => void;
};

export type PriceAggregator = {
  /**
   * Returns a quote; `unknown` where there is none. Asking again may succeed at once, because
   * failures are not cached. Never rejects.
   */
  quote(asset: Asset): Promise<Outcome<Quote>>;
  /** Waits for the requests in progress, then closes the sources. */
  close(): Promise<void>;
};

/**
 * Asks all sources at once and decides as soon as all have answered. Callers that ask for an asset
 * during its round share that round. A quote is used for 5 s, unless it gets stale before.
 */
export function createPriceAggregator(options: PriceAggregatorOptions): PriceAggregator {
  const { sources, clock, rules = { freshForMs: QUOTE_FRESH_MS, divergenceBpsMax: QUOTE_DIVERGENCE_BPS } } = options;
  const rounds = new Map<Asset, Promise<Outcome<Quote>>>();
  const decided = new Map<Asset, { quote: Quote; decidedAt: Date }>();
  let isClosed = false;

  async function ask(asset: Asset): Promise<Outcome<Quote>> {
    const answers = await Promise.all(sources.map(async (source) => ({ source, answer: await askOne(source, asset) })));
    const prices = answers.flatMap(({ answer }) => (answer.outcome === 'done' ? (answer.value ?? []) : []));
    const now = clock();
    const decision = decideQuote(prices, now, rules);
    if ('quote' in decision) {
      decided.set(asset, { quote: decision.quote, decidedAt: now });
      return { outcome: 'done', value: decision.quote };
    }
    const said = answers.map(({ source, answer }) => `${source.name}: ${inWords(answer)}`).join('; ');
    const reason = `no quote of ${asset}: ${decision.error} (${said})`;
    options.onRejection?.(reason);
    return { outcome: 'unknown', reason };
  }

  function reusable(asset: Asset): Quote | null {
    const last = decided.get(asset);
    if (last === undefined) return null;
    const now = clock().getTime();
    const isRecent = isYounger(last.decidedAt.getTime(), REUSE_MS, now);
    return isRecent && now - last.quote.at.getTime() <= rules.freshForMs ? last.quote : null;
  }

  return {
    async quote(asset) {
      if (isClosed) return { outcome: 'unknown', reason: 'the price aggregator is closed' };
      const quote = reusable(asset);
      if (quote !== null) return { outcome: 'done', value: quote };
      const running = rounds.get(asset);
      if (running !== undefined) return running;
      const round = ask(asset).finally(() => rounds.delete(asset));
      rounds.set(asset, round);
      return round;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(rounds.values());
      await Promise.all(sources.map((source) => source.close?.()));
    },
  };
}

/**
 * Returns one source's price; `done` with `null` where it has none. A source that rejects, though
 * it must not, does not affect the others.
 */
async function askOne(source: PriceSource, asset: Asset): Promise<Outcome<MarketPrice | null>> {
  try {
    const answer = await source.prices([asset]);
    return answer.outcome === 'done' ? { outcome: 'done', value: answer.value.get(asset) ?? null } : answer;
  } catch (error) {
    return { outcome: 'unknown', reason: error instanceof Error ? error.name : 'error' };
  }
}

function inWords(answer: Outcome<MarketPrice | null>): string {
  if (answer.outcome !== 'done') return answer.reason;
  if (answer.value === null) return 'has no such pair';
  return `${unitsToDecimal(answer.value.price)} of ${answer.value.at.toISOString()}`;
}

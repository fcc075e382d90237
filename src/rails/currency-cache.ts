import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import type { CryptoCurrencyFacts, CryptoRail, Outcome } from './ports.ts';

/** A processor's minimums move with its network fees: by the minute, not by the second. */
const FRESH_MS = 60_000;
/** While the processor is silent what it said before is better than nothing, for a while. */
const USABLE_MS = 60 * 60_000;

export type CurrencyCache = {
  /** What the processor says of every currency that it and we have. */
  all(): Promise<Outcome<CryptoCurrencyFacts[]>>;
  /** `done` with null: the processor does not have it. */
  find(code: CurrencyCode): Promise<Outcome<CryptoCurrencyFacts | null>>;
};

/** Remembers what a processor says of its currencies; askers at one time share one question. */
export function createCurrencyCache(rail: CryptoRail, clock: () => Date): CurrencyCache {
  let known: { facts: CryptoCurrencyFacts[]; at: number } | undefined;
  let asking: Promise<Outcome<CryptoCurrencyFacts[]>> | undefined;

  const ask = async (): Promise<Outcome<CryptoCurrencyFacts[]>> => {
    const answer = await rail.currencies();
    const now = clock().getTime();
    if (answer.outcome === 'done') known = { facts: answer.value, at: now };
    else if (known && now - known.at < USABLE_MS) return { outcome: 'done', value: known.facts };
    return answer;
  };
  const all = async (): Promise<Outcome<CryptoCurrencyFacts[]>> => {
    if (known && clock().getTime() - known.at < FRESH_MS) return { outcome: 'done', value: known.facts };
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    all,
    async find(code) {
      const answer = await all();
      if (answer.outcome !== 'done') return answer;
      return { outcome: 'done', value: answer.value.find((facts) => facts.code === code) ?? null };
    },
  };
}

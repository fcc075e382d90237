import type { CurrencyCode } from '#domain/quotes/currencies.ts';
import { isYounger } from './is-younger.ts';
import type { CryptoCurrencyInfo, CryptoRail, Outcome } from './ports.ts';

/** A processor's minimums change with its network fees: by the minute, not by the second. */
const FRESH_MS = 60_000;
/** While the processor does not answer, its last answer is used for this long. */
const USABLE_MS = 60 * 60_000;

export type CurrencyCache = {
  /** Returns what the processor says of every currency that both it and we have. */
  all(): Promise<Outcome<CryptoCurrencyInfo[]>>;
  /** Finds one currency; `done` with `null`: the processor does not have it. */
  find(code: CurrencyCode): Promise<Outcome<CryptoCurrencyInfo | null>>;
};

/** Caches what a processor says of its currencies; concurrent callers share one request. */
export function createCurrencyCache(rail: CryptoRail, clock: () => Date): CurrencyCache {
  let known: { info: CryptoCurrencyInfo[]; at: number } | undefined;
  let asking: Promise<Outcome<CryptoCurrencyInfo[]>> | undefined;

  const ask = async (): Promise<Outcome<CryptoCurrencyInfo[]>> => {
    const answer = await rail.currencies();
    const now = clock().getTime();
    if (answer.outcome === 'done') known = { info: answer.value, at: now };
    else if (known && isYounger(known.at, USABLE_MS, now)) return { outcome: 'done', value: known.info };
    return answer;
  };
  const all = async (): Promise<Outcome<CryptoCurrencyInfo[]>> => {
    if (known && isYounger(known.at, FRESH_MS, clock().getTime())) return { outcome: 'done', value: known.info };
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
      return { outcome: 'done', value: answer.value.find((info) => info.code === code) ?? null };
    },
  };
}

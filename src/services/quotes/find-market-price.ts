import type { Asset } from '#domain/quotes/currencies.ts';
import type { Quote } from '#domain/quotes/quote.ts';
import type { Deps } from '../deps.ts';

/**
 * The market price of a coin now, in 10^-8 BRL, without any account's spread. `mode`: whether it is
 * that of live accounts or, where only the sandbox's is configured, of test accounts. `quote` null:
 * there is no price; `reason` says why, by source.
 */
export async function findMarketPrice(
  { rails }: Pick<Deps, 'rails'>,
  asset: Asset,
): Promise<{ mode: 'live' | 'test'; quote: Quote | null; reason: string | null }> {
  const live = rails.quotesFor('live');
  const mode = live ? 'live' : 'test';
  const answer = await (live ?? rails.quotesFor('test'))?.quote(asset);
  if (answer?.outcome === 'done') return { mode, quote: answer.value, reason: null };
  return { mode, quote: null, reason: answer?.reason ?? null };
}

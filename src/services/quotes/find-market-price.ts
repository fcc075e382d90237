import type { Asset } from '#domain/quotes/currencies.ts';
import type { Quote } from '#domain/quotes/quote.ts';
import type { Deps } from '../deps.ts';

/**
 * What one coin costs now by the markets, without any account's spread: for live accounts, or for
 * test accounts where there is nothing else. `reason`: why there is no price, by each source.
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

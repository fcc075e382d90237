import { z } from 'zod';
import type { Asset } from '#domain/quotes/currencies.ts';
import type { MarketPrice } from '../ports.ts';
import { createMarketHttp, type Market, type MarketOptions, priceText, readAnswer } from './market-http.ts';

export const MERCADO_BITCOIN_BASE_URL = 'https://api.mercadobitcoin.net';

/** Seconds reach this in the year 33658, nanoseconds did in 1970. */
const NANOSECONDS_FROM = 1e12;

/**
 * The documentation calls `date` nanoseconds; its own example and the observed answers are seconds.
 * Both are accepted.
 */
const instant = z
  .number()
  .positive()
  .transform((date) => new Date(date < NANOSECONDS_FROM ? date * 1_000 : date / 1e6))
  .pipe(z.date());

const tickers = z.array(z.object({ pair: z.string(), last: priceText, date: instant }));

/**
 * Mercado Bitcoin v4, `GET /api/v4/tickers`, one request for all assets: the market allows one a
 * second. Pairs it does not have are missing in its answer.
 */
export function createMercadoBitcoin(options: MarketOptions): Market {
  const http = createMarketHttp(options);

  return {
    name: 'mercado-bitcoin',
    async prices(assets) {
      // Without a pair the market would answer with all that it has.
      if (assets.length === 0) return { outcome: 'done', value: new Map() };
      const assetOf = new Map(assets.map((asset) => [`${asset}-BRL`, asset]));
      const answer = await http.asking()(`/api/v4/tickers?symbols=${[...assetOf.keys()].join(',')}`);
      const read = readAnswer(answer, tickers);
      if (read.outcome !== 'done') return read;

      const prices = new Map<Asset, MarketPrice>();
      for (const { pair, last, date } of read.value) {
        const asset = assetOf.get(pair);
        if (asset === undefined) return { outcome: 'unknown', reason: 'an answer about another pair' };
        prices.set(asset, { source: 'mercado-bitcoin', price: last, at: date });
      }
      return { outcome: 'done', value: prices };
    },
    close: http.close,
  };
}

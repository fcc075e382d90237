import { z } from 'zod';
import type { Asset } from '#domain/quotes/currencies.ts';
import type { MarketPrice, Outcome } from '../ports.ts';
import { askEach, createMarketHttp, type Market, type MarketOptions, priceText, readAnswer } from './market-http.ts';

/**
 * Binance's own address for those who need public market data only (its REST documentation, General
 * API Information).
 */
export const BINANCE_BASE_URL = 'https://data-api.binance.vision';

/** errors.md: there is no such pair (-1121), or it is not traded now (-1220). */
const NO_MARKET = new Set([-1121, -1220]);

const ticker = z.object({ symbol: z.string(), price: priceText });
const problem = z.object({ code: z.int() });

/**
 * Binance Spot, `GET /api/v3/ticker/price`. The answer has no time, so a price has the time of our
 * request. A pair that is no longer traded keeps its last price there for ever;
 * `symbolStatus=TRADING` leaves it out. Each asset has a request of its own, because one pair that
 * Binance does not have makes it reject a whole list.
 */
export function createBinance(options: MarketOptions): Market {
  const http = createMarketHttp(options);

  return {
    name: 'binance',
    prices(assets) {
      const get = http.asking();
      const at = options.clock();
      return askEach(assets, async (asset: Asset): Promise<Outcome<MarketPrice | null>> => {
        const symbol = `${asset}BRL`;
        const answer = await get(`/api/v3/ticker/price?symbol=${symbol}&symbolStatus=TRADING`);
        if (answer.kind === 'answered' && answer.status === 400 && saysNoMarket(answer.json)) {
          return { outcome: 'done', value: null };
        }
        const read = readAnswer(answer, ticker);
        if (read.outcome !== 'done') return read;
        if (read.value.symbol !== symbol) return { outcome: 'unknown', reason: 'an answer about another pair' };
        return { outcome: 'done', value: { source: 'binance', price: read.value.price, at } };
      });
    },
    close: http.close,
  };
}

function saysNoMarket(json: unknown): boolean {
  const read = problem.safeParse(json);
  return read.success && NO_MARKET.has(read.data.code);
}

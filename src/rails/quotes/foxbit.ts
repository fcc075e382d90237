import { z } from 'zod';
import type { Asset } from '#domain/quotes/currencies.ts';
import type { MarketPrice, Outcome } from '../ports.ts';
import { askEach, createMarketHttp, type Market, type MarketOptions, priceText, readAnswer } from './market-http.ts';

export const FOXBIT_BASE_URL = 'https://api.foxbit.com.br';

const tickers = z.object({
  data: z.tuple([
    z.object({
      market_symbol: z.string(),
      last_trade: z.object({
        price: priceText,
        date: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
      }),
    }),
  ]),
});

/**
 * Foxbit v3, `GET /rest/v3/markets/{market_symbol}/ticker/24hr`: the last trade and its time. 404
 * is "Market pair not found or not available". The ticker of all markets in one answer is far
 * larger, and up to ten seconds old.
 */
export function createFoxbit(options: MarketOptions): Market {
  const http = createMarketHttp(options);

  return {
    name: 'foxbit',
    prices(assets) {
      const get = http.asking();
      return askEach(assets, async (asset: Asset): Promise<Outcome<MarketPrice | null>> => {
        const symbol = `${asset}brl`.toLowerCase();
        const answer = await get(`/rest/v3/markets/${symbol}/ticker/24hr`);
        if (answer.kind === 'answered' && answer.status === 404 && answer.json !== undefined) {
          return { outcome: 'done', value: null };
        }
        const read = readAnswer(answer, tickers);
        if (read.outcome !== 'done') return read;
        const { market_symbol, last_trade } = read.value.data[0];
        if (market_symbol !== symbol) return { outcome: 'unknown', reason: 'an answer about another pair' };
        return { outcome: 'done', value: { source: 'foxbit', price: last_trade.price, at: last_trade.date } };
      });
    },
    close: http.close,
  };
}

import { createBinance } from '../binance.ts';
import { createFoxbit } from '../foxbit.ts';
import type { Market, MarketOptions } from '../market-http.ts';
import { createMercadoBitcoin } from '../mercado-bitcoin.ts';

/** How a test makes one market answer, in that market's own format. */
type MarketExample = {
  name: string;
  create: (options: MarketOptions) => Market;
  /** The body for one asset; `price` is text, or whatever a broken market may write. */
  body: (asset: string, price: unknown, at: Date) => object;
};

const BINANCE: MarketExample = {
  name: 'binance',
  create: createBinance,
  body: (asset, price) => ({ symbol: `${asset}BRL`, price }),
};

const MERCADO_BITCOIN: MarketExample = {
  name: 'mercado-bitcoin',
  create: createMercadoBitcoin,
  body: (asset, price, at) => [
    {
      pair: `${asset}-BRL`,
      high: '5.21820000',
      low: '5.14960000',
      vol: '1746665.02450000',
      last: price,
      buy: '5.16920000',
      sell: '5.16930000',
      open: '5.20200000',
      date: Math.floor(at.getTime() / 1_000),
    },
  ],
};

export const FOXBIT: MarketExample = {
  name: 'foxbit',
  create: createFoxbit,
  body: (asset, price, at) => ({
    data: [
      {
        market_symbol: `${asset}brl`.toLowerCase(),
        last_trade: { price, volume: '0.00027893', date: at.toISOString() },
        rolling_24h: { price_change: '0.01', volume: '20.03206866', trades_count: '4376', open: '5.20020000' },
        best: { ask: { price: '5.16750000', volume: '1' }, bid: { price: '5.16740000', volume: '1' } },
      },
    ],
  }),
};

export const MARKETS = [BINANCE, MERCADO_BITCOIN, FOXBIT];

/**
 * Three public markets that quote every coin in BRL, each with its own protocol: Binance Spot
 * `/api/v3/ticker/price`, Mercado Bitcoin `/api/v4/tickers`, Foxbit
 * `/rest/v3/markets/{symbol}/ticker/24hr`. The switch `quotes` makes them fail together.
 */

import type { Asset } from '#domain/quotes/currencies.ts';
import { parseJson } from '#domain/values/parse-json.ts';
import { eightDecimals } from '../eight-decimals.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import type { Reply } from '../sandbox-request.ts';
import { readSwitch } from '../switches.ts';
import { PRICED_ASSETS, PRICES } from './prices.ts';

/** The age of prices under `stale`: old by any standard. */
const STALE_MS = 60 * 60_000;

/** The volumes beside the price have no meaning here. */
const VOLUME = '1000.00000000';

type Ticker = (asset: Asset) => { price: string; at: Date };

type Market = {
  /** The path of its API below the sandbox. */
  mount: string;
  /**
   * What `diverging` adds to its price, in percent: the highest of the three exceeds the lowest by
   * ten percent.
   */
  divergence: bigint;
  /**
   * Whether its answers say how old the price is. A market that can't say that its price is stale
   * answers 503 instead.
   */
  hasTime: boolean;
  answer(pathname: string, query: URLSearchParams, ticker: Ticker): Reply;
};

const MARKETS: Market[] = [
  { mount: '/binance', divergence: 0n, hasTime: false, answer: answerAsBinance },
  { mount: '/mercado-bitcoin', divergence: 5n, hasTime: true, answer: answerAsMercadoBitcoin },
  { mount: '/foxbit', divergence: 10n, hasTime: true, answer: answerAsFoxbit },
];

/** The answer of the market that this path belongs to; null when it belongs to none. */
export async function answerMarket(options: SandboxOptions, method: string, path: string): Promise<Reply | null> {
  const [pathname = '', query = ''] = path.split('?', 2);
  const market = MARKETS.find(({ mount }) => pathname.startsWith(`${mount}/`));
  if (!market) return null;
  const mode = await readSwitch(options.pool, 'quotes');
  if (mode === 'down' || (mode === 'stale' && !market.hasTime)) return { status: 503 };
  if (method !== 'GET') return { status: 405 };

  const at = new Date(options.clock().getTime() - (mode === 'stale' ? STALE_MS : 0));
  const percent = 100n + (mode === 'diverging' ? market.divergence : 0n);
  const ticker: Ticker = (asset) => ({ price: eightDecimals((PRICES[asset] * percent) / 100n), at });
  return market.answer(pathname.slice(market.mount.length), new URLSearchParams(query), ticker);
}

/**
 * Without `symbol` and `symbols` it answers all. One unknown symbol makes it reject the whole list.
 */
function answerAsBinance(pathname: string, query: URLSearchParams, ticker: Ticker): Reply {
  if (pathname !== '/api/v3/ticker/price') return { status: 404 };
  const [one, list] = [query.get('symbol'), query.get('symbols')];
  const assetOf = new Map(PRICED_ASSETS.map((asset) => [`${asset}BRL`, asset]));
  const wanted = one !== null ? [one] : list !== null ? readList(list) : [...assetOf.keys()];
  if (wanted === null) {
    return { status: 400, body: { code: -1100, msg: "Illegal characters found in parameter 'symbols'." } };
  }
  const tickers = wanted.flatMap((symbol) => {
    const asset = assetOf.get(symbol);
    return asset ? [{ symbol, price: ticker(asset).price }] : [];
  });
  if (tickers.length < wanted.length) return { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } };
  return { status: 200, body: one === null ? tickers : tickers[0] };
}

function readList(text: string): string[] | null {
  const list = parseJson(text);
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : null;
}

/** Without `symbols` it answers all; an unknown symbol is left out. Its `date` is in seconds. */
function answerAsMercadoBitcoin(pathname: string, query: URLSearchParams, ticker: Ticker): Reply {
  if (pathname !== '/api/v4/tickers') return { status: 404, body: { code: 'API|NOT_FOUND', message: 'Not found' } };
  const wanted = query.get('symbols')?.split(',');
  const listed = PRICED_ASSETS.filter((asset) => wanted?.includes(`${asset}-BRL`) ?? true);
  const body = listed.map((asset) => {
    const { price, at } = ticker(asset);
    const date = Math.floor(at.getTime() / 1000);
    return {
      pair: `${asset}-BRL`,
      ...sameFor(['high', 'low', 'last', 'buy', 'sell', 'open'], price),
      vol: VOLUME,
      date,
    };
  });
  return { status: 200, body };
}

function answerAsFoxbit(pathname: string, _query: URLSearchParams, ticker: Ticker): Reply {
  const symbol = /^\/rest\/v3\/markets\/([^/]+)\/ticker\/24hr$/.exec(pathname)?.[1];
  const asset = PRICED_ASSETS.find((each) => `${each}brl`.toLowerCase() === symbol);
  if (!asset)
    return { status: 404, body: { error: { code: 404, message: 'Market pair not found or not available.' } } };
  const { price, at } = ticker(asset);
  const data = {
    market_symbol: symbol,
    last_trade: { price, volume: VOLUME, date: at.toISOString() },
    rolling_24h: {
      ...sameFor(['open', 'high', 'low'], price),
      price_change: '0.00000000',
      price_change_percent: '0.00',
      volume: VOLUME,
      quote_volume: VOLUME,
      trades_count: '1000',
    },
    best: { ask: { price, volume: VOLUME }, bid: { price, volume: VOLUME } },
  };
  return { status: 200, body: { data: [data] } };
}

const sameFor = (names: string[], price: string) => Object.fromEntries(names.map((name) => [name, price]));

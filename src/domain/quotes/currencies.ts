export const NETWORKS = ['bitcoin', 'litecoin', 'dogecoin', 'ethereum', 'bsc', 'tron', 'solana', 'ton'] as const;

/** A network decides how addresses are written, and whether one may need a memo beside it. */
export type Network = (typeof NETWORKS)[number];

export type Currency = {
  /** What is quoted: USDT on any network has one price. */
  asset: 'BTC' | 'ETH' | 'LTC' | 'DOGE' | 'BNB' | 'SOL' | 'TRX' | 'TON' | 'USDT' | 'USDC';
  network: Network;
  /** Decimals that the network itself has; an invoice never asks for more of them. */
  decimals: number;
  /** For people, e.g. `Tether (Tron)`. */
  name: string;
};

/**
 * The currencies of crypto deposits and withdrawals, by the codes of the REST contract (`USDT_TRX`,
 * `USDT_BSC`), which are Plisio's (rails.md 4.5): a token's bare code means Ethereum.
 */
export const CURRENCIES = {
  USDT: { asset: 'USDT', network: 'ethereum', decimals: 6, name: 'Tether (Ethereum)' },
  USDT_TRX: { asset: 'USDT', network: 'tron', decimals: 6, name: 'Tether (Tron)' },
  USDT_BSC: { asset: 'USDT', network: 'bsc', decimals: 18, name: 'Tether (BNB Smart Chain)' },
  USDT_SOL: { asset: 'USDT', network: 'solana', decimals: 6, name: 'Tether (Solana)' },
  USDT_TON: { asset: 'USDT', network: 'ton', decimals: 6, name: 'Tether (TON)' },
  USDC: { asset: 'USDC', network: 'ethereum', decimals: 6, name: 'USD Coin (Ethereum)' },
  BTC: { asset: 'BTC', network: 'bitcoin', decimals: 8, name: 'Bitcoin' },
  ETH: { asset: 'ETH', network: 'ethereum', decimals: 18, name: 'Ether' },
  LTC: { asset: 'LTC', network: 'litecoin', decimals: 8, name: 'Litecoin' },
  DOGE: { asset: 'DOGE', network: 'dogecoin', decimals: 8, name: 'Dogecoin' },
  BNB: { asset: 'BNB', network: 'bsc', decimals: 18, name: 'BNB' },
  SOL: { asset: 'SOL', network: 'solana', decimals: 9, name: 'Solana' },
  TRX: { asset: 'TRX', network: 'tron', decimals: 6, name: 'Tron' },
  TON: { asset: 'TON', network: 'ton', decimals: 9, name: 'Toncoin' },
} as const satisfies Record<string, Currency>;

export type CurrencyCode = keyof typeof CURRENCIES;
export type Asset = Currency['asset'];

export const CURRENCY_CODES = Object.keys(CURRENCIES) as CurrencyCode[];

export const isCurrencyCode = (text: string): text is CurrencyCode => Object.hasOwn(CURRENCIES, text);

/**
 * Returns the code that a text names in any case; `null` for an unknown one. Only ASCII is folded:
 * no foreign letter becomes one of these.
 */
export function parseCurrencyCode(text: string): CurrencyCode | null {
  const code = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return isCurrencyCode(code) ? code : null;
}

/** Returns one currency of a network, for what is the same for all of its currencies. */
export const currencyOn = (network: Network): CurrencyCode =>
  CURRENCY_CODES.find((code) => CURRENCIES[code].network === network) as CurrencyCode;

/** Networks on which one address serves many owners, distinguished by a memo. */
export const hasMemo = (code: CurrencyCode): boolean => CURRENCIES[code].network === 'ton';

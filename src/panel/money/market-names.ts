/** The markets' own spelling of their names. */
export const MARKET_NAMES: Record<string, string> = {
  binance: 'Binance',
  foxbit: 'Foxbit',
  'mercado-bitcoin': 'Mercado Bitcoin',
};

/** GET /currencies/{fiat} (plisio.net/documentation, "Supported cryptocurrencies"). */
import { CURRENCIES, CURRENCY_CODES } from '#domain/quotes/currencies.ts';
import { eightDecimals } from '../eight-decimals.ts';
import { PRICES } from '../quotes/prices.ts';
import type { Reply } from '../sandbox-request.ts';
import { minimumUnits } from './networks.ts';
import { notFound } from './plisio-error.ts';
import { brlRate } from './presentation.ts';

const ONE_COIN = 10n ** 8n;

/**
 * Answers all currencies; each is always available. The only fiat is BRL, and one USDT counts as
 * one dollar. Throws a 404 PlisioError for another fiat.
 */
export function getCurrencies(fiat: string): Reply {
  if (fiat !== 'BRL') throw notFound('Currency not found');
  const data = CURRENCY_CODES.map((cid) => {
    const { asset, name, decimals } = CURRENCIES[cid];
    const precision = String(Math.min(decimals, 8));
    return {
      name,
      cid,
      currency: asset,
      icon: `https://plisio.net/img/psys-icon/${asset}.svg`,
      rate_usd: eightDecimals((PRICES.USDT * ONE_COIN) / PRICES[asset]),
      price_usd: eightDecimals((PRICES[asset] * ONE_COIN) / PRICES.USDT),
      precision,
      output_precision: precision,
      fiat,
      fiat_rate: brlRate(cid),
      min_sum_in: eightDecimals(minimumUnits(cid)),
      invoice_commission_percentage: '0.5',
      hidden: 0,
      maintenance: false,
    };
  });
  return { status: 200, body: { status: 'success', data } };
}

import { type Fee, feeOf } from '#domain/accounts/fees.ts';
import {
  centavosCost,
  centavosWorth,
  parseUnits,
  UNIT_DECIMALS,
  unitsBought,
  unitsOwed,
} from '#domain/quotes/crypto-units.ts';
import { CURRENCIES, type CurrencyCode } from '#domain/quotes/currencies.ts';
import { toBrl } from '#domain/values/money.ts';
import { CommandError } from '../context.ts';
import type { ApiClient } from './api-client.ts';

/** How many amounts are tried, one a centavo: a hundred reais above the first. */
const AMOUNTS_MAX = 100_00n;

type Terms = { data: { fees: { crypto_out: { percent: number; fixed: number } } } };
type Quote = { data: { price: number; sources: { price: number }[] } };
type Side = 'deposit' | 'withdrawal';

/**
 * The amount in reais of a crypto deposit or withdrawal whose outcome in the sandbox is that of
 * `cents`: the first from `reais` on. The sandbox sees a quantity only, and values it at the
 * market's price: the account's spread and its fee are between that and the amount. Throws
 * CommandError where no amount has these cents.
 */
export async function cryptoAmount(
  api: ApiClient,
  { side, currency, reais, cents }: { side: Side; currency: CurrencyCode; reais: number; cents: number },
): Promise<number> {
  const { data } = await api.get<Quote>('/payments/quote', { currency, side });
  const [price, market] = [readPrice(data.price), readPrice(data.sources[0]?.price ?? 0)];
  const { decimals } = CURRENCIES[currency];
  const fee = side === 'withdrawal' ? await withdrawalFee(api) : null;
  // Rounded as the sandbox does it.
  const worth = (centavos: bigint): bigint =>
    fee === null
      ? centavosWorth(unitsOwed(centavos, price, decimals), market)
      : centavosCost(unitsBought(centavos - feeOf(centavos, fee), price, decimals), market);

  const first = BigInt(reais) * 100n;
  for (let centavos = first; centavos < first + AMOUNTS_MAX; centavos++) {
    if (worth(centavos) % 100n === BigInt(cents)) return toBrl(centavos);
  }
  throw new CommandError('No amount chooses this outcome, because of the spread of the account’s quotes.');
}

async function withdrawalFee(api: ApiClient): Promise<Fee> {
  const { percent, fixed } = (await api.get<Terms>('/account')).data.fees.crypto_out;
  return { bps: Math.round(percent * 100), fixedCentavos: BigInt(Math.round(fixed * 100)) };
}

const readPrice = (reais: number): bigint => parseUnits(reais.toFixed(UNIT_DECIMALS)) ?? 0n;

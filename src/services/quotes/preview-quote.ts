import type { AccountTerms } from '#db/accounts/account-terms.ts';
import { feeOf } from '#domain/accounts/fees.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { unitsBought, unitsOwed } from '#domain/quotes/crypto-units.ts';
import { CURRENCIES, type CurrencyCode } from '#domain/quotes/currencies.ts';
import { AMOUNT_CENTAVOS_MAX, formatBrl } from '#domain/values/money.ts';
import type { Deps } from '../deps.ts';
import { chooseCurrency } from './choose-currency.ts';
import { getQuote } from './get-quote.ts';

export type QuotePreview = {
  currency: CurrencyCode;
  /** 10^-8 BRL for one coin, with the account's spread in it. */
  price: bigint;
  spreadBps: number;
  at: Date;
  sources: { source: string; price: bigint; at: Date }[];
  /**
   * For an amount: the fee, what is left, and the coins (10^-8) that the payer would owe or the
   * receiver would get. Null without an amount.
   */
  conversion: { amountCentavos: bigint; feeCentavos: bigint; netCentavos: bigint; units: bigint } | null;
};

/**
 * The quote that a deposit (`in`) or a withdrawal (`out`) would be made at now. Errors:
 * unsupported_currency, currency_not_configured, above_maximum, quote_unavailable.
 */
export async function previewQuote(
  deps: Deps,
  account: AccountTerms,
  query: { currency: string | null; side: 'in' | 'out'; amountCentavos: bigint | null },
): Promise<QuotePreview> {
  const { side, amountCentavos } = query;
  const currency = chooseCurrency(account, query.currency, 'currency_not_configured');
  if (amountCentavos !== null && amountCentavos > AMOUNT_CENTAVOS_MAX)
    throw new DomainError('above_maximum', { params: { maximum: formatBrl(AMOUNT_CENTAVOS_MAX) } });
  const quote = await getQuote(deps, account, currency, side);
  if (amountCentavos === null) return { currency, ...quote, conversion: null };
  const fee = account.fees[side === 'in' ? 'crypto_in' : 'crypto_out'];
  const feeCentavos = fee ? feeOf(amountCentavos, fee) : 0n;
  const netCentavos = amountCentavos - feeCentavos;
  const units =
    side === 'in'
      ? unitsOwed(amountCentavos, quote.price, CURRENCIES[currency].decimals)
      : unitsBought(netCentavos, quote.price, CURRENCIES[currency].decimals);
  return { currency, ...quote, conversion: { amountCentavos, feeCentavos, netCentavos, units } };
}

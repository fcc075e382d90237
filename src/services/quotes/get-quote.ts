import type { AccountTerms } from '#db/accounts/account-terms.ts';
import type { StoredQuote } from '#db/withdrawals/withdrawals.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { CURRENCIES, type CurrencyCode } from '#domain/quotes/currencies.ts';
import { withSpread } from '#domain/quotes/quote.ts';
import type { Deps } from '../deps.ts';

/**
 * What one coin of this currency costs this account now, in 10^-8 BRL: the median of the markets,
 * moved by the account's spread (`in`: money in, the payer pays more; `out`: the receiver gets
 * less). Errors: quote_unavailable.
 */
export async function getQuote(
  deps: Deps,
  terms: AccountTerms,
  code: CurrencyCode,
  side: 'in' | 'out',
): Promise<StoredQuote> {
  const aggregator = deps.rails.quotesFor(terms.mode);
  const found = await aggregator?.quote(CURRENCIES[code].asset);
  if (found?.outcome !== 'done') {
    deps.log.warn({ currency: code, reason: found?.reason ?? 'no sources' }, 'There is no quote.');
    throw new DomainError('quote_unavailable');
  }
  const { price, at, sources } = found.value;
  return { price: withSpread(price, terms.spreadBps, side), spreadBps: terms.spreadBps, at, sources };
}

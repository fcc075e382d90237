import type { AccountTerms } from '#db/accounts/account-terms.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { ErrorCode } from '#domain/errors/error-catalogue.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { type CurrencyCode, isCurrencyCode, parseCurrencyCode } from '#domain/quotes/currencies.ts';

/**
 * The currency of a crypto operation: the one that was asked for, else the account's. Errors:
 * unsupported_currency for a code that we do not know, `missing` where there is none.
 */
export function chooseCurrency(
  terms: Pick<AccountTerms, 'currency'>,
  asked: string | null,
  missing: ErrorCode,
): CurrencyCode {
  if (asked !== null) return readCurrency(asked);
  if (terms.currency === null || !isCurrencyCode(terms.currency)) {
    throw new DomainError(missing, { details: [fieldIssue('currency', 'currency_not_chosen')] });
  }
  return terms.currency;
}

/** The currency of a code that was sent, in upper or lower case. Errors: unsupported_currency. */
export function readCurrency(asked: string): CurrencyCode {
  const code = parseCurrencyCode(asked);
  if (code === null) throw new DomainError('unsupported_currency');
  return code;
}

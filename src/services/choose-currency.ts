import type { AccountTerms } from '#db/account-terms.ts';
import { type CurrencyCode, isCurrencyCode } from '#domain/currencies.ts';
import { DomainError, type ErrorCode } from '#domain/errors.ts';

/**
 * The currency of a crypto operation: the one that was asked for, else the account's. Errors: unsupported_currency for a code that we do
 * not know, `missing` where there is none.
 */
export function chooseCurrency(
  terms: Pick<AccountTerms, 'currency'>,
  asked: string | null,
  missing: ErrorCode,
): CurrencyCode {
  if (asked !== null && !isCurrencyCode(asked)) throw new DomainError('unsupported_currency');
  const code = asked ?? terms.currency;
  if (code === null || !isCurrencyCode(code)) throw new DomainError(missing);
  return code;
}

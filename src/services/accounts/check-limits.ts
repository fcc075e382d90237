import type { AccountTerms } from '#db/accounts/account-terms.ts';
import { type LimitName, SMALLEST_CENTAVOS } from '#domain/accounts/limits.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import { AMOUNT_CENTAVOS_MAX, formatBrl } from '#domain/values/money.ts';

/** The names of the limits on a single operation, by type. */
export const RANGE_LIMITS: Record<TransactionType, { minimum: LimitName; maximum: LimitName }> = {
  pix_in: { minimum: 'minimal_value_in_pix', maximum: 'maximal_value_in_pix' },
  pix_out: { minimum: 'minimal_value_out_pix', maximum: 'maximal_value_out_pix' },
  crypto_in: { minimum: 'minimal_value_in_crypto', maximum: 'maximal_value_in_crypto' },
  crypto_out: { minimum: 'minimal_value_out_crypto', maximum: 'maximal_value_out_crypto' },
};

/**
 * The least that one operation of this type may be, in centavos: the account's limit, or what holds
 * for every account.
 */
export function minimumOf(terms: Pick<AccountTerms, 'limits'>, type: TransactionType): bigint {
  const own = terms.limits[RANGE_LIMITS[type].minimum] ?? 0n;
  return own > SMALLEST_CENTAVOS[type] ? own : SMALLEST_CENTAVOS[type];
}

/**
 * The most that one operation of this type may be, in centavos: the account's limit, or what holds
 * for every account.
 */
export function maximumOf(terms: Pick<AccountTerms, 'limits'>, type: TransactionType): bigint {
  const own = terms.limits[RANGE_LIMITS[type].maximum] ?? AMOUNT_CENTAVOS_MAX;
  return own < AMOUNT_CENTAVOS_MAX ? own : AMOUNT_CENTAVOS_MAX;
}

export const belowMinimum = (terms: Pick<AccountTerms, 'limits'>, type: TransactionType): DomainError =>
  new DomainError('below_minimum', { params: { minimum: formatBrl(minimumOf(terms, type)) } });

/**
 * Checks an amount against the account's range for this type. Errors, in this order: invalid_amount
 * (nothing or less, where no minimum says that it is too little), below_minimum, above_maximum.
 */
export function checkRange(terms: Pick<AccountTerms, 'limits'>, type: TransactionType, amountCentavos: bigint): void {
  if (amountCentavos <= 0n && minimumOf(terms, type) <= 1n)
    throw new DomainError('invalid_amount', { details: [fieldIssue('amount', 'not_amount')] });
  const issue = rangeIssueOf(terms, type, amountCentavos);
  if (issue) throw new DomainError(issue.issue, { params: issue.params });
}

/**
 * The issue of an amount that is outside the account's range for this type; null where it is
 * inside. Its code is that of the error with which an operation of this amount is rejected.
 */
export function rangeIssueOf(
  terms: Pick<AccountTerms, 'limits'>,
  type: TransactionType,
  amountCentavos: bigint,
): RangeIssue | null {
  const [least, most] = [minimumOf(terms, type), maximumOf(terms, type)];
  if (amountCentavos < least) return { issue: 'below_minimum', params: { minimum: formatBrl(least) } };
  if (amountCentavos > most) return { issue: 'above_maximum', params: { maximum: formatBrl(most) } };
  return null;
}

type RangeIssue = { issue: 'below_minimum' | 'above_maximum'; params: Record<string, string> };

import type { AccountTerms } from '#db/account-terms.ts';
import { DomainError } from '#domain/errors.ts';
import { type LimitName, SMALLEST_CENTAVOS } from '#domain/limits.ts';
import type { TransactionType } from '#domain/transaction-states.ts';

/** The limits of one operation, by type. */
export const RANGE_LIMITS: Record<TransactionType, { minimum: LimitName; maximum: LimitName }> = {
  pix_in: { minimum: 'minimal_value_in_pix', maximum: 'maximal_value_in_pix' },
  pix_out: { minimum: 'minimal_value_out_pix', maximum: 'maximal_value_out_pix' },
  crypto_in: { minimum: 'minimal_value_in_crypto', maximum: 'maximal_value_in_crypto' },
  crypto_out: { minimum: 'minimal_value_out_crypto', maximum: 'maximal_value_out_crypto' },
};

/** The least that one operation of this type may be, in centavos: the account's limit, or what holds for every account. */
export function minimumOf(terms: Pick<AccountTerms, 'limits'>, type: TransactionType): bigint {
  const own = terms.limits[RANGE_LIMITS[type].minimum] ?? 0n;
  return own > SMALLEST_CENTAVOS[type] ? own : SMALLEST_CENTAVOS[type];
}

/** Checks an amount against the account's range for this type. Errors: below_minimum, above_maximum, in this order. */
export function checkRange(terms: AccountTerms, type: TransactionType, amountCentavos: bigint): void {
  const most = terms.limits[RANGE_LIMITS[type].maximum];
  if (amountCentavos < minimumOf(terms, type)) throw new DomainError('below_minimum');
  if (most !== undefined && amountCentavos > most) throw new DomainError('above_maximum');
}

import type { AccountTerms } from '#db/accounts/account-terms.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';

/** Throws where the operator has turned the rail off for every account. Errors: rail_closed. */
export function checkRail({ closedRails }: Pick<AccountTerms, 'closedRails'>, type: TransactionType): void {
  const reason = closedRails[type];
  if (reason !== undefined) throw new DomainError('rail_closed', { params: { reason } });
}

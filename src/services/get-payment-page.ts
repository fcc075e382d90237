import { findPaymentPage, type PaymentPageRow } from '#db/charges.ts';
import { openTransaction } from '#db/transaction-texts.ts';
import { DomainError } from '#domain/errors.ts';
import { isUuid } from '#domain/uuid.ts';
import type { Deps } from './deps.ts';

/** What a payer who has the link may see. Errors: transaction_not_found. */
export async function getPaymentPage(deps: Deps, id: string): Promise<PaymentPageRow> {
  const row = isUuid(id) ? await findPaymentPage(deps.db.pool, id) : null;
  if (!row) throw new DomainError('transaction_not_found');
  return openTransaction(deps.secretBox, row);
}

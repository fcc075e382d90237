import { findPaymentPages, type PaymentPageRow } from '#db/charges/charges.ts';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

/** What a payer with the link may see of a charge or an invoice. Errors: transaction_not_found. */
export async function getPaymentPage(deps: Pick<Deps, 'db' | 'secretBox'>, id: string): Promise<PaymentPageRow> {
  const [row] = isUuid(id) ? await findPaymentPages(deps.db.pool, [id]) : [];
  if (!row) throw new DomainError('transaction_not_found');
  return openTransaction(deps.secretBox, row);
}

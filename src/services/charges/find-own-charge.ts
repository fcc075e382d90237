import { type ChargeRow, findCharge } from '#db/charges/charges.ts';
import { hasTransaction } from '#db/transactions/transactions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { ErrorCode } from '#domain/errors/error-catalogue.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

/**
 * The PIX charge of this account that an operation is about. Errors: transaction_not_found;
 * `otherwise` for a transaction of the account that is no PIX charge.
 */
export async function findOwnCharge(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  transactionId: string,
  otherwise: ErrorCode,
): Promise<ChargeRow> {
  if (!isUuid(transactionId)) throw new DomainError('transaction_not_found');
  const id = transactionId.toLowerCase();
  const charge = await findCharge(db.pool, id);
  if (charge?.accountId === accountId) return charge;
  throw new DomainError((await hasTransaction(db.pool, accountId, id)) ? otherwise : 'transaction_not_found');
}

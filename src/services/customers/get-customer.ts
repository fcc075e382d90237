import { findNewestOf, findPersonOf, listTransactionsOfCustomer } from '#db/customers/customers.ts';
import { CUSTOMER_DOCUMENT_INDEX, sealContext } from '#db/encryption/sealed-columns.ts';
import { ERASED_KEY } from '#domain/customers/erased-key.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { type ListedTransaction, readable } from '../transactions/list-transactions.ts';
import { type Customer, readCustomers } from './list-customers.ts';

/** A customer's document, and the fingerprints by which their transactions are found. */
export type CustomerKey = { document: string; documentIndexes: readonly [Buffer, ...Buffer[]] };

const PAGE_LENGTH = 25;

/**
 * Finds the customer of a transaction of this account. The id of any of their transactions
 * identifies a customer: such an id reveals no document, belongs to one account, and stays valid
 * when the master key changes. A PIX withdrawal to a CPF or CNPJ identifies its owner. Errors:
 * customer_not_found, also for a transaction of another account, an unknown one, and an erased
 * customer.
 */
export async function findCustomerKey(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  customerId: string,
): Promise<CustomerKey> {
  const { document } = await readPersonOf({ db, secretBox }, accountId, customerId);
  if (document === null) throw new DomainError('customer_not_found');
  return { document, documentIndexes: secretBox.fingerprints(document, CUSTOMER_DOCUMENT_INDEX) };
}

/**
 * Whom a transaction of this account names: by their document, which may be the PIX key that it was
 * sent to; else by another PIX key; both null: by less. Errors: customer_not_found, also for a
 * transaction that names nobody (any more).
 */
export async function readPersonOf(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  customerId: string,
): Promise<{ id: string; document: string | null; pixKey: string | null }> {
  const id = customerId.toLowerCase();
  const found = isUuid(id) ? await findPersonOf(db.pool, accountId, id) : null;
  if (!found?.identifies) throw new DomainError('customer_not_found');
  const sentTo = found.pixKey && secretBox.open(found.pixKey, sealContext('transactions.pix_key', { id }));
  const pixKey = sentTo === ERASED_KEY ? null : sentTo;
  if (!found.document) return { id, document: found.isDocument ? pixKey : null, pixKey };
  return {
    id,
    document: secretBox.open(found.document, sealContext('transactions.customer_document', { id })),
    pixKey,
  };
}

/** A customer of this account. Errors: customer_not_found. */
export async function getCustomer(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  customerId: string,
): Promise<Customer> {
  const key = await findCustomerKey(deps, accountId, customerId);
  const newestId = await findNewestOf(deps.db.pool, accountId, key.documentIndexes);
  const [customer] = newestId === null ? [] : await readCustomers(deps, accountId, [{ ...key, newestId }]);
  if (!customer) throw new DomainError('customer_not_found');
  return customer;
}

/** A page of a customer's transactions, newest first. Errors: customer_not_found. */
export async function listCustomerTransactions(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  { customerId, cursor }: { customerId: string; cursor: string | null },
): Promise<{ transactions: ListedTransaction[]; nextCursor: string | null }> {
  const { documentIndexes } = await findCustomerKey(deps, accountId, customerId);
  const found = await listTransactionsOfCustomer(deps.db.pool, accountId, {
    documentIndexes,
    before: cursor,
    limit: PAGE_LENGTH + 1,
  });
  const transactions = found.slice(0, PAGE_LENGTH).map((row) => readable(deps, row));
  return { transactions, nextCursor: found.length > PAGE_LENGTH ? (transactions.at(-1)?.id ?? null) : null };
}

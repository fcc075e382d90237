import type { AuditEntry } from '#db/audit/audit.ts';
import type { PersonKey } from '#db/customers/personal-data.ts';
import type { Deps } from '../deps.ts';
import { pixDestination } from '../payees/destination.ts';
import { type CustomerKey, findCustomerKey } from './get-customer.ts';

/** Makes an audit entry of an action with its details; it names who acts. */
export type EntryOf = (action: string, details: AuditEntry['details']) => AuditEntry;

/**
 * Finds the fingerprints of a customer's document, as a payer's document and as a PIX key:
 * everything that is stored about the customer is found by them. Errors: customer_not_found.
 */
export async function findPersonKey(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  customerId: string,
): Promise<PersonKey & CustomerKey> {
  const key = await findCustomerKey(deps, accountId, customerId);
  const { pixKeyIndexes } = pixDestination(deps, accountId, key.document);
  return { accountId, ...key, pixKeyIndexes };
}

import type { AuditEntry } from '#db/audit/audit.ts';
import type { PersonKey } from '#db/customers/personal-data.ts';
import type { Deps } from '../deps.ts';
import { pixDestination } from '../payees/destination.ts';
import { type CustomerKey, findCustomerKey } from './get-customer.ts';

/** What the audit says of an act: its name and details, with who did it. */
export type EntryOf = (action: string, details: AuditEntry['details']) => AuditEntry;

/**
 * How everything that is stored about a customer is found: by the document, and as the PIX key that
 * it is. Errors: customer_not_found.
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

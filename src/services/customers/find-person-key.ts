import type { AuditEntry } from '#db/audit/audit.ts';
import type { PersonKey } from '#db/customers/personal-data.ts';
import { CUSTOMER_DOCUMENT_INDEX } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';
import { pixDestination } from '../payees/destination.ts';
import { readPersonOf } from './get-customer.ts';

/** Makes an audit entry of an action with its details; it names who acts. */
export type EntryOf = (action: string, details: AuditEntry['details']) => AuditEntry;

/** A person with what finds their data: their document, else a PIX key; both null: nothing does. */
export type Person = PersonKey & { document: string | null; pixKey: string | null };

/**
 * Finds what everything that is stored about a person is found by: the fingerprints of their
 * document, as a payer's and as a PIX key. Whom a transaction names without a CPF or CNPJ is found
 * by the PIX key that it was sent to, and in withdrawals to it alone; without a key in this one
 * transaction. Errors: customer_not_found.
 */
export async function findPersonKey(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string,
  customerId: string,
): Promise<Person> {
  const { id, document, pixKey: sentTo } = await readPersonOf(deps, accountId, customerId);
  const pixKey = document ?? sentTo;
  return {
    accountId,
    document,
    pixKey,
    documentIndexes: document === null ? [] : deps.secretBox.fingerprints(document, CUSTOMER_DOCUMENT_INDEX),
    pixKeyIndexes: pixKey === null ? [] : pixDestination(deps, accountId, pixKey).pixKeyIndexes,
    transactionId: pixKey === null ? id : null,
  };
}

import { findLostPayer } from '#db/disputes/find-lost-payer.ts';
import { CUSTOMER_DOCUMENT_INDEX } from '#db/encryption/sealed-columns.ts';
import type { Deps } from '../deps.ts';

export type LostDispute = { disputeId: string; closedAt: Date };

/**
 * Finds the case that this account last lost, before `before`, to the payer with this document;
 * null when there is none. Cases of other accounts are not searched.
 */
export function findLostToPayer(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  payer: { accountId: string; document: string | null; before: Date },
): Promise<LostDispute | null> {
  const { accountId, document, before } = payer;
  if (document === null) return Promise.resolve(null);
  const documentIndexes = secretBox.fingerprints(document, CUSTOMER_DOCUMENT_INDEX);
  return findLostPayer(db.pool, { accountId, documentIndexes, before });
}

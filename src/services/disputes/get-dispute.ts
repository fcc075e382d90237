import { type DisputeRow, findDispute } from '#db/disputes/disputes.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';

/** A case, with the words of its answer readable. */
export type OwnDispute = DisputeRow;

/**
 * A case of this account; null: of whichever account, for the operator. Errors: dispute_not_found,
 * also for another account's.
 */
export async function getDispute(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  accountId: string | null,
  id: string,
): Promise<OwnDispute> {
  const found = isUuid(id) ? await findDispute(db.pool, id.toLowerCase(), accountId) : null;
  if (!found) throw new DomainError('dispute_not_found');
  const sealed = found.answerText;
  const context = sealContext('disputes.answer_text', { id: found.id });
  return { ...found, answerText: sealed && secretBox.open(sealed, context) };
}

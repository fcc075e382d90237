import {
  REFERENCE_INDEX,
  referenceOfAccount,
  type SealedColumnName,
  sealContext,
} from '#db/encryption/sealed-columns.ts';
import { findReferenceHolder, type NewMerchantColumns } from '#db/transactions/references.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { MerchantFields } from '#domain/transactions/merchant-fields.ts';
import { writeMetadata } from '#domain/transactions/metadata.ts';
import type { Deps } from '../deps.ts';

/** Seals the reference and the metadata that a merchant gives a transaction or a refund. */
export function sealMerchantFields(
  deps: Pick<Deps, 'secretBox'>,
  accountId: string,
  table: 'transactions' | 'refunds',
  { id, reference, referenceUnique, metadata }: MerchantFields & { id: string },
): NewMerchantColumns {
  const seal = (column: SealedColumnName, text: string | null) =>
    text === null ? null : deps.secretBox.seal(text, sealContext(column, { id }));
  const indexes = reference === null ? null : referenceIndexes(deps, accountId, reference);
  return {
    reference: seal(`${table}.reference`, reference),
    referenceIndex: indexes?.[0] ?? null,
    metadata: seal(`${table}.metadata`, metadata && writeMetadata(metadata)),
    uniqueIndexes: referenceUnique ? indexes : null,
  };
}

/**
 * The fingerprints that a reference of an account may have been stored with; the first one is of
 * the current key.
 */
export const referenceIndexes = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  accountId: string,
  reference: string,
): readonly [Buffer, ...Buffer[]] => secretBox.fingerprints(referenceOfAccount(accountId, reference), REFERENCE_INDEX);

/**
 * Returns the error for a reference that was to be unique and is not: reference_taken, with the
 * `transaction_id` that has it.
 */
export async function referenceTaken(
  deps: Pick<Deps, 'db'>,
  accountId: string,
  id: string,
  { uniqueIndexes }: Pick<NewMerchantColumns, 'uniqueIndexes'>,
): Promise<DomainError> {
  const holder = await findReferenceHolder(deps.db.pool, accountId, id, uniqueIndexes ?? []);
  // No holder: it has failed since, and the request succeeds when it is repeated.
  return new DomainError('reference_taken', { extra: { transaction_id: holder ?? '' } });
}

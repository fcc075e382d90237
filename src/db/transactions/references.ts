import type pg from 'pg';

/** The columns of what a merchant says of a transaction or a refund for its own use. */
export type MerchantColumns = {
  /** Sealed, as the metadata. */
  reference: string | null;
  referenceIndex: Buffer | null;
  metadata: string | null;
};

/**
 * `uniqueIndexes`: the fingerprints by which the reference is looked up that has to be unique;
 * null: it need not be.
 */
export type NewMerchantColumns = MerchantColumns & { uniqueIndexes: readonly Buffer[] | null };

/** The same as members of a row that a function takes as JSON. */
export const merchantRow = ({ reference, referenceIndex, metadata }: MerchantColumns) => ({
  reference,
  reference_index: referenceIndex && `\\x${referenceIndex.toString('hex')}`,
  metadata,
});

/**
 * The transaction of an account that has a reference, or one of whose refunds has it; null when
 * there is none, or when a transaction or refund of `id` exists already. What failed does not
 * count.
 */
export async function findReferenceHolder(
  db: pg.Pool,
  accountId: string,
  id: string,
  indexes: readonly Buffer[],
): Promise<string | null> {
  const { rows } = await db.query<{ holder: string | null }>('SELECT reference_holder($1, $2, $3) AS holder', [
    accountId,
    id,
    indexes,
  ]);
  return rows[0]?.holder ?? null;
}

/**
 * The conditions by which transactions t of account $1 have one of these references, or a refund
 * with it, each with an index of its own. `bind` gives a value its parameter.
 */
export const referenceConditions = (indexes: readonly Buffer[], bind: (value: unknown) => string): string[] => [
  ...indexes.map((index) => `t.reference_index = ${bind(index)}`),
  `t.id IN (SELECT r.transaction_id FROM refunds r WHERE r.account_id = $1 AND r.reference_index = ANY (${bind(indexes)}))`,
];

import { listUnusedRows, type UnusedRows } from '#db/customers/personal-data.ts';
import { NIL_UUID } from '#domain/values/uuid.ts';
import type { BatchRow } from '#domain/withdrawals/payout-batch.ts';
import type { Deps } from '../deps.ts';
import { openBatchRows } from '../withdrawals/get-payout-batch.ts';
import type { Person } from './find-person-key.ts';

/** Batches that are opened at once: each has up to a thousand rows. */
const BATCHES_AT_ONCE = 20;

/**
 * How long rows of a batch that was declined, or not approved in time, stay as they are: a database
 * that was lost may have sent them, and the same file is sent under the same ids only while its
 * rows can be compared. By then the provider's statement has shown it.
 */
const ENDED_FOR_MS = 30 * 24 * 60 * 60_000;

/** Rows of a batch to one person's PIX key. */
type RowsOfPerson = Omit<UnusedRows, 'sealed' | 'rows'> & { rows: (UnusedRows['rows'][number] & { row: BatchRow })[] };

/**
 * Finds the rows of batches to a person's PIX key from which no withdrawal was made; none without a
 * key. They are sealed with their batch and have no index, so every batch of the account with such
 * rows is opened.
 */
export async function findUnusedRows(
  deps: Pick<Deps, 'db' | 'secretBox' | 'clock'>,
  { accountId, pixKey }: Pick<Person, 'accountId' | 'pixKey'>,
): Promise<RowsOfPerson[]> {
  const found: RowsOfPerson[] = [];
  if (pixKey === null) return found;
  const endedBefore = new Date(deps.clock().getTime() - ENDED_FOR_MS);
  for (let after = NIL_UUID; ; ) {
    const page = await listUnusedRows(deps.db.pool, accountId, { after, limit: BATCHES_AT_ONCE, endedBefore });
    for (const { batchId, madeAt, sealed, rows } of page) {
      const texts = openBatchRows(deps, { id: batchId, sealed });
      const own = rows.flatMap((unused) => {
        const row = texts[unused.number - 1];
        return row?.pixKey === pixKey ? [{ ...unused, row }] : [];
      });
      if (own.length > 0) found.push({ batchId, madeAt, rows: own });
    }
    const last = page.at(-1);
    if (!last || page.length < BATCHES_AT_ONCE) return found;
    after = last.batchId;
  }
}

import { sealContext } from '#db/encryption/sealed-columns.ts';
import {
  type BatchRecord,
  type BatchRowRecord,
  findBatch,
  type ListedBatch,
  listBatches,
  listBatchRows,
} from '#db/withdrawals/payout-batches.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { decodeBatchRows } from '#domain/withdrawals/batch-rows.ts';
import { type BatchState, batchState } from '#domain/withdrawals/batch-state.ts';
import type { BatchRow } from '#domain/withdrawals/payout-batch.ts';
import type { Deps } from '../deps.ts';

type Share = { count: number; centavos: bigint };

export type Batch = Omit<BatchRecord, 'sealed' | 'rows'> & {
  state: BatchState;
  /** Rows that were sent, rows that won't be, and rows under way. */
  sums: { sent: Share; failed: Share; open: Share };
  rows: (BatchRow & BatchRowRecord)[];
};

/** A batch of this account with all its rows. Errors: batch_not_found. */
export async function getPayoutBatch(deps: Deps, accountId: string, id: string): Promise<Batch> {
  // The rows before the batch: none is run before the batch runs, so that no row of a batch that
  // waits for its approval is shown as sent.
  const found = isUuid(id) ? await listBatchRows(deps.db.pool, id) : [];
  const { sealed, rows: _count, ...batch } = await findOwnBatch(deps, accountId, id);
  const texts = openBatchRows(deps, { id: batch.id, sealed });
  const rows = found.flatMap((row) => {
    const text = texts[row.number - 1];
    return text ? [{ ...text, ...row }] : [];
  });
  const toRun = rows.filter((row) => row.failure === null && row.status === null).length;
  const share = (wanted: Outcome): Share => {
    const of = rows.filter((row) => outcomeOf(row) === wanted);
    return { count: of.length, centavos: of.reduce((sum, row) => sum + row.centavos, 0n) };
  };
  const sums = { sent: share('sent'), failed: share('failed'), open: share('open') };
  return { ...batch, state: batchState({ ...batch, toRun }, deps.clock()), sums, rows };
}

/** The most batches in a list; older ones are found by their withdrawals. */
const LISTED_MAX = 50;

/** The newest batches of an account. */
export async function listPayoutBatches(
  deps: Pick<Deps, 'db' | 'clock'>,
  accountId: string,
): Promise<(ListedBatch & { state: BatchState })[]> {
  const now = deps.clock();
  const found = await listBatches(deps.db.pool, accountId, LISTED_MAX);
  return found.map((batch) => ({ ...batch, state: batchState(batch, now) }));
}

/** Finds a batch of this account. Errors: batch_not_found. */
export async function findOwnBatch(deps: Pick<Deps, 'db'>, accountId: string, id: string): Promise<BatchRecord> {
  const batch = isUuid(id) ? await findBatch(deps.db.pool, id) : null;
  if (batch?.accountId !== accountId) throw new DomainError('batch_not_found');
  return batch;
}

/** The rows of a batch as they were read, in the order of its file. */
export const openBatchRows = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  { id, sealed }: Pick<BatchRecord, 'id' | 'sealed'>,
): BatchRow[] => decodeBatchRows(secretBox.open(sealed, sealContext('payout_batches.sealed', { id })));

type Outcome = 'sent' | 'failed' | 'open';

function outcomeOf({ failure, status }: BatchRowRecord): Outcome {
  if (status === 'paid') return 'sent';
  if (status === 'failed' || status === 'cancelled') return 'failed';
  return status === null && failure !== null ? 'failed' : 'open';
}

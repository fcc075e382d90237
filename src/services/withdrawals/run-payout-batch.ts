import {
  type BatchRecord,
  failBatchRow,
  findBatch,
  listBatchRows,
  runBatchRow,
} from '#db/withdrawals/payout-batches.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { NO_MERCHANT_FIELDS } from '#domain/transactions/merchant-fields.ts';
import { APPROVE_WITHIN_MS } from '#domain/withdrawals/approvals.ts';
import type { BatchRow } from '#domain/withdrawals/payout-batch.ts';
import type { Deps } from '../deps.ts';
import { openBatchRows } from './get-payout-batch.ts';
import { newPixWithdrawal, pixWithdrawalTerms } from './new-pix-withdrawal.ts';
import { limitPeriods } from './withdrawal-terms.ts';

/**
 * The rows of one run: each takes some milliseconds, so these take a small part of a task's lease.
 */
const ROWS_A_RUN = 100;

/**
 * Runs the rows of a batch that were not run before, one after the other, each as a withdrawal of
 * its own; returns the time to go on, or null when no row is left. Any number of processes may do
 * so at once, and any of them may die: a row is run once, under the id that was made with the
 * batch. A row that is rejected keeps its error, and the others go on.
 */
export async function runPayoutBatch(deps: Deps, id: string): Promise<Date | null> {
  const batch = await findBatch(deps.db.pool, id);
  if (batch?.status !== 'running') return null;
  const rows = openBatchRows(deps, batch);
  const open = (await listBatchRows(deps.db.pool, id)).filter((row) => row.failure === null && row.status === null);
  for (const { number, withdrawalId } of open.slice(0, ROWS_A_RUN)) {
    const row = rows[number - 1];
    if (!row) throw new Error(`Batch ${id} has no row ${number}.`);
    await runRow(deps, batch, { ...row, number, withdrawalId });
  }
  deps.wakeWorkers();
  return open.length > ROWS_A_RUN ? deps.clock() : null;
}

async function runRow(
  deps: Deps,
  { id: batchId, accountId }: BatchRecord,
  { number, withdrawalId, reference, ...row }: BatchRow & { number: number; withdrawalId: string },
): Promise<void> {
  try {
    const { rail, feeCentavos, now } = await pixWithdrawalTerms(deps, accountId, row.amountCentavos);
    const terms = { accountId, rail: rail.name, feeCentavos, now };
    const withdrawal = newPixWithdrawal(
      deps,
      { ...row, id: withdrawalId, merchantFields: { ...NO_MERCHANT_FIELDS, reference } },
      terms,
    );
    const approveUntil = new Date(now.getTime() + APPROVE_WITHIN_MS);
    await runBatchRow(deps.db.pool, { batchId, number, withdrawal, periods: limitPeriods(now), approveUntil });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await failBatchRow(deps.db.pool, { batchId, number, failure: error.code });
  }
}

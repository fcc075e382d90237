import { resumeWithdrawal } from '#db/withdrawals/approvals.ts';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import type { Deps } from '../deps.ts';
import { wasSentBefore } from './find-holder.ts';

/**
 * Lets a withdrawal that waits for its approval go on as one that was sent, where its PSP has it:
 * it was approved in a database that was lost. Returns false where the PSP does not have it. Throws
 * ProviderUnavailable when the PSP can't say.
 */
export async function resumeSent(deps: Deps, withdrawal: WithdrawalRow): Promise<boolean> {
  if (!(await wasSentBefore(deps, withdrawal))) return false;
  const { id } = withdrawal;
  if (await resumeWithdrawal(deps.db.pool, id, deps.clock())) {
    deps.log.warn({ transactionId: id }, 'A withdrawal that waits was sent before: the database was restored.');
    deps.wakeWorkers();
  }
  return true;
}

import { type DeclineOutcome, declineWithdrawal, findApproval } from '#db/withdrawals/approvals.ts';
import { findWithdrawal, type WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import type { Deps } from '../deps.ts';
import { planWithdrawalFailedMail } from './notify-withdrawal-failed.ts';
import { resumeSent } from './resume-sent.ts';
import { withdrawalEvent } from './withdrawal-event.ts';

type Failure = Omit<Parameters<typeof declineWithdrawal>[1], 'memberId' | 'reason'>;

/**
 * Fails a withdrawal that waits for its approval: `decline` writes the failure with its event.
 * Members are notified as of every failed withdrawal. One that its PSP has was approved in a
 * database that was lost: it goes on as one that was sent, and is `decided`. Throws
 * ProviderUnavailable when the PSP can't say.
 */
export async function failWaiting(
  deps: Deps,
  withdrawal: WithdrawalRow,
  failureCode: 'approval_declined' | 'approval_expired',
  decline: (failure: Failure) => Promise<DeclineOutcome>,
): Promise<DeclineOutcome> {
  const { id, accountId } = withdrawal;
  if (await resumeSent(deps, withdrawal)) return 'decided';
  const now = deps.clock();
  const event = withdrawalEvent(deps, withdrawal, { status: 'failed', failureCode, now });
  await planWithdrawalFailedMail(deps, withdrawal);
  const outcome = await decline({ id, accountId, failureCode, now, ...event });
  if (outcome !== 'declined') return outcome;
  deps.observe({ kind: 'ledger_posting', posting: 'withdrawal_failed' });
  deps.wakeWorkers();
  return outcome;
}

/**
 * Fails a withdrawal that was not decided in time, if it still waits; returns when to look again,
 * or null when it waits no more. Throws ProviderUnavailable when its PSP can't say whether it has
 * it.
 */
export async function expireApproval(deps: Deps, id: string): Promise<Date | null> {
  const { pool } = deps.db;
  const withdrawal = await findWithdrawal(pool, id);
  if (withdrawal?.subStatus !== 'pending_approval') return null;
  const outcome = await failWaiting(deps, withdrawal, 'approval_expired', (failure) =>
    declineWithdrawal(pool, { ...failure, memberId: null, reason: null }),
  );
  // The clock was set back while the PSP was asked: its time is still to come.
  return outcome === 'waiting' ? ((await findApproval(pool, id))?.expiresAt ?? null) : null;
}

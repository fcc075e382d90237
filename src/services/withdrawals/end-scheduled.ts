import type { EntryWithoutNotices } from '#db/audit/audit.ts';
import { type EndOutcome, endScheduledPayout, type PlannedPayout } from '#db/withdrawals/scheduled-payouts.ts';
import { findWithdrawal, type WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import type { PayoutFailure } from '#domain/withdrawals/payout-failures.ts';
import type { Acting } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { planWithdrawalFailedMail } from './notify-withdrawal-failed.ts';
import { withdrawalEvent } from './withdrawal-event.ts';

type End = { next: PlannedPayout | null } & (
  | { to: 'failed'; failureCode: PayoutFailure }
  | { to: 'cancelled'; failureCode: null }
);

/**
 * Ends a payout that has not begun, and gives back what was held for it. It has the webhooks of
 * every withdrawal and, when it fails, the mails.
 */
export async function endScheduled(
  deps: Deps,
  withdrawal: WithdrawalRow,
  end: End,
  audit: EntryWithoutNotices | null = null,
): Promise<EndOutcome> {
  const { id, accountId } = withdrawal;
  const { to, failureCode, next } = end;
  const now = deps.clock();
  const event = withdrawalEvent(deps, withdrawal, { status: to, ...(failureCode && { failureCode }), now });
  if (to === 'failed') await planWithdrawalFailedMail(deps, withdrawal);
  const outcome = await endScheduledPayout(deps.db.pool, {
    ...{ id, accountId, to, failureCode, next, now, audit },
    ...event,
  });
  if (outcome === 'ended') deps.wakeWorkers();
  return outcome;
}

/**
 * Cancels a payout of this account that has not begun, and every later payout of its schedule.
 * Cancelling twice changes nothing. Errors: transaction_not_found, payout_started (it has begun or
 * ended, or was never scheduled).
 */
export async function cancelScheduledWithdrawal(deps: Deps, acting: Acting, id: string): Promise<{ id: string }> {
  const withdrawal = isUuid(id) ? await findWithdrawal(deps.db.pool, id) : null;
  if (withdrawal?.accountId !== acting.accountId || withdrawal.type !== 'pix_out') {
    throw new DomainError('transaction_not_found');
  }
  if (withdrawal.status === 'cancelled') return { id: withdrawal.id };
  if (withdrawal.scheduledFor === null || withdrawal.subStatus === null) throw new DomainError('payout_started');
  const audit = actorEntry(deps, acting, 'withdrawal.cancelled', { subject: withdrawal.id });
  const outcome = await endScheduled(deps, withdrawal, { to: 'cancelled', failureCode: null, next: null }, audit);
  if (outcome === 'ended') return { id: withdrawal.id };
  // Another call, or the worker, was first.
  const after = await findWithdrawal(deps.db.pool, withdrawal.id);
  if (after?.status !== 'cancelled') throw new DomainError('payout_started');
  return { id: withdrawal.id };
}

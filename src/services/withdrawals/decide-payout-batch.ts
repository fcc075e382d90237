import { type BatchDecision, decideBatch } from '#db/withdrawals/payout-batches.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { toBrl } from '#domain/values/money.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { findOwnBatch } from './get-payout-batch.ts';
import { openPixRail } from './new-pix-withdrawal.ts';
import { rejectMoneyOut } from './reject-money-out.ts';

/**
 * Approves a batch of this account that waits for a second person, and has all its rows run.
 * Errors: batch_not_found, account_suspended, kyc_not_approved, rail_closed,
 * own_credentials_required, rail_not_configured, approval_decided (it no longer waits),
 * approval_own (the member made it), withdrawals_paused (the member is paused), asker_paused (its
 * maker is).
 */
export async function approvePayoutBatch(deps: Deps, who: ActingMember, id: string): Promise<void> {
  await findOwnBatch(deps, who.accountId, id);
  // Throws the error that would reject every row; the batch keeps waiting then.
  await openPixRail(deps, who.accountId);
  await decide(deps, who, id, 'running');
  deps.wakeWorkers();
}

/**
 * Declines a batch of this account that waits, also one that the member made: nothing of it is
 * sent. Errors: batch_not_found, approval_decided.
 */
export const declinePayoutBatch = (deps: Deps, who: ActingMember, id: string): Promise<void> =>
  decide(deps, who, id, 'declined');

const ACTIONS = { running: 'withdrawal.batch_approved', declined: 'withdrawal.batch_declined' } as const;

async function decide(deps: Deps, who: ActingMember, id: string, to: BatchDecision): Promise<void> {
  const { accountId, member } = who;
  const { memberId } = member;
  const batch = await findOwnBatch(deps, accountId, id);
  const now = deps.clock();
  const details = { batch_id: batch.id, rows: batch.rows, amount: toBrl(batch.centavos) };
  const audit = memberEntry(deps, who, ACTIONS[to], details);
  const outcome = await decideBatch(deps.db.pool, { id: batch.id, accountId, memberId, to, now }, audit);
  await rejectMoneyOut(deps, outcome, { accountId, by: { keyId: null, memberId }, now });
  if (outcome === 'unknown') throw new DomainError('batch_not_found');
  if (outcome === 'decided') throw new DomainError('approval_decided');
  if (outcome === 'own') throw new DomainError('approval_own');
  if (outcome === 'asker_paused') throw new DomainError('asker_paused');
}

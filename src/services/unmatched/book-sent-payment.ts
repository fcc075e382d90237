import { findFirstSweep } from '#db/sweeps/sweeps.ts';
import { mayBeWithdrawal, recordForeignPayout } from '#db/unmatched/foreign-payouts.ts';
import { findKnownPayments } from '#db/unmatched/unmatched.ts';
import { findPayoutOfPayment } from '#db/withdrawals/payouts.ts';
import { findWithdrawal, type WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { isSandboxRail } from '#domain/sandbox/sandbox-commands.ts';
import { SWEEP_PLAN } from '#domain/sweeps/sweep-plan.ts';
import { txidToUuid, uuidv7 } from '#domain/values/uuid.ts';
import type { PixSentPayment } from '#rails/ports.ts';
import { inTimeOfTransaction } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { findRailOwner } from '../providers/find-rail-owner.ts';
import { syncPayout } from '../withdrawals/run-payout.ts';
import { recordAsUnmatched } from './book-payment.ts';
import { isBeside } from './is-beside.ts';

/**
 * Books a payment that the PSP lists as sent: ends the withdrawal of ours that it belongs to, or
 * books a payment that was made in the PSP's own application as money that left without a request.
 * That waits for a decision, and so does what came back of either. Safe to call any number of
 * times, by any number of processes. Returns what was done, or `unchanged`. Throws
 * ProviderUnavailable when the PSP can't say.
 */
export async function bookSentPayment(deps: Deps, rail: string, sent: PixSentPayment): Promise<string> {
  const outcomes = [await bookSent(deps, rail, sent)];
  const ids = sent.returns.map(({ returnId }) => returnId);
  const known = ids.length === 0 ? new Set() : await findKnownPayments(deps.db.pool, rail, ids);
  for (const { returnId, amountCentavos, at } of sent.returns) {
    if (known.has(returnId)) continue;
    const payment = { endToEndId: returnId, txid: null, amountCentavos, paidAt: at, payerNote: null };
    outcomes.push(await recordAsUnmatched(deps, rail, payment));
  }
  return outcomes.filter((outcome) => outcome !== 'unchanged').join(' ') || 'unchanged';
}

async function bookSent(deps: Deps, rail: string, sent: PixSentPayment): Promise<string> {
  const { pool } = deps.db;
  // Without an id of ours, the withdrawal whose payment it is: one that has failed here may have
  // been paid all the same.
  const id = sent.payoutId
    ? txidToUuid(sent.payoutId)
    : await findPayoutOfPayment(pool, { rail, endToEndId: sent.endToEndId });
  const withdrawal = id ? await findWithdrawal(pool, id) : null;
  const isOwn = withdrawal && !hasEndedUnsent(withdrawal);
  if (isOwn && (withdrawal.rail === rail || (await isBeside(deps, rail, withdrawal)))) {
    const isKnown = sent.status === 'completed' ? withdrawal.status === 'paid' : sent.status === 'processing';
    if (isKnown) return 'unchanged';
    return syncPayout(await inTimeOfTransaction(deps, rail, withdrawal.id), withdrawal.id);
  }
  return sent.status === 'completed' ? recordAsForeign(deps, rail, sent) : 'unchanged';
}

/**
 * Whether a withdrawal has ended without having been sent from this database. Where the PSP has
 * paid it all the same, the database that was lost before a restore had sent it.
 */
const hasEndedUnsent = ({ status, payoutStep }: WithdrawalRow) =>
  payoutStep === null && (status === 'failed' || status === 'cancelled');

async function recordAsForeign(deps: Deps, rail: string, sent: PixSentPayment): Promise<string> {
  const { pool } = deps.db;
  // As with received payments, one from before the first sweep of this rail is not the service's.
  const since = await findFirstSweep(pool, rail);
  if (since && sent.sentAt.getTime() < since.getTime() - SWEEP_PLAN.sent_recent.lengthMs) return 'unchanged';
  // Until its end is known it is not booked a second time: a later sweep lists it again.
  if (sent.payoutId === null && (await mayBeWithdrawal(pool, { rail, centavos: sent.amountCentavos }))) {
    return 'unchanged';
  }
  const now = deps.clock();
  const id = uuidv7(now);
  const recorded = await recordForeignPayout(pool, {
    id,
    rail,
    mode: isSandboxRail(rail) ? 'test' : 'live',
    accountId: await findRailOwner(deps, rail),
    endToEndId: sent.endToEndId,
    centavos: sent.amountCentavos,
    sentAt: sent.sentAt,
    createdAt: now,
  });
  if (!recorded) return 'unchanged';
  deps.observe({ kind: 'ledger_posting', posting: 'foreign_payout' });
  deps.log.error(
    { foreignPayoutId: id, rail, endToEndId: sent.endToEndId },
    'Money left without a request of this service and waits for a decision.',
  );
  return 'foreign_payout';
}

import type { DisputeRow } from '#db/disputes/disputes.ts';
import { findDisputeAtPsp, markContested, moveDeadline, savePayer } from '#db/disputes/disputes-at-psp.ts';
import { findCreditedCharge } from '#db/refunds/foreign-refunds.ts';
import { canEnd, nextReminder } from '#domain/disputes/dispute-states.ts';
import type { PixDispute } from '#rails/ports.ts';
import { inTimeOfTransaction } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { BY_PSP } from './by-psp.ts';
import { endDispute, enterDispute, sealPayer } from './manage-disputes.ts';

/**
 * Updates a case from its state at the PSP: opens an unknown case, gives it the PSP's deadline,
 * and ends one that the PSP has decided. A case that was decided before it was seen is opened and
 * ended, so that the merchant is notified. An unknown state ends nothing. Safe to call any number
 * of times, by any number of processes. Returns what was done, or `unchanged`.
 */
export async function bookDispute(deps: Deps, rail: string, dispute: PixDispute): Promise<string> {
  const { pool } = deps.db;
  const { providerId, rawStatus } = dispute;
  if (dispute.status === null) {
    deps.log.warn({ rail, providerId, rawStatus }, 'A PSP says a state of a dispute that is not known.');
  }
  const known = await findDisputeAtPsp(pool, providerId);
  if (known) return follow(await inTimeOfTransaction(deps, rail, known.transactionId), known, dispute);
  const chargeId = await findCreditedCharge(pool, rail, dispute.endToEndId);
  if (chargeId === null) return markUnmatched(deps, rail, dispute);
  return open(await inTimeOfTransaction(deps, rail, chargeId), dispute, chargeId);
}

/** Opens a case that is not in the books, and ends it where the PSP has decided it. */
async function open(deps: Deps, dispute: PixDispute, chargeId: string): Promise<string> {
  const { pool } = deps.db;
  const { providerId } = dispute;
  const entered = await enter(deps, chargeId, dispute);
  if (entered !== 'opened' && entered !== 'linked') {
    deps.log.warn({ transactionId: chargeId, providerId, reason: entered }, 'A dispute of a PSP was not opened.');
    return 'unchanged';
  }
  deps.log.info({ transactionId: chargeId, providerId }, 'A payment is contested.');
  const row = await findDisputeAtPsp(pool, providerId);
  if (!row) throw new Error(`The dispute ${providerId} was opened and is not there.`);
  const payer = entered === 'linked' ? sealPayer(deps, row.id, dispute.payerDocument) : null;
  if (payer) await savePayer(pool, row.id, payer);
  const followed = await follow(deps, row, dispute);
  return followed === 'unchanged' ? entered : `${entered} ${followed}`;
}

async function enter(deps: Deps, chargeId: string, dispute: PixDispute) {
  const { providerId, reason, openedAt, answerBy, payerDocument } = dispute;
  const state = dispute.status ?? 'open';
  const fields = { chargeId, reason, answerBy, by: BY_PSP, atPsp: { providerId, state, openedAt, payerDocument } };
  const entered = await enterDispute(deps, { ...fields, centavos: dispute.amountCentavos });
  // The PSP's amount is more than was paid, so it is not used.
  return entered === 'too_much' ? enterDispute(deps, { ...fields, centavos: null }) : entered;
}

/** The PSP's deadline counts, and what it has decided is decided here too. */
async function follow(deps: Deps, row: DisputeRow, { providerId, status, answerBy }: PixDispute): Promise<string> {
  if (status === null || status === 'open' || status === 'answered') {
    if (answerBy === null || answerBy.getTime() === row.answerBy.getTime()) return 'unchanged';
    const now = deps.clock();
    const remindAt = nextReminder({ openedAt: row.openedAt, answerBy }, now);
    const isMoved = await moveDeadline(deps.db.pool, { id: row.id, answerBy, remindAt, now });
    return isMoved ? 'deadline_moved' : 'unchanged';
  }
  const outcome = await endDispute(deps, { id: row.id, to: status, by: BY_PSP });
  if (outcome === 'closed') {
    deps.log.info({ disputeId: row.id, providerId, outcome: status }, 'A dispute was decided.');
    return status;
  }
  const isSame = row.state === status || (row.state === 'returned' && status === 'lost');
  if (!isSame && !canEnd(row.state, status)) {
    deps.log.warn({ disputeId: row.id, ours: row.state, theirs: status }, 'A dispute ended otherwise at its PSP.');
  }
  return 'unchanged';
}

/**
 * Marks a contested payment that no account has been credited with: nothing can be held. Whoever
 * decides about the payment sees that it is contested, and the case is opened once the payment is
 * credited. A payment that is not in the books at all is only logged.
 */
async function markUnmatched(deps: Deps, rail: string, { providerId, endToEndId }: PixDispute): Promise<string> {
  const marked = await markContested(deps.db.pool, { rail, endToEndId, providerId });
  if (marked?.outcome === 'known') return 'unchanged';
  const fields = { rail, providerId, endToEndId, waitingId: marked?.id ?? null };
  if (!marked) {
    deps.log.warn(fields, 'A payment is contested that is not in the books.');
    return 'unchanged';
  }
  deps.log.error(fields, 'A payment that is not credited is contested.');
  return 'contested';
}

import { findCharge } from '#db/charges/charges.ts';
import type { DecidedBy } from '#db/connection/ask-decision.ts';
import {
  answerDispute,
  closeDispute,
  type DisputeOutcome,
  type DisputeRow,
  findDispute,
  listOpenDisputes,
  openDispute,
  remindOfDispute,
} from '#db/disputes/disputes.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import {
  ANSWER_WITHIN_MS,
  type DisputeAnswer,
  type DisputeEnd,
  type DisputeReason,
  nextReminder,
} from '#domain/disputes/dispute-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';
import { disputeEvent } from './dispute-event.ts';

/** Also beside a running service. */
type DisputeDeps = Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers'>;

/** Cases that have not ended, the one whose time ends first at first. */
export const listCases = ({ db }: Pick<Deps, 'db'>): Promise<DisputeRow[]> => listOpenDisputes(db.pool, SHOWN_MAX);

/**
 * Enters a case that the PSP has sent: holds what is contested, as much of it as the account
 * has, and notifies the merchant. `unknown_charge`: there is no such charge. `too_much`: more than
 * was paid.
 */
export async function enterDispute(
  deps: DisputeDeps,
  dispute: {
    chargeId: string;
    reason: DisputeReason;
    /** Null: all that was paid. */
    centavos: bigint | null;
    /** Null: the PSP says no date. */
    answerBy: Date | null;
    by: DecidedBy;
  },
): Promise<DisputeOutcome | 'unknown_charge' | 'too_much'> {
  const charge = await findCharge(deps.db.pool, dispute.chargeId);
  if (!charge) return 'unknown_charge';
  const centavos = dispute.centavos ?? charge.amountCentavos;
  if (centavos <= 0n || centavos > charge.amountCentavos) return 'too_much';
  const now = deps.clock();
  const { reason, by } = dispute;
  const answerBy = dispute.answerBy ?? new Date(now.getTime() + ANSWER_WITHIN_MS);
  const opened = { id: uuidv7(now), reason, centavos, answerBy };
  const event = disputeEvent('dispute.opened', charge, { ...opened, state: 'open' }, now);
  const row = { ...opened, transactionId: charge.id, providerId: null, openedAt: now };
  const outcome = await openDispute(deps.db.pool, { ...row, by, now, ...event });
  if (outcome === 'opened') deps.wakeWorkers();
  return outcome;
}

/** Keeps an answer to a case; `unknown`: there is no such case (of this account). */
export async function giveAnswer(
  deps: DisputeDeps,
  given: { id: string; accountId: string | null; answer: DisputeAnswer; text: string | null; by: DecidedBy },
): Promise<'answered' | 'decided' | 'too_late' | 'unknown'> {
  const { id, accountId, answer, text, by } = given;
  if (!(await findDispute(deps.db.pool, id, accountId))) return 'unknown';
  const sealed = text && deps.secretBox.seal(text, sealContext('disputes.answer_text', { id }));
  return answerDispute(deps.db.pool, { id, answer, text: sealed, by, now: deps.clock() });
}

/** Ends a case as the PSP has decided; `unknown`: there is no such case. */
export async function endDispute(
  deps: DisputeDeps,
  end: { id: string; to: DisputeEnd; by: DecidedBy },
): Promise<'closed' | 'decided' | 'unknown'> {
  const { id, to, by } = end;
  const dispute = await findDispute(deps.db.pool, id, null);
  const charge = dispute && (await findCharge(deps.db.pool, dispute.transactionId));
  if (!dispute || !charge) return 'unknown';
  if (dispute.state !== 'open' && dispute.state !== 'answered') return 'decided';
  const now = deps.clock();
  const event = disputeEvent('dispute.closed', charge, { ...dispute, state: to }, now);
  const outcome = await closeDispute(deps.db.pool, { id, from: dispute.state, to, by, now, ...event });
  if (outcome === 'closed') deps.wakeWorkers();
  return outcome;
}

/**
 * Notifies the merchant that a case still waits for an answer; gives the time of the next reminder,
 * or null.
 */
export async function remind(deps: Deps, id: string): Promise<Date | null> {
  const dispute = await findDispute(deps.db.pool, id, null);
  const charge = dispute && (await findCharge(deps.db.pool, dispute.transactionId));
  if (!dispute || !charge || dispute.state !== 'open') return null;
  const now = deps.clock();
  const event = disputeEvent('dispute.due_soon', charge, dispute, now);
  if (await remindOfDispute(deps.db.pool, { id, now, ...event })) deps.wakeWorkers();
  return nextReminder(dispute, now);
}

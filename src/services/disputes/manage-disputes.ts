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
  type SealedPayer,
} from '#db/disputes/disputes.ts';
import { listEndedDisputes } from '#db/disputes/list-disputes.ts';
import { CUSTOMER_DOCUMENT_INDEX, sealContext } from '#db/encryption/sealed-columns.ts';
import type { Task } from '#db/tasks/tasks.ts';
import {
  ANSWER_WITHIN_MS,
  canEnd,
  type DisputeAnswer,
  type DisputeEnd,
  type DisputeReason,
  type DisputeState,
  nextReminder,
} from '#domain/disputes/dispute-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { timeOfAccount } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';
import { disputeEvent } from './dispute-event.ts';

/** Also used by the command line beside a running service. */
type DisputeDeps = Pick<Deps, 'db' | 'clock' | 'testClock' | 'secretBox' | 'wakeWorkers'>;

/** Lists open cases, the one with the earliest deadline first. */
export const listCases = ({ db }: Pick<Deps, 'db'>): Promise<DisputeRow[]> => listOpenDisputes(db.pool, SHOWN_MAX);

/** Cases that have ended, newest first, page by page; `next` is null at the end. */
export async function listEndedCases(
  { db }: Pick<Deps, 'db'>,
  { before, limit }: { before: string | null; limit: number },
): Promise<{ cases: DisputeRow[]; next: string | null }> {
  const found = await listEndedDisputes(db.pool, { before, limit: limit + 1 });
  const cases = found.slice(0, limit);
  return { cases, next: found.length > limit ? (cases.at(-1)?.id ?? null) : null };
}

/**
 * Enters a case that the PSP has sent: holds what is contested, as much of it as the account
 * has, and notifies the merchant. `unknown_charge`: there is no such charge. `too_much`: more than
 * was paid, or not above zero.
 */
export async function enterDispute(
  deps: DisputeDeps,
  dispute: {
    chargeId: string;
    reason: DisputeReason;
    /** Null: all that was paid. */
    centavos: bigint | null;
    /** Null when the PSP gives no deadline. */
    answerBy: Date | null;
    by: DecidedBy;
    /** The case's id, state and time at the PSP; absent where the operator enters the case. */
    atPsp?: { providerId: string; state: DisputeState; openedAt: Date | null; payerDocument: string | null };
  },
): Promise<DisputeOutcome | 'unknown_charge' | 'too_much'> {
  const charge = await findCharge(deps.db.pool, dispute.chargeId);
  if (!charge) return 'unknown_charge';
  const centavos = dispute.centavos ?? charge.amountCentavos;
  if (centavos <= 0n || centavos > charge.amountCentavos) return 'too_much';
  const now = await timeOfAccount(deps, charge.accountId);
  const { reason, by, atPsp } = dispute;
  const id = uuidv7(now);
  const openedAt = new Date(Math.min(atPsp?.openedAt?.getTime() ?? now.getTime(), now.getTime()));
  const answerBy = dispute.answerBy ?? new Date(openedAt.getTime() + ANSWER_WITHIN_MS);
  const opened = { id, reason, centavos, answerBy };
  const event = disputeEvent(deps, 'dispute.opened', charge, { ...opened, state: 'open' }, now);
  const outcome = await openDispute(deps.db.pool, {
    ...{ ...opened, ...event, openedAt, by, now },
    transactionId: charge.id,
    providerId: atPsp?.providerId ?? null,
    state: atPsp?.state ?? 'open',
    payer: sealPayer(deps, id, atPsp?.payerDocument ?? null),
  });
  if (outcome === 'opened' || outcome === 'linked') deps.wakeWorkers();
  return outcome;
}

/**
 * Seals the document of the payer of a contested payment, so that later charges to them are
 * recognised; null where it is not known.
 */
export function sealPayer(
  { secretBox }: Pick<Deps, 'secretBox'>,
  id: string,
  document: string | null,
): SealedPayer | null {
  if (document === null) return null;
  return {
    document: secretBox.seal(document, sealContext('disputes.payer_document', { id })),
    index: secretBox.fingerprint(document, CUSTOMER_DOCUMENT_INDEX),
  };
}

/**
 * Keeps an answer to a case, and has it sent where the PSP takes answers; `unknown`: there is no
 * such case (of this account).
 */
export async function giveAnswer(
  deps: DisputeDeps,
  given: { id: string; accountId: string | null; answer: DisputeAnswer; text: string | null; by: DecidedBy },
): Promise<'answered' | 'decided' | 'too_late' | 'unknown'> {
  const { id, accountId, answer, text, by } = given;
  const dispute = await findDispute(deps.db.pool, id, accountId);
  if (!dispute) return 'unknown';
  const now = await timeOfAccount(deps, dispute.accountId);
  const sealed = text && deps.secretBox.seal(text, sealContext('disputes.answer_text', { id }));
  const outcome = await answerDispute(deps.db.pool, { id, answer, text: sealed, by, now });
  if (outcome === 'answered') deps.wakeWorkers();
  return outcome;
}

/**
 * Ends a case as the PSP has decided; `unknown`: there is no such case. `unlessLost`: whoever ends
 * it takes it for undecided, so that one that was lost meanwhile stays lost.
 */
export async function endDispute(
  deps: DisputeDeps,
  end: { id: string; to: DisputeEnd; by: DecidedBy; unlessLost?: boolean },
): Promise<'closed' | 'decided' | 'unknown'> {
  const { id, to, by, unlessLost = false } = end;
  const dispute = await findDispute(deps.db.pool, id, null);
  const charge = dispute && (await findCharge(deps.db.pool, dispute.transactionId));
  if (!dispute || !charge) return 'unknown';
  const { state } = dispute;
  if (!canEnd(state, to) || (unlessLost && state === 'lost')) return 'decided';
  const now = await timeOfAccount(deps, dispute.accountId);
  const event = disputeEvent(deps, 'dispute.closed', charge, { ...dispute, state: to }, now);
  const outcome = await closeDispute(deps.db.pool, { id, from: state, to, by, now, ...event });
  // It may have been answered meanwhile.
  if (outcome === 'decided' && state === 'open') return endDispute(deps, end);
  if (outcome === 'closed') deps.wakeWorkers();
  return outcome;
}

/**
 * Notifies the merchant that a case still waits for an answer. `kept`: the task was planned for the
 * next reminder, or ended, with the event, in one commit. `done`: nobody is to be reminded.
 */
export async function remind(deps: Deps, task: Task): Promise<'done' | 'kept'> {
  const dispute = await findDispute(deps.db.pool, task.subjectId, null);
  const charge = dispute && (await findCharge(deps.db.pool, dispute.transactionId));
  if (!dispute || !charge || dispute.state !== 'open') return 'done';
  const now = deps.clock();
  const event = disputeEvent(deps, 'dispute.due_soon', charge, dispute, now);
  const next = nextReminder(dispute, now);
  if (!(await remindOfDispute(deps.db.pool, { task, next, now, ...event }))) return 'done';
  deps.wakeWorkers();
  return 'kept';
}

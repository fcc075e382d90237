import type pg from 'pg';
import type { DisputeAnswer, DisputeEnd, DisputeReason, DisputeState } from '#domain/disputes/dispute-states.ts';
import { auditColumns, type DecidedBy } from '../connection/ask-decision.ts';
import type { Task } from '../tasks/tasks.ts';

export type DisputeRow = {
  id: string;
  accountId: string;
  transactionId: string;
  providerId: string | null;
  reason: DisputeReason;
  centavos: bigint;
  /** What of it is held now. */
  heldCentavos: bigint;
  /** What went back to the payer. */
  returnedCentavos: bigint;
  state: DisputeState;
  openedAt: Date;
  answerBy: Date;
  answer: DisputeAnswer | null;
  /** Sealed. */
  answerText: string | null;
  answeredBy: string | null;
  answeredAt: Date | null;
  /** When it was last sent to the PSP, whatever came of it. */
  answerAskedAt: Date | null;
  /** When the PSP was known to have it; null also where the operator forwards it. */
  answerSentAt: Date | null;
  /** Why the PSP did not take it. */
  answerRejection: string | null;
  closedAt: Date | null;
};

export const DISPUTE_COLUMNS = `d.id, d.account_id AS "accountId", d.transaction_id AS "transactionId", d.provider_id AS "providerId", d.reason,
  d.centavos, d.held_centavos AS "heldCentavos", d.returned_centavos AS "returnedCentavos", d.state, d.opened_at AS "openedAt",
  d.answer_by AS "answerBy", d.answer, d.answer_text AS "answerText", d.answered_by AS "answeredBy", d.answered_at AS "answeredAt",
  d.answer_asked_at AS "answerAskedAt", d.answer_sent_at AS "answerSentAt", d.answer_rejection AS "answerRejection",
  d.closed_at AS "closedAt"`;

/**
 * Orders the cases d of a payment: the one that has not ended, of which there is at most one, then
 * the others, the newest first. Not by `opened_at`, which is the PSP's: a case that the PSP opened
 * earlier may be seen here after another one has ended.
 */
export const OPEN_DISPUTE_FIRST = "d.state IN ('open', 'answered', 'lost') DESC, d.id DESC";

/** A payer's document, sealed, and its fingerprint. */
export type SealedPayer = { document: string; index: Buffer };

type Outbox = { eventId: string; eventBody: string };

/**
 * `linked`: it was there without the PSP's id, and has it now. `known`: another case about this
 * payment is open. `not_paid`: the charge has no payment.
 */
export type DisputeOutcome = 'opened' | 'linked' | 'known' | 'not_paid';

/** Opens a case and holds its money, as much of it as the account has. */
export async function openDispute(
  db: pg.Pool,
  dispute: Pick<
    DisputeRow,
    'id' | 'transactionId' | 'providerId' | 'reason' | 'centavos' | 'state' | 'openedAt' | 'answerBy'
  > & {
    payer: SealedPayer | null;
    by: DecidedBy;
    now: Date;
  } & Outbox,
): Promise<DisputeOutcome> {
  const row = {
    id: dispute.id,
    transaction_id: dispute.transactionId,
    provider_id: dispute.providerId,
    reason: dispute.reason,
    centavos: String(dispute.centavos),
    state: dispute.state,
    payer_document: dispute.payer?.document ?? null,
    payer_document_index: dispute.payer && `\\x${dispute.payer.index.toString('hex')}`,
    opened_at: dispute.openedAt,
    answer_by: dispute.answerBy,
  };
  const { rows } = await db.query<{ outcome: DisputeOutcome }>({
    name: 'dispute-open',
    text: 'SELECT dispute_open($1, $2, $3, $4, $5) AS outcome',
    values: [JSON.stringify(row), auditColumns(dispute.by), dispute.now, dispute.eventId, dispute.eventBody],
  });
  if (!rows[0]) throw new Error('dispute_open answered nothing.');
  return rows[0].outcome;
}

/**
 * Writes the answer to a case. `decided`: it waits for no answer. `too_late`: its deadline is over.
 */
export async function answerDispute(
  db: pg.Pool,
  answer: { id: string; answer: DisputeAnswer; text: string | null; by: DecidedBy; now: Date },
): Promise<'answered' | 'decided' | 'too_late'> {
  const { rows } = await db.query<{ outcome: 'answered' | 'decided' | 'too_late' }>({
    name: 'dispute-write-answer',
    text: 'SELECT dispute_write_answer($1, $2, $3, $4, $5) AS outcome',
    values: [answer.id, answer.answer, answer.text, auditColumns(answer.by), answer.now],
  });
  if (!rows[0]) throw new Error('dispute_write_answer answered nothing.');
  return rows[0].outcome;
}

/** Ends a case; `decided`: its state is not `from` any more. */
export async function closeDispute(
  db: pg.Pool,
  end: { id: string; from: DisputeState; to: DisputeEnd; by: DecidedBy; now: Date } & Outbox,
): Promise<'closed' | 'decided'> {
  const { rows } = await db.query<{ outcome: 'closed' | 'decided' }>({
    name: 'dispute-close',
    text: 'SELECT dispute_close($1, $2, $3, $4, $5, $6, $7) AS outcome',
    values: [end.id, end.from, end.to, auditColumns(end.by), end.now, end.eventId, end.eventBody],
  });
  if (!rows[0]) throw new Error('dispute_close answered nothing.');
  return rows[0].outcome;
}

/**
 * Emits the event that a case still waits for an answer and plans the next one, or ends the task
 * where `next` is null, in one commit. False, with nothing done, when the case waits for no answer,
 * and with a lost claim.
 */
export async function remindOfDispute(
  db: pg.Pool,
  reminder: { task: Task; next: Date | null; now: Date } & Outbox,
): Promise<boolean> {
  const { task, next, now, eventId, eventBody } = reminder;
  const { rows } = await db.query<{ reminded: boolean }>({
    name: 'dispute-remind',
    text: 'SELECT dispute_remind($1, $2, $3, $4, $5, $6) AS reminded',
    values: [task.subjectId, task.leaseUntil, next, now, eventId, eventBody],
  });
  return rows[0]?.reminded ?? false;
}

/** A case, or null; `accountId`: only one of this account, null: of any. */
export async function findDispute(db: pg.Pool, id: string, accountId: string | null): Promise<DisputeRow | null> {
  const { rows } = await db.query<DisputeRow>({
    name: 'find-dispute',
    text: `SELECT ${DISPUTE_COLUMNS} FROM disputes d WHERE d.id = $1`,
    values: [id],
  });
  const [found] = rows;
  return found && (accountId === null || found.accountId === accountId) ? found : null;
}

/** Cases of the installation that have not ended, the one with the earliest deadline first. */
export async function listOpenDisputes(db: pg.Pool, limit: number): Promise<DisputeRow[]> {
  const { rows } = await db.query<DisputeRow>({
    name: 'list-open-disputes',
    text: `SELECT ${DISPUTE_COLUMNS} FROM disputes d WHERE d.state IN ('open', 'answered', 'lost') ORDER BY d.answer_by LIMIT $1`,
    values: [limit],
  });
  return rows;
}

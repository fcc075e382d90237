import type pg from 'pg';
import { auditColumns, type DecidedBy } from '../connection/ask-decision.ts';
import { DISPUTE_COLUMNS, type DisputeRow, type SealedPayer } from './disputes.ts';

/** A case by the PSP's own id of it; null when there is none. */
export async function findDisputeAtPsp(db: pg.Pool, providerId: string): Promise<DisputeRow | null> {
  const { rows } = await db.query<DisputeRow>({
    name: 'find-dispute-at-psp',
    text: `SELECT ${DISPUTE_COLUMNS} FROM disputes d WHERE d.provider_id = $1`,
    values: [providerId],
  });
  return rows[0] ?? null;
}

/**
 * Gives a case that has not ended another deadline, and plans its next reminder, where there is
 * one. False when it has ended, or has that deadline.
 */
export async function moveDeadline(
  db: pg.Pool,
  move: { id: string; answerBy: Date; remindAt: Date | null; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ moved: boolean }>({
    name: 'dispute-move-deadline',
    text: 'SELECT dispute_move_deadline($1, $2, $3, $4) AS moved',
    values: [move.id, move.answerBy, move.remindAt, move.now],
  });
  return rows[0]?.moved ?? false;
}

/** Stores the payer of a case that was opened before the PSP named the payer. */
export async function savePayer(db: pg.Pool, id: string, payer: SealedPayer): Promise<void> {
  await db.query({
    name: 'save-dispute-payer',
    text: 'UPDATE disputes SET payer_document = $2, payer_document_index = $3 WHERE id = $1 AND payer_document IS NULL',
    values: [id, payer.document, payer.index],
  });
}

/**
 * When the oldest payment was made that is contested at the PSP of this rail, or was contested
 * before it was credited and has no case yet; null when there is none.
 */
export async function findOldestContested(db: pg.Pool, rail: string): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>({
    name: 'find-oldest-contested',
    text: `SELECT min(contested.paid_at) AS at FROM (
        SELECT x.paid_at FROM disputes d JOIN transactions x ON x.id = d.transaction_id
        WHERE d.state IN ('open', 'answered') AND x.rail = ANY (rails_beside($1))
        UNION ALL SELECT u.paid_at FROM unmatched_payments u
        WHERE u.rail = ANY (rails_beside($1)) AND u.contested_as IS NOT NULL AND u.state IN ('assigned', 'deposited')
          AND NOT EXISTS (SELECT FROM disputes d WHERE d.provider_id = u.contested_as)
        UNION ALL SELECT r.paid_at FROM reviews r JOIN transactions x ON x.id = r.transaction_id
        WHERE x.rail = ANY (rails_beside($1)) AND r.contested_as IS NOT NULL AND r.resolution = 'credit'
          AND NOT EXISTS (SELECT FROM disputes d WHERE d.provider_id = r.contested_as)) AS contested`,
    values: [rail],
  });
  return rows[0]?.at ?? null;
}

/**
 * The end-to-end ids of this rail's payments that were lost since `since` and whose devolução is
 * still to come, the last lost first.
 */
export async function findLostPayments(
  db: pg.Pool,
  of: { rail: string; since: Date; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ endToEndId: string }>({
    name: 'find-lost-payments',
    text: `SELECT x.end_to_end_id AS "endToEndId" FROM disputes d JOIN transactions x ON x.id = d.transaction_id
      WHERE d.state = 'lost' AND d.closed_at >= $2 AND x.rail = ANY (rails_beside($1))
        AND x.end_to_end_id IS NOT NULL ORDER BY d.closed_at DESC LIMIT $3`,
    values: [of.rail, of.since, of.limit],
  });
  return rows.map(({ endToEndId }) => endToEndId);
}

/**
 * Notes that a payment without a charge, or in review, is contested: `marked` now, or `known`; null
 * when there is no such payment. `id` is that of the unmatched payment or of the review.
 */
export async function markContested(
  db: pg.Pool,
  of: { rail: string; endToEndId: string; providerId: string },
): Promise<{ id: string; outcome: 'marked' | 'known' } | null> {
  const { rows } = await db.query<{ id: string; outcome: 'marked' | 'known' }>({
    name: 'mark-contested',
    text: `WITH marked AS (
        UPDATE unmatched_payments SET contested_as = $3
        WHERE end_to_end_id = $2 AND rail = ANY (rails_beside($1)) AND contested_as IS NULL RETURNING id),
      reviewed AS (
        UPDATE reviews r SET contested_as = $3 FROM transactions x
        WHERE r.end_to_end_id = $2 AND x.id = r.transaction_id AND x.type = 'pix_in' AND x.rail = ANY (rails_beside($1))
          AND r.contested_as IS NULL RETURNING r.id)
      SELECT u.id, CASE WHEN u.contested_as IS NULL THEN 'marked' ELSE 'known' END AS outcome
      FROM unmatched_payments u WHERE u.end_to_end_id = $2 AND u.rail = ANY (rails_beside($1))
      UNION ALL
      SELECT r.id, CASE WHEN r.contested_as IS NULL THEN 'marked' ELSE 'known' END
      FROM reviews r JOIN transactions x ON x.id = r.transaction_id
      WHERE r.end_to_end_id = $2 AND x.type = 'pix_in' AND x.rail = ANY (rails_beside($1))`,
    values: [of.rail, of.endToEndId, of.providerId],
  });
  return rows[0] ?? null;
}

/**
 * Claims the sending of an answer. False when another process has claimed it since `askedAt`, or
 * its outcome is known.
 */
export async function claimAnswer(
  db: pg.Pool,
  claim: { id: string; askedAt: Date | null; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'claim-dispute-answer',
    text: `UPDATE disputes SET answer_asked_at = $3
      WHERE id = $1 AND answer IS NOT NULL AND answer_asked_at IS NOT DISTINCT FROM $2
        AND answer_sent_at IS NULL AND answer_rejection IS NULL`,
    values: [claim.id, claim.askedAt, claim.now],
  });
  return rowCount === 1;
}

/**
 * Stores the outcome of an answer at the PSP; `rejection`: why it was not taken, null when it was.
 * False, with nothing changed, when an outcome is stored already; only a rejection may still be
 * followed by the answer being taken.
 */
export async function noteAnswer(
  db: pg.Pool,
  note: { id: string; rejection: string | null; by: DecidedBy; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ noted: boolean }>({
    name: 'dispute-note-answer',
    text: 'SELECT dispute_note_answer($1, $2, $3, $4) AS noted',
    values: [note.id, note.rejection, auditColumns(note.by), note.now],
  });
  return rows[0]?.noted ?? false;
}

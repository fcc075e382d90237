import type pg from 'pg';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { askDecision, auditColumns, type DecidedBy } from '../connection/ask-decision.ts';

/** Money that left a provider without a request of the service. */
export type ForeignPayoutRow = {
  id: string;
  rail: string;
  mode: 'live' | 'test';
  /** Whose credentials they are; null: the installation's. */
  accountId: string | null;
  endToEndId: string;
  centavos: bigint;
  sentAt: Date;
  state: 'open' | 'written_off' | 'charged';
  /** The withdrawal of the account that pays for it. */
  transactionId: string | null;
  reason: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  createdAt: Date;
};

const COLUMNS = `p.id, p.rail, p.mode, p.account_id AS "accountId", p.end_to_end_id AS "endToEndId", p.centavos,
  p.sent_at AS "sentAt", p.state, p.transaction_id AS "transactionId", p.reason, p.decided_by AS "decidedBy", p.decided_at AS "decidedAt",
  p.created_at AS "createdAt"`;

/** Books a payout against suspense, once. Returns false when it is known already. */
export async function recordForeignPayout(
  db: pg.Pool,
  payout: Omit<ForeignPayoutRow, 'state' | 'transactionId' | 'reason' | 'decidedBy' | 'decidedAt'>,
): Promise<boolean> {
  const row = {
    id: payout.id,
    rail: payout.rail,
    mode: payout.mode,
    account_id: payout.accountId,
    end_to_end_id: payout.endToEndId,
    centavos: String(payout.centavos),
    sent_at: payout.sentAt,
    created_at: payout.createdAt,
  };
  const { rows } = await db.query<{ recorded: boolean }>({
    name: 'foreign-payout-record',
    text: 'SELECT foreign_payout_record($1) AS recorded',
    values: [JSON.stringify(row)],
  });
  return rows[0]?.recorded ?? false;
}

/**
 * Whether a payment that was sent, and that its PSP lists without an id of ours, may be a
 * withdrawal of ours: one of this amount is under way, and its end-to-end id is not known yet.
 */
export async function mayBeWithdrawal(db: pg.Pool, sent: { rail: string; centavos: bigint }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'may-be-withdrawal',
    text: `SELECT FROM tasks k JOIN transactions t ON t.id = k.subject_id
      WHERE k.kind = 'payout' AND t.rail = ANY (rails_beside($1)) AND t.amount_centavos = $2
        AND t.type = 'pix_out' AND t.payout_step IS NOT NULL AND t.end_to_end_id IS NULL LIMIT 1`,
    values: [sent.rail, sent.centavos],
  });
  return rowCount !== 0;
}

/** Whether an account was charged for a payment, by another withdrawal than `id`. */
export async function isChargedOtherwise(
  db: pg.Pool,
  payment: { id: string; rail: string; endToEndId: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-charged-otherwise',
    text: `SELECT FROM foreign_payouts p WHERE p.end_to_end_id = $1 AND p.rail = ANY (rails_beside($2))
        AND p.state = 'charged' AND p.transaction_id <> $3`,
    values: [payment.endToEndId, payment.rail, payment.id],
  });
  return rowCount !== 0;
}

export async function findForeignPayout(db: pg.Pool, id: string): Promise<ForeignPayoutRow | null> {
  const { rows } = await db.query<ForeignPayoutRow>({
    name: 'find-foreign-payout',
    text: `SELECT ${COLUMNS} FROM foreign_payouts p WHERE p.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/**
 * Those that wait for a decision, the oldest first; or all of them, the newest first. One that
 * belongs to a withdrawal in review waits for that review alone. `accountId`: only those over this
 * account's own credentials.
 */
export async function listForeignPayouts(
  db: pg.Pool,
  { waiting, accountId, limit }: { waiting: boolean; accountId: string | null; limit: number },
): Promise<ForeignPayoutRow[]> {
  const { rows } = waiting
    ? await db.query<ForeignPayoutRow>({
        name: 'list-open-foreign-payouts',
        text: `SELECT ${COLUMNS} FROM foreign_payouts p
          WHERE p.state = 'open' AND ($1::uuid IS NULL OR p.account_id = $1) AND NOT foreign_payout_is_in_review(p.id) ORDER BY p.created_at LIMIT $2`,
        values: [accountId, limit],
      })
    : accountId === null
      ? await db.query<ForeignPayoutRow>({
          name: 'list-all-foreign-payouts',
          text: `SELECT ${COLUMNS} FROM foreign_payouts p WHERE p.id < $2 ORDER BY p.id DESC LIMIT $1`,
          values: [limit, LAST_UUID],
        })
      : await db.query<ForeignPayoutRow>({
          name: 'list-foreign-payouts-of-account',
          text: `SELECT ${COLUMNS} FROM foreign_payouts p WHERE p.account_id = $1 ORDER BY p.id DESC LIMIT $2`,
          values: [accountId, limit],
        });
  return rows;
}

/**
 * `decided`: it waits for no decision (any more). `other_rail`: the account is of the other mode,
 * or the credentials are another account's own.
 */
export type ForeignPayoutOutcome = 'written_off' | 'charged' | 'decided' | 'other_rail';

type Decision = { id: string; reason: string; by: DecidedBy; now: Date };

/** Writes a payout off: the platform takes the loss. */
export const writeOffForeignPayout = (db: pg.Pool, decision: Decision): Promise<ForeignPayoutOutcome> =>
  askDecision(db, 'SELECT foreign_payout_write_off($1, $2, $3, $4) AS outcome', [
    decision.id,
    decision.reason,
    auditColumns(decision.by),
    decision.now,
  ]);

/** Has an account pay for a payout, by a withdrawal of its own with the id `transactionId`. */
export const chargeForeignPayout = (
  db: pg.Pool,
  decision: Decision & {
    transactionId: string;
    toAccountId: string;
    eventId: string;
    eventType: string;
    eventBody: string;
  },
): Promise<ForeignPayoutOutcome> =>
  askDecision(db, 'SELECT foreign_payout_charge($1, $2, $3, $4, $5, $6, $7, $8, $9) AS outcome', [
    decision.id,
    decision.transactionId,
    decision.toAccountId,
    decision.reason,
    auditColumns(decision.by),
    decision.now,
    decision.eventId,
    decision.eventType,
    decision.eventBody,
  ]);

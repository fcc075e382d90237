import type pg from 'pg';
import type { ChargeStatus } from '#domain/transactions/transaction-states.ts';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { askDecision, auditColumns, type DecidedBy } from '../connection/ask-decision.ts';

export type UnmatchedState = 'open' | 'assigned' | 'deposited' | 'returning' | 'returned';

export type UnmatchedRow = {
  id: string;
  rail: string;
  mode: 'live' | 'test';
  /** Whose credentials they are; null: the installation's. */
  accountId: string | null;
  endToEndId: string;
  txid: string | null;
  centavos: bigint;
  /** What of it went back to the payer. */
  returnedCentavos: bigint;
  paidAt: Date;
  /** Sealed. */
  payerNote: string | null;
  state: UnmatchedState;
  /** The PSP's id of a case (MED) about it. */
  contestedAs: string | null;
  transactionId: string | null;
  reason: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  createdAt: Date;
};

type Outbox = { eventId: string; eventBody: string };
type Split = ({ id: string } & Outbox) | null;

const COLUMNS = `u.id, u.rail, u.mode, u.account_id AS "accountId", u.end_to_end_id AS "endToEndId", u.txid, u.centavos,
  u.returned_centavos AS "returnedCentavos", u.paid_at AS "paidAt", u.payer_note AS "payerNote", u.state, u.contested_as AS "contestedAs",
  u.transaction_id AS "transactionId", u.reason, u.decided_by AS "decidedBy", u.decided_at AS "decidedAt", u.created_at AS "createdAt"`;

/** Puts a payment without a charge into suspense, once. False: the payment is known. */
export async function recordUnmatched(
  db: pg.Pool,
  payment: Pick<
    UnmatchedRow,
    'id' | 'rail' | 'mode' | 'accountId' | 'endToEndId' | 'txid' | 'centavos' | 'paidAt' | 'payerNote' | 'createdAt'
  >,
): Promise<boolean> {
  const row = {
    id: payment.id,
    rail: payment.rail,
    mode: payment.mode,
    account_id: payment.accountId,
    end_to_end_id: payment.endToEndId,
    txid: payment.txid,
    centavos: String(payment.centavos),
    paid_at: payment.paidAt,
    payer_note: payment.payerNote,
    created_at: payment.createdAt,
  };
  const { rows } = await db.query<{ recorded: boolean }>({
    name: 'unmatched-record',
    text: 'SELECT unmatched_record($1) AS recorded',
    values: [JSON.stringify(row)],
  });
  return rows[0]?.recorded ?? false;
}

/**
 * The end-to-end ids of those payments that are known, as those of a charge, in a review or in the
 * inbox: of this rail, or of one beside it, over other credentials of the same account.
 */
export async function findKnownPayments(
  db: pg.Pool,
  rail: string,
  endToEndIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-known-payments',
    text: `WITH beside AS MATERIALIZED (SELECT rails_beside($1) AS rails)
      SELECT end_to_end_id AS id FROM transactions
        WHERE rail = ANY ((SELECT rails FROM beside)::text[]) AND end_to_end_id = ANY ($2) AND type = 'pix_in'
      UNION ALL SELECT end_to_end_id FROM unmatched_payments
        WHERE rail = ANY ((SELECT rails FROM beside)::text[]) AND end_to_end_id = ANY ($2)
      UNION ALL SELECT r.end_to_end_id FROM reviews r JOIN transactions x ON x.id = r.transaction_id
        WHERE r.end_to_end_id = ANY ($2) AND x.rail = ANY ((SELECT rails FROM beside)::text[])`,
    values: [rail, endToEndIds],
  });
  return new Set(rows.map(({ id }) => id));
}

export async function findUnmatched(db: pg.Pool, id: string): Promise<UnmatchedRow | null> {
  const { rows } = await db.query<UnmatchedRow>({
    name: 'find-unmatched',
    text: `SELECT ${COLUMNS} FROM unmatched_payments u WHERE u.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Those that wait for a decision, the oldest first; or all of them, the newest first. */
export async function listUnmatched(
  db: pg.Pool,
  which: { waiting: boolean; accountId: string | null; limit: number },
): Promise<UnmatchedRow[]> {
  const { waiting, accountId, limit } = which;
  const { rows } = waiting
    ? await db.query<UnmatchedRow>({
        name: 'list-open-unmatched',
        text: `SELECT ${COLUMNS} FROM unmatched_payments u
          WHERE u.state IN ('open', 'returning') AND ($1::uuid IS NULL OR u.account_id = $1)
          ORDER BY u.created_at LIMIT $2`,
        values: [accountId, limit],
      })
    : accountId === null
      ? await db.query<UnmatchedRow>({
          name: 'list-all-unmatched',
          text: `SELECT ${COLUMNS} FROM unmatched_payments u WHERE u.id < $2 ORDER BY u.id DESC LIMIT $1`,
          values: [limit, LAST_UUID],
        })
      : await db.query<UnmatchedRow>({
          name: 'list-unmatched-of-account',
          text: `SELECT ${COLUMNS} FROM unmatched_payments u WHERE u.account_id = $1 ORDER BY u.id DESC LIMIT $2`,
          values: [accountId, limit],
        });
  return rows;
}

/**
 * `decided`: it waits for no decision any more, or another part of it is left than the caller saw.
 * `other_rail`: the charge or the account is not of the payment's credentials or mode. `not_open`:
 * the charge is not `from` any more.
 */
export type UnmatchedOutcome = 'assigned' | 'deposited' | 'returning' | 'decided' | 'other_rail' | 'not_open';

type Decision = { id: string; leftCentavos: bigint; reason: string; by: DecidedBy; now: Date };

/** Credits an unmatched payment as that of a charge, whose amount becomes that of the payment. */
export function assignUnmatched(
  db: pg.Pool,
  decision: Decision & {
    transactionId: string;
    from: ChargeStatus;
    feeCentavos: bigint;
    split: Split;
  } & Outbox,
): Promise<UnmatchedOutcome> {
  return askDecision(db, 'SELECT unmatched_assign($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS outcome', [
    decision.id,
    decision.leftCentavos,
    decision.transactionId,
    decision.from,
    decision.feeCentavos,
    decision.reason,
    auditColumns(decision.by),
    decision.now,
    decision.eventId,
    decision.eventBody,
    decision.split?.id ?? null,
    decision.split?.eventId ?? null,
    decision.split?.eventBody ?? null,
  ]);
}

/** The row of a payment that is credited without a charge. */
export type Deposit = { id: string; accountId: string; rail: string; amountCentavos: bigint; feeCentavos: bigint };

export const depositRow = (deposit: Deposit): string =>
  JSON.stringify({
    id: deposit.id,
    account_id: deposit.accountId,
    rail: deposit.rail,
    amount_centavos: String(deposit.amountCentavos),
    fee_centavos: String(deposit.feeCentavos),
  });

/** Credits an unmatched payment to an account, without a charge. */
export function depositUnmatched(
  db: pg.Pool,
  decision: Decision & { deposit: Deposit } & Outbox,
): Promise<UnmatchedOutcome> {
  return askDecision(db, 'SELECT unmatched_deposit($1, $2, $3, $4, $5, $6, $7, $8) AS outcome', [
    decision.id,
    decision.leftCentavos,
    depositRow(decision.deposit),
    decision.reason,
    auditColumns(decision.by),
    decision.now,
    decision.eventId,
    decision.eventBody,
  ]);
}

/** Has an unmatched payment sent back to its payer, under `returnId`. */
export function returnUnmatched(db: pg.Pool, decision: Decision & { returnId: string }): Promise<UnmatchedOutcome> {
  return askDecision(db, 'SELECT unmatched_return($1, $2, $3, $4, $5, $6) AS outcome', [
    decision.id,
    decision.leftCentavos,
    decision.returnId,
    decision.reason,
    auditColumns(decision.by),
    decision.now,
  ]);
}

import type pg from 'pg';
import type { InvoiceSubStatus } from '#domain/invoices/invoice-settlement.ts';
import type { ChargeStatus, TransactionStatus, TransactionType } from '#domain/transactions/transaction-states.ts';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { askDecision, auditColumns, type DecidedBy } from '../connection/ask-decision.ts';
import type { ForeignPayoutRow } from '../unmatched/foreign-payouts.ts';
import { type Deposit, depositRow } from '../unmatched/unmatched.ts';

export type ReviewRow = {
  id: string;
  transactionId: string;
  accountId: string;
  merchantName: string;
  mode: 'live' | 'test';
  type: TransactionType;
  status: TransactionStatus;
  rail: string;
  reason: string;
  expectedCentavos: bigint;
  receivedCentavos: bigint;
  returnedCentavos: bigint;
  /** Of the transaction. */
  feeCentavos: bigint;
  netCentavos: bigint;
  /** The PIX payment's end-to-end id; of an invoice the units before its increment. */
  endToEndId: string;
  /** When the payer paid; null where nobody did. */
  paidAt: Date | null;
  createdAt: Date;
  /** The PSP's id of a case (MED) about it. */
  contestedAs: string | null;
  /**
   * Of a withdrawal that left after it had failed: the state of what was booked of its payout as
   * not requested; null where nothing was.
   */
  foreignState: ForeignPayoutRow['state'] | null;
  /** Its money is on its way back to the payer. */
  isReturning: boolean;
  resolvedAt: Date | null;
  resolution: string | null;
  resolutionReason: string | null;
  resolvedBy: string | null;
};

const COLUMNS = `r.id, r.transaction_id AS "transactionId", x.account_id AS "accountId", m.name AS "merchantName", a.mode, x.type,
  x.status, x.rail, r.reason, r.expected_centavos AS "expectedCentavos", r.received_centavos AS "receivedCentavos",
  r.returned_centavos AS "returnedCentavos", x.fee_centavos AS "feeCentavos", x.net_centavos AS "netCentavos", r.end_to_end_id AS "endToEndId", r.paid_at AS "paidAt", r.created_at AS "createdAt",
  r.contested_as AS "contestedAs", (SELECT count(*) FROM payment_returns p WHERE p.review_id = r.id AND p.status = 'pending') > 0 AS "isReturning",
  (SELECT f.state FROM foreign_payouts f WHERE f.id = r.foreign_payout_id) AS "foreignState",
  r.resolved_at AS "resolvedAt", r.resolution, r.resolution_reason AS "resolutionReason", r.resolved_by AS "resolvedBy"
  FROM reviews r JOIN transactions x ON x.id = r.transaction_id JOIN accounts a ON a.id = x.account_id
  JOIN merchants m ON m.id = a.merchant_id`;

export async function findReview(db: pg.Pool, id: string): Promise<ReviewRow | null> {
  const { rows } = await db.query<ReviewRow>({
    name: 'find-review',
    text: `SELECT ${COLUMNS} WHERE r.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Those that wait for a decision, the oldest first; or all of them, the newest first. */
export async function listReviews(db: pg.Pool, which: { waiting: boolean; limit: number }): Promise<ReviewRow[]> {
  const { rows } = which.waiting
    ? await db.query<ReviewRow>({
        name: 'list-open-reviews',
        text: `SELECT ${COLUMNS} WHERE r.resolved_at IS NULL ORDER BY r.created_at, r.id LIMIT $1`,
        values: [which.limit],
      })
    : await db.query<ReviewRow>({
        name: 'list-all-reviews',
        text: `SELECT ${COLUMNS} WHERE r.id < $2 ORDER BY r.id DESC LIMIT $1`,
        values: [which.limit, LAST_UUID],
      });
  return rows;
}

/**
 * `decided`: it waits for no decision any more, or another amount of it is left than the caller saw
 * (`leftCentavos`). `changed`: its charge is not `from` any more. `not_possible`: the resolution
 * does not fit how the withdrawal ended.
 */
export type ReviewOutcome =
  | 'credited'
  | 'returning'
  | 'written_off'
  | 'resolved'
  | 'decided'
  | 'changed'
  | 'not_possible';

/** What can be decided about a withdrawal; see payout_resolve. */
export type PayoutResolution = 'dismiss' | 'credit' | 'recover' | 'write_off';

type Decision = { id: string; leftCentavos: bigint; reason: string; by: DecidedBy; now: Date };
type Outbox = { eventId: string; eventBody: string };

/**
 * Credits what is in review of a charge: as the charge itself, or, where that is paid already, as a
 * deposit.
 */
export function creditReview(
  db: pg.Pool,
  decision: Decision & {
    from: ChargeStatus;
    feeCentavos: bigint;
    deposit: Deposit | null;
    split: ({ id: string } & Outbox) | null;
  } & Outbox,
): Promise<ReviewOutcome> {
  return askDecision(db, 'SELECT review_credit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS outcome', [
    decision.id,
    decision.leftCentavos,
    decision.from,
    decision.feeCentavos,
    decision.deposit && depositRow(decision.deposit),
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

/** Has the payment of a review sent back to its payer, under `returnId`. */
export function returnReview(db: pg.Pool, decision: Decision & { returnId: string }): Promise<ReviewOutcome> {
  return askDecision(db, 'SELECT review_return($1, $2, $3, $4, $5, $6) AS outcome', [
    decision.id,
    decision.leftCentavos,
    decision.returnId,
    decision.reason,
    auditColumns(decision.by),
    decision.now,
  ]);
}

/**
 * Credits what is in review of an invoice, of which `before` was credited. `changed`: more was
 * settled, credited or decided meanwhile, on which the fee, the sub-status and the event depend.
 */
export function creditInvoiceReview(
  db: pg.Pool,
  decision: Decision & {
    feeCentavos: bigint;
    before: { creditedCentavos: bigint; feesCentavos: bigint; decidedCentavos: bigint; settledUnits: bigint };
    subStatus: InvoiceSubStatus | null;
    eventType: string;
  } & Outbox,
): Promise<ReviewOutcome> {
  return askDecision(
    db,
    'SELECT review_credit_invoice($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS outcome',
    [
      decision.id,
      decision.leftCentavos,
      decision.feeCentavos,
      decision.reason,
      auditColumns(decision.by),
      decision.now,
      decision.eventId,
      decision.eventType,
      decision.eventBody,
      decision.before.creditedCentavos,
      decision.before.feesCentavos,
      decision.before.decidedCentavos,
      decision.before.settledUnits,
      decision.subStatus,
    ],
  );
}

/** Ends the review of a withdrawal. */
export function resolvePayoutReview(
  db: pg.Pool,
  decision: Omit<Decision, 'leftCentavos'> & {
    resolution: PayoutResolution;
    failureCode: string;
    eventType: string;
  } & Outbox,
): Promise<ReviewOutcome> {
  return askDecision(db, 'SELECT payout_resolve($1, $2, $3, $4, $5, $6, $7, $8, $9) AS outcome', [
    decision.id,
    decision.resolution,
    decision.failureCode,
    decision.reason,
    auditColumns(decision.by),
    decision.now,
    decision.eventId,
    decision.eventType,
    decision.eventBody,
  ]);
}

/** Gives up what is in review: nobody gets it, and it stays visible as written off. */
export function writeOffReview(db: pg.Pool, decision: Decision): Promise<ReviewOutcome> {
  return askDecision(db, 'SELECT review_write_off($1, $2, $3, $4, $5) AS outcome', [
    decision.id,
    decision.leftCentavos,
    decision.reason,
    auditColumns(decision.by),
    decision.now,
  ]);
}

import type pg from 'pg';
import { askNoted } from '../audit/ask-noted.ts';
import type { EntryWithoutNotices } from '../audit/audit.ts';
import { merchantRow, type NewMerchantColumns } from '../transactions/references.ts';
import type { MoneyOutAsker, MoneyOutBlock } from '../withdrawals/find-pause-end.ts';

export type RefundOutcome =
  | 'requested'
  | 'exists'
  | 'reference_taken'
  | MoneyOutBlock
  | 'not_paid'
  | 'disputed'
  | 'exceeds'
  | 'insufficient_funds';

/**
 * Holds the money of a refund and writes it with the task that sends it; `exists`: this id was
 * requested before; `reference_taken`: its reference was to be unique, and is not.
 */
export async function requestRefund(
  db: pg.Pool,
  refund: {
    id: string;
    transactionId: string;
    accountId: string;
    centavos: bigint;
    description: string | null;
    merchant: NewMerchantColumns;
    now: Date;
  },
  by: MoneyOutAsker,
  audit: EntryWithoutNotices | null = null,
): Promise<RefundOutcome> {
  const { accountId, merchant } = refund;
  const row = { ...merchantRow(merchant), account_id: merchant.reference && accountId };
  return askNoted(
    db,
    'SELECT refund_request($1, $2, $3, $4, $5, $6, $7, $8, $9) AS outcome',
    [
      ...[refund.id, refund.transactionId, refund.centavos, refund.description, refund.now, by.keyId, by.memberId],
      ...[JSON.stringify(row), merchant.uniqueIndexes],
    ],
    audit && { entry: audit, when: ['requested'] },
  );
}

export type RefundRow = {
  id: string;
  transactionId: string;
  centavos: bigint;
  /** Who had it made: the merchant, somebody at the bank, or the central bank's mechanism. */
  kind: 'requested' | 'made_at_bank' | 'med_return';
  description: string | null;
  /** The merchant's own. Sealed, as the metadata. */
  reference: string | null;
  metadata: string | null;
  status: 'pending' | 'completed' | 'failed';
  sentAt: Date | null;
  returnId: string | null;
  createdAt: Date;
  finishedAt: Date | null;
};

const COLUMNS = `id, transaction_id AS "transactionId", centavos, 'requested' AS kind, description, reference, metadata, status, sent_at AS "sentAt",
  return_id AS "returnId", created_at AS "createdAt", finished_at AS "finishedAt"`;

export async function findRefund(db: pg.Pool, id: string): Promise<RefundRow | null> {
  const { rows } = await db.query<RefundRow>(`SELECT ${COLUMNS} FROM refunds WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

/**
 * The refunds of a charge, oldest first; those that were made at the bank are completed, and were
 * never asked for here.
 */
export async function findRefunds(db: pg.Pool, transactionId: string): Promise<RefundRow[]> {
  const { rows } = await db.query<RefundRow>(
    `SELECT ${COLUMNS} FROM refunds WHERE transaction_id = $1
     UNION ALL SELECT id, transaction_id, centavos, kind, NULL, NULL, NULL, 'completed', created_at, return_id, created_at, created_at
       FROM foreign_refunds WHERE transaction_id = $1
     ORDER BY "createdAt", id`,
    [transactionId],
  );
  return rows;
}

/**
 * Notes when the PSP was first asked; the same refund can always be asked for again. `finished`: it
 * has ended since. `blocked`: it was never asked for, and no money may leave its account any more.
 */
export async function startRefund(db: pg.Pool, id: string, now: Date): Promise<'started' | 'finished' | 'blocked'> {
  const { rows } = await db.query<{ claim: 'started' | 'finished' | 'blocked' }>({
    name: 'refund-start',
    text: 'SELECT refund_start($1, $2) AS claim',
    values: [id, now],
  });
  if (!rows[0]) throw new Error('refund_start answered nothing.');
  return rows[0].claim;
}

/**
 * What is written with the end of a refund; its event is one of when `refundedCentavos` of the
 * charge had been refunded.
 */
type RefundEnd = {
  id: string;
  refundedCentavos: bigint;
  now: Date;
  eventId: string;
  eventType: string;
  eventBody: string;
};

/**
 * Ends a refund that was never started, because no money may leave its account; false when that is
 * no longer so. Null: more of the charge has been refunded meanwhile, and nothing was done.
 */
export async function failBlockedRefund(db: pg.Pool, stop: RefundEnd): Promise<boolean | null> {
  const { rows } = await db.query<{ failed: boolean | null }>({
    name: 'refund-fail-blocked',
    text: 'SELECT CASE WHEN refund_is_after($1, $6) THEN refund_fail_blocked($1, $2, $3, $4, $5) END AS failed',
    values: [stop.id, stop.now, stop.eventId, stop.eventType, stop.eventBody, stop.refundedCentavos],
  });
  return rows[0]?.failed ?? null;
}

/**
 * Ends a refund, with ledger, event and deliveries. Returns false when it had ended before. Null:
 * more of the charge has been refunded meanwhile, and nothing was done.
 */
export async function finishRefund(
  db: pg.Pool,
  refund: RefundEnd & { done: boolean; returnId: string | null },
): Promise<boolean | null> {
  const { id, done, returnId, now, eventId, eventType, eventBody, refundedCentavos } = refund;
  const { rows } = await db.query<{ finished: boolean | null }>({
    name: 'refund-finish',
    text: 'SELECT CASE WHEN refund_is_after($1, $8) THEN refund_finish($1, $2, $3, $4, $5, $6, $7) END AS finished',
    values: [id, done, returnId, now, eventId, eventType, eventBody, refundedCentavos],
  });
  return rows[0]?.finished ?? null;
}

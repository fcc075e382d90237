import type pg from 'pg';
import type { ChargeStatus } from '#domain/transactions/transaction-states.ts';
import { askNoted } from '../audit/ask-noted.ts';
import type { EntryWithoutNotices } from '../audit/audit.ts';

/**
 * Money moves in SQL functions alone; these are the charges'. Each call is one function, one round
 * trip, one commit; what is credited comes from the charge's row, not from the caller. A charge
 * whose status is not `from` is left as it is, so that a repeated call does nothing.
 */

type Outbox = { eventId: string; eventBody: string };

/**
 * Credits a charge. Returns the status that the charge had: when it is not `from`, nothing was
 * done. `split`: the row of the account that receives a part of it, and its event; required for a
 * charge with a split.
 */
export async function payCharge(
  db: pg.Pool,
  charge: {
    id: string;
    from: ChargeStatus;
    endToEndId: string;
    paidAt: Date;
    now: Date;
    split: ({ id: string } & Outbox) | null;
  } & Outbox,
): Promise<ChargeStatus> {
  return status(db, 'SELECT charge_pay($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS status', [
    charge.id,
    charge.from,
    charge.endToEndId,
    charge.paidAt,
    charge.now,
    charge.eventId,
    charge.eventBody,
    charge.split?.id ?? null,
    charge.split?.eventId ?? null,
    charge.split?.eventBody ?? null,
  ]);
}

/**
 * Ends a charge without money. Returns the status that the charge had: when it is not `from`,
 * nothing was done.
 */
export async function closeCharge(
  db: pg.Pool,
  charge: { id: string; from: ChargeStatus; to: 'expired' | 'cancelled' | 'failed'; now: Date } & Outbox,
  /** Of who cancels it; null: it ends by itself. */
  audit: EntryWithoutNotices | null = null,
): Promise<ChargeStatus> {
  const { id, from, to, now, eventId, eventBody } = charge;
  const values = [id, from, to, now, eventId, eventBody];
  return askNoted(
    db,
    'SELECT charge_close($1, $2, $3, $4, $5, $6) AS outcome',
    values,
    audit && { entry: audit, when: [from] },
  );
}

/**
 * Puts a payment that can't be credited into suspense. Returns the status that the charge had: when
 * it is not `from`, nothing was done.
 */
export async function reviewCharge(
  db: pg.Pool,
  charge: {
    id: string;
    from: ChargeStatus;
    endToEndId: string;
    receivedCentavos: bigint;
    paidAt: Date;
    reason: string;
    reviewId: string;
    now: Date;
  } & Outbox,
): Promise<ChargeStatus> {
  return status(db, 'SELECT charge_review($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS status', [
    charge.id,
    charge.from,
    charge.endToEndId,
    charge.receivedCentavos,
    charge.paidAt,
    charge.reason,
    charge.now,
    charge.reviewId,
    charge.eventId,
    charge.eventBody,
  ]);
}

export type Balances = {
  availableCentavos: bigint;
  pendingCentavos: bigint;
  blockedCentavos: bigint;
  /** What the account owes the platform; 0 or more. */
  owedCentavos: bigint;
  /**
   * What of the available balance, less what is owed, came over credentials of an account's own;
   * below zero where more was sent over them.
   */
  ownCentavos: bigint;
  mode: 'live' | 'test';
  kycStatus: 'pending' | 'approved' | 'rejected';
};

/**
 * The balances of an account, its mode and its merchant's KYC status; null when there is no
 * such account.
 */
export async function findBalances(db: pg.Pool, accountId: string): Promise<Balances | null> {
  const { rows } = await db.query<Balances>({
    name: 'find-balances',
    text: `SELECT a.mode, m.kyc_status AS "kycStatus",
        max(l.balance_centavos) FILTER (WHERE l.kind = 'available') AS "availableCentavos",
        max(l.balance_centavos) FILTER (WHERE l.kind = 'pending') AS "pendingCentavos",
        max(l.balance_centavos) FILTER (WHERE l.kind = 'blocked') AS "blockedCentavos",
        coalesce(-max(l.balance_centavos) FILTER (WHERE l.kind = 'owed'), 0) AS "owedCentavos",
        max(l.own_centavos) FILTER (WHERE l.kind = 'available') AS "ownCentavos"
      FROM accounts a JOIN merchants m ON m.id = a.merchant_id JOIN ledger_accounts l ON l.account_id = a.id
      WHERE a.id = $1 GROUP BY a.mode, m.kyc_status`,
    values: [accountId],
  });
  return rows[0] ?? null;
}

/** The statement is prepared under the name of the function that it calls. */
async function status(db: pg.Pool, text: string, values: unknown[]): Promise<ChargeStatus> {
  const name = text.slice('SELECT '.length, text.indexOf('('));
  const { rows } = await db.query<{ status: ChargeStatus }>({ name, text, values });
  if (!rows[0]) throw new Error('A ledger function answered nothing.');
  return rows[0].status;
}

import type pg from 'pg';

/** The postings that take nothing but the transaction. */
export type PlainPosting = 'charge_paid' | 'withdrawal_requested' | 'withdrawal_completed' | 'withdrawal_failed';
/** The postings of a part of a transaction, distinguished by a reference. */
export type PartialPosting = 'suspense' | 'refund_requested' | 'dispute';
/** The two ends of a part that holds money. */
export type PartEndPosting = 'refund_completed' | 'refund_failed';

/**
 * Makes a posting; returns false when it was made before. Throws a check_violation (see
 * isInsufficientFunds) when a balance would become negative.
 */
export async function post(db: pg.Pool, posting: PlainPosting, transactionId: string, now: Date): Promise<boolean> {
  const settlement =
    posting === 'withdrawal_completed'
      ? `(SELECT ledger_platform_account(payout_settlement(type), account_mode(account_id))
          FROM transactions WHERE id = $1), `
      : '';
  const { rows } = await db.query<{ posted: boolean }>(`SELECT ledger_${posting}($1, ${settlement}$2) AS posted`, [
    transactionId,
    now,
  ]);
  return rows[0]?.posted ?? false;
}

/** Like post, for a part: `reference` makes it unique within the transaction and kind. */
export async function postPart(
  db: pg.Pool,
  posting: PartialPosting,
  part: { transactionId: string; reference: string; centavos: bigint; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ posted: boolean }>(`SELECT ledger_${posting}($1, $2, $3, $4) AS posted`, [
    part.transactionId,
    part.reference,
    part.centavos,
    part.now,
  ]);
  return rows[0]?.posted ?? false;
}

/** Ends a part that `reference` names: it moves what the part holds. */
export async function postPartEnd(
  db: pg.Pool,
  posting: PartEndPosting,
  part: { transactionId: string; reference: string; now: Date },
): Promise<boolean> {
  const { rows } = await db.query<{ posted: boolean }>(`SELECT ledger_${posting}($1, $2, $3) AS posted`, [
    part.transactionId,
    part.reference,
    part.now,
  ]);
  return rows[0]?.posted ?? false;
}

/**
 * Brings what a crypto deposit has put into pending and available, and the fee, to these totals.
 */
export async function postCryptoReceived(
  db: pg.Pool,
  deposit: {
    transactionId: string;
    pendingCentavos: bigint;
    netCentavos: bigint;
    feeCentavos: bigint;
    now: Date;
  },
): Promise<boolean> {
  const { rows } = await db.query<{ posted: boolean }>('SELECT ledger_crypto_received($1, $2, $3, $4, $5) AS posted', [
    deposit.transactionId,
    deposit.pendingCentavos,
    deposit.netCentavos,
    deposit.feeCentavos,
    deposit.now,
  ]);
  return rows[0]?.posted ?? false;
}

/** Whether an error is the ledger's own for a balance that would become negative. */
export const isInsufficientFunds = (error: unknown): boolean =>
  (error as { constraint?: string })?.constraint === 'ledger_accounts_balance_not_negative';

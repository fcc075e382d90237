import type pg from 'pg';
import type { Network } from '#domain/quotes/currencies.ts';
import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';
import { type AuditEntry, insertAuditOn } from '../audit/audit.ts';
import { withTransaction } from '../connection/with-transaction.ts';

/**
 * The payees of accounts, their address book. Each change is one SQL function that holds the lock
 * of the account's balance, and its audit, in one commit.
 */

/**
 * Where money goes, in the form that finds its payee: the fingerprints that a PIX key may have been
 * written with, or the spellings of a wallet on a network, and the memo.
 */
export type Destination = {
  pixKeyIndexes: readonly Buffer[];
  network: Network | null;
  wallets: readonly string[];
  memo: string | null;
};

/**
 * Why a withdrawal above the account's threshold for payees may not go to its destination.
 * `payee_waits`: the payee can't be used yet.
 */
export type PayeeBlock = 'not_a_payee' | 'payee_waits';

export type PayeeRow = {
  id: string;
  /** Sealed. */
  label: string;
  /** Sealed; null: it is a wallet. */
  pixKey: string | null;
  pixKeyType: PixKeyType | null;
  network: Network | null;
  wallet: string | null;
  memo: string | null;
  /** The member's name. */
  addedBy: string | null;
  addedAt: Date;
  usableFrom: Date;
};

/** The payees of an account, the newest first; `id`: only this one. */
export async function listPayees(db: pg.Pool, accountId: string, id: string | null = null): Promise<PayeeRow[]> {
  const { rows } = await db.query<PayeeRow>({
    name: 'list-payees',
    text: `SELECT p.id, p.label, p.pix_key AS "pixKey", p.pix_key_type AS "pixKeyType", p.network, p.wallet, p.memo,
        m.name AS "addedBy", p.added_at AS "addedAt", p.usable_from AS "usableFrom"
      FROM payees p LEFT JOIN members m ON m.id = p.added_by_id
      WHERE p.account_id = $1 AND p.removed_at IS NULL AND ($2::uuid IS NULL OR p.id = $2)
      ORDER BY p.id DESC`,
    values: [accountId, id],
  });
  return rows;
}

/** From when on the payee at this destination may be used; null: none is there. */
export async function findUsableFrom(db: pg.Pool, accountId: string, destination: Destination): Promise<Date | null> {
  const { pixKeyIndexes, network, wallets, memo } = destination;
  const { rows } = await db.query<{ usableFrom: Date | null }>({
    name: 'find-usable-from',
    text: 'SELECT min(usable_from) AS "usableFrom" FROM payees_at($1, $2, $3, $4, $5)',
    values: [accountId, pixKeyIndexes, network, wallets, memo],
  });
  return rows[0]?.usableFrom ?? null;
}

export type NewPayee = {
  id: string;
  accountId: string;
  memberId: string;
  /** Sealed. */
  label: string;
  pixKey: { sealed: string; index: Buffer; type: PixKeyType } | null;
  wallet: { network: Network; address: string; memo: string | null } | null;
  /** All forms under which the same payee may exist already. */
  destination: Destination;
  usableFrom: Date;
  now: Date;
};

/**
 * Adds a payee. `exists`: its destination is one already. `full`: the account has `most`. `audit`:
 * what the audit says of it, in the same commit.
 */
export const addPayee = (
  db: pg.Pool,
  payee: NewPayee,
  most: number,
  audit: () => AuditEntry,
): Promise<'added' | 'exists' | 'full'> =>
  withTransaction(db, async (client) => {
    const { pixKeyIndexes, wallets } = payee.destination;
    const { rows } = await client.query<{ outcome: 'added' | 'exists' | 'full' }>({
      name: 'payee-add',
      text: 'SELECT payee_add($1, $2, $3, $4) AS outcome',
      values: [JSON.stringify(rowOf(payee)), pixKeyIndexes, wallets, most],
    });
    if (!rows[0]) throw new Error('payee_add answered nothing.');
    if (rows[0].outcome === 'added') await insertAuditOn(client, audit());
    return rows[0].outcome;
  });

const rowOf = ({ id, accountId, memberId, label, pixKey, wallet, usableFrom, now }: NewPayee) => ({
  id,
  account_id: accountId,
  label,
  pix_key: pixKey?.sealed,
  pix_key_index: pixKey && `\\x${pixKey.index.toString('hex')}`,
  pix_key_type: pixKey?.type,
  network: wallet?.network,
  wallet: wallet?.address,
  memo: wallet?.memo,
  added_by_id: memberId,
  added_at: now,
  usable_from: usableFrom,
});

/**
 * Removes a payee at once; false: the account has none of this id. `audit`: what the audit says of
 * it, in the same commit.
 */
export const removePayee = (
  db: pg.Pool,
  { id, accountId, memberId, now }: { id: string; accountId: string; memberId: string; now: Date },
  audit: () => AuditEntry,
): Promise<boolean> =>
  withTransaction(db, async (client) => {
    const { rows } = await client.query<{ done: boolean }>({
      name: 'payee-remove',
      text: 'SELECT payee_remove($1, $2, $3, $4) AS done',
      values: [accountId, id, memberId, now],
    });
    if (rows[0]?.done) await insertAuditOn(client, audit());
    return rows[0]?.done ?? false;
  });

/** Ends the wait of a payee of a test account; false: none waits. `audit`: as above. */
export const endPayeeWait = (
  db: pg.Pool,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
  audit: () => AuditEntry,
): Promise<boolean> =>
  withTransaction(db, async (client) => {
    const { rows } = await client.query<{ done: boolean }>({
      name: 'payee-end-wait',
      text: 'SELECT payee_end_wait($1, $2, $3) AS done',
      values: [accountId, id, now],
    });
    if (rows[0]?.done) await insertAuditOn(client, audit());
    return rows[0]?.done ?? false;
  });

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { insertCharge } from '#db/charges.ts';
import { payCharge } from '#db/ledger.ts';
import type { TransactionType } from '#domain/transaction-states.ts';
import { uuidv7 } from '#domain/uuid.ts';

/** The instant of everything that the ledger's tests do. */
export const NOW = new Date('2026-11-21T12:00:00.000Z');

const RAIL = 'sandbox';

export type TestAccount = { id: string; mode: 'live' | 'test' };

/** A transaction as the ledger sees it. */
export type TestTransaction = {
  id: string;
  type: TransactionType;
  account: TestAccount;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  split: { account: TestAccount; centavos: bigint } | null;
};

/** An account of a new merchant, with its three ledger accounts at zero. */
export async function openTestAccount(db: pg.Pool, mode: 'live' | 'test'): Promise<TestAccount> {
  const id = uuidv7(NOW);
  const merchantId = uuidv7(NOW);
  await db.query(
    `WITH merchant AS (
        INSERT INTO merchants (id, name, email, document, document_type, kyc_status, created_at)
        VALUES ($1::uuid, 'Padaria São José', $1::uuid || '@example.com', '12345678909', 'cpf', 'approved', $4) RETURNING id)
      INSERT INTO accounts (id, merchant_id, mode, webhook_secret, created_at)
      SELECT $2, id, $3, 'sealed', $4 FROM merchant`,
    [merchantId, id, mode, NOW],
  );
  await db.query('SELECT ledger_open($1, $2)', [id, mode]);
  return { id, mode };
}

/**
 * A transaction that is pending and has no postings. What comes in is divided (amount = net + fee + split), what goes out has
 * its fee on top (PIX) or inside the amount (crypto).
 */
export async function insertTransaction(
  db: pg.Pool,
  input: {
    account: TestAccount;
    type?: TransactionType;
    amountCentavos: bigint;
    feeCentavos?: bigint;
    split?: TestTransaction['split'];
    callbackUrl?: string | null;
  },
): Promise<TestTransaction> {
  const { account, type = 'pix_in', amountCentavos, feeCentavos = 0n, split = null } = input;
  const inside = type === 'pix_out' ? 0n : feeCentavos + (split?.centavos ?? 0n);
  const transaction = {
    id: uuidv7(NOW),
    type,
    account,
    amountCentavos,
    feeCentavos,
    netCentavos: amountCentavos - inside,
    split,
  };
  if (type === 'pix_in') await insertTestCharge(db, transaction, input.callbackUrl ?? null);
  else {
    await db.query(
      `INSERT INTO transactions (id, account_id, type, amount_centavos, fee_centavos, net_centavos, rail, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [transaction.id, account.id, type, amountCentavos, feeCentavos, transaction.netCentavos, RAIL, NOW],
    );
  }
  return transaction;
}

/** An end-to-end id that no other payment has. */
export const newEndToEndId = (): string => `E${randomUUID().replaceAll('-', '')}`;

/** Credits an account with a charge of exactly this amount; gives the charge. */
export async function fund(db: pg.Pool, account: TestAccount, amountCentavos: bigint): Promise<TestTransaction> {
  const charge = await insertTransaction(db, { account, amountCentavos });
  await payCharge(db, {
    id: charge.id,
    from: 'pending',
    endToEndId: newEndToEndId(),
    paidAt: NOW,
    now: NOW,
    eventId: uuidv7(NOW),
    eventBody: '{}',
  });
  return charge;
}

/** What a use case does beside the bare posting: a charge that has its credit is paid, one that was given back is refunded. */
export const markPaid = (db: pg.Pool, id: string): Promise<void> => setStatus(db, id, 'paid');
export const markRefunded = (db: pg.Pool, id: string): Promise<void> => setStatus(db, id, 'refunded');

async function setStatus(db: pg.Pool, id: string, status: 'paid' | 'refunded'): Promise<void> {
  await db.query('UPDATE transactions SET status = $2 WHERE id = $1', [id, status]);
}

function insertTestCharge(db: pg.Pool, charge: TestTransaction, callbackUrl: string | null): Promise<void> {
  const { id, account, amountCentavos, feeCentavos, netCentavos, split } = charge;
  return insertCharge(db, {
    id,
    accountId: account.id,
    amountCentavos,
    feeCentavos,
    netCentavos,
    split: split && { accountId: split.account.id, centavos: split.centavos },
    description: null,
    customer: { name: null, email: null, phone: null, document: null, documentIndex: null, documentType: null },
    callbackUrl,
    rail: RAIL,
    createdAt: NOW,
    expiresAt: NOW,
    watchAt: NOW,
  });
}

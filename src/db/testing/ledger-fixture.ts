import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { insertCharge } from '../charges/charges.ts';
import { insertInvoice } from '../invoices/invoices.ts';
import { payCharge } from '../ledger/ledger.ts';
import { quoteColumns, type StoredQuote } from '../withdrawals/withdrawals.ts';

/** The instant of everything that the ledger's tests do. */
export const NOW = new Date('2026-11-21T12:00:00.000Z');

export const RAIL = 'sandbox';

/** One real for a coin: a centavo is a million of its units (10^-8). */
export const QUOTE: StoredQuote = { price: 100_000_000n, spreadBps: 0, at: NOW, sources: [] };
const UNITS_PER_CENTAVO = 1_000_000n;
export const unitsOf = (centavos: bigint): bigint => centavos * UNITS_PER_CENTAVO;

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
 * A transaction that is pending and has no postings. What comes in is divided (amount = net + fee +
 * split), what goes out has its fee on top (PIX) or inside the amount (crypto).
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
    /** Of a charge. */
    rail?: string;
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
  if (type === 'pix_in') await insertTestCharge(db, transaction, input);
  else if (type === 'crypto_in') await insertTestInvoice(db, transaction);
  else await insertTestWithdrawal(db, transaction);
  return transaction;
}

/** An end-to-end id that no other payment has. */
export const newEndToEndId = (): string => `E${randomUUID().replaceAll('-', '')}`;

/** Credits an account with a charge of exactly this amount; returns the charge. */
export async function fund(db: pg.Pool, account: TestAccount, amountCentavos: bigint): Promise<TestTransaction> {
  return fundOver(db, account, RAIL, amountCentavos);
}

/** Gives an account credentials of its own with a PSP; returns their rail. */
export async function connectOwn(db: pg.Pool, { id: accountId }: TestAccount): Promise<string> {
  const id = uuidv7(NOW);
  await db.query(
    `INSERT INTO credentials (id, rail_id, account_id, kind, sealed, is_active, created_at)
     VALUES ($1, $1, $2, 'api_pix', 'sealed', false, $3)`,
    [id, accountId, NOW],
  );
  return `own-${id}`;
}

/** As `fund`, by a charge over a rail. */
export async function fundOver(
  db: pg.Pool,
  account: TestAccount,
  rail: string,
  amountCentavos: bigint,
  split: TestTransaction['split'] = null,
): Promise<TestTransaction & { endToEndId: string }> {
  const charge = await insertTransaction(db, { account, amountCentavos, split, rail });
  const endToEndId = newEndToEndId();
  const event = () => ({ eventId: uuidv7(NOW), eventBody: '{}' });
  await payCharge(db, {
    ...{ id: charge.id, from: 'pending', endToEndId, paidAt: NOW, now: NOW, ...event() },
    split: split && { id: uuidv7(NOW), ...event() },
  });
  return { ...charge, endToEndId };
}

/**
 * Marks a charge as paid and writes its part, as a use case does beside the bare posting of its
 * credit.
 */
export async function markPaid(db: pg.Pool, id: string): Promise<void> {
  await db.query(
    `WITH charge AS (UPDATE transactions SET status = 'paid' WHERE id = $1 RETURNING *)
     INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, rail, split_of_id,
       created_at, updated_at)
     SELECT gen_random_uuid(), split_account_id, 'split_in', 'paid', split_centavos, 0, split_centavos, rail, id, created_at, updated_at
     FROM charge WHERE split_account_id IS NOT NULL`,
    [id],
  );
}

/**
 * Brings the rows beside the ledger to what the use cases would have written along with the bare
 * postings so far: the ends of withdrawals, refunds, what is credited of deposits. A withdrawal
 * that holds nothing was never asked for: one statement does both.
 */
export async function writeRowsOfPostings(db: pg.Pool): Promise<void> {
  await writeDisputesOfPostings(db);
  await db.query(`
    DELETE FROM transactions x WHERE type IN ('pix_out', 'crypto_out')
      AND NOT EXISTS (SELECT FROM ledger_transfers WHERE transaction_id = x.id);
    UPDATE transactions x SET status = CASE t.kind WHEN 'withdrawal_failed' THEN 'failed' ELSE settled_status(x.type) END
      FROM ledger_transfers t WHERE t.transaction_id = x.id AND t.kind IN ('withdrawal_completed', 'withdrawal_failed');

    INSERT INTO limit_usage (account_id, type, period, starts_at, ends_at, centavos)
      SELECT account_id, type, 'day', day, day + interval '1 day', coalesce(sum(amount_centavos) FILTER (WHERE status <> 'failed'), 0)
      FROM (SELECT *, date_trunc('day', created_at - interval '3 hours') + interval '3 hours' AS day FROM transactions
        WHERE type IN ('pix_out', 'crypto_out')) AS x
      GROUP BY account_id, type, day ON CONFLICT (account_id, type, period, starts_at) DO UPDATE SET centavos = excluded.centavos;

    INSERT INTO refunds (id, transaction_id, centavos, created_at)
      SELECT t.reference::uuid, t.transaction_id, e.amount_centavos, t.created_at
      FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      WHERE t.kind = 'refund_requested' AND e.amount_centavos > 0 ON CONFLICT (id) DO NOTHING;
    INSERT INTO tasks (kind, subject_id, due_at) SELECT 'refund', id, created_at FROM refunds ON CONFLICT DO NOTHING;
    UPDATE refunds f SET status = CASE t.kind WHEN 'refund_failed' THEN 'failed' ELSE 'completed' END::refund_status
      FROM ledger_transfers t WHERE t.reference = f.id::text AND t.kind IN ('refund_completed', 'refund_failed');
    UPDATE transactions x SET refunded_centavos = f.centavos,
        status = CASE WHEN f.centavos = x.amount_centavos THEN 'refunded' ELSE x.status END
      FROM (SELECT transaction_id, sum(centavos) AS centavos FROM refunds WHERE status = 'completed' GROUP BY transaction_id) AS f
      WHERE f.transaction_id = x.id;

    INSERT INTO reviews (id, transaction_id, reason, expected_centavos, received_centavos, end_to_end_id, created_at)
      SELECT gen_random_uuid(), x.id, CASE x.type WHEN 'pix_in' THEN 'amount_differs' ELSE 'above_maximum' END, x.amount_centavos,
        e.amount_centavos, t.reference, t.created_at
      FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id JOIN transactions x ON x.id = t.transaction_id
      WHERE t.kind = 'suspense' AND e.amount_centavos > 0 ON CONFLICT DO NOTHING;
    WITH p AS (
      SELECT t.transaction_id, coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind IN ('available', 'owed')), 0) AS net,
        coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'fees'), 0) AS fee,
        coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'suspense'), 0) AS reviewed
      FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id
        JOIN transactions x ON x.id = t.transaction_id
      WHERE x.type = 'crypto_in' GROUP BY t.transaction_id),
    priced AS (
      INSERT INTO invoice_increments (transaction_id, units_before, units, price, is_quoted, credited_centavos, reviewed_centavos,
        created_at)
      SELECT transaction_id, 0, (net + fee + reviewed) * ${UNITS_PER_CENTAVO}, ${QUOTE.price}, false, net + fee, reviewed, '${NOW.toISOString()}'
      FROM p WHERE net + fee + reviewed > 0 ON CONFLICT DO NOTHING)
    UPDATE transactions x SET settled_units = (p.net + p.fee + p.reviewed) * ${UNITS_PER_CENTAVO},
        received_units = (p.net + p.fee + p.reviewed) * ${UNITS_PER_CENTAVO} + amount_centavos,
        credited_centavos = p.net + p.fee, credited_fee_centavos = p.fee, reviewed_centavos = p.reviewed,
        status = CASE WHEN p.net + p.fee > 0 THEN 'completed' ELSE x.status END
      FROM p WHERE p.transaction_id = x.id`);
}

/** Writes an open dispute for each charge that has bare postings of disputes and no dispute yet. */
export async function writeDisputesOfPostings(db: pg.Pool): Promise<void> {
  await db.query(`
    INSERT INTO disputes (id, account_id, transaction_id, reason, centavos, held_centavos, opened_at, answer_by, created_at)
      SELECT gen_random_uuid(), t.account_id, t.transaction_id, 'fraud', sum(e.amount_centavos), sum(e.amount_centavos),
        min(t.created_at), min(t.created_at), min(t.created_at)
      FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      WHERE t.kind = 'dispute' AND e.amount_centavos > 0
        AND NOT EXISTS (SELECT FROM disputes d WHERE d.transaction_id = t.transaction_id)
      GROUP BY t.account_id, t.transaction_id`);
}

export const NO_MERCHANT_COLUMNS = { reference: null, referenceIndex: null, metadata: null, uniqueIndexes: null };

async function insertTestCharge(
  db: pg.Pool,
  charge: TestTransaction,
  { callbackUrl = null, rail = RAIL }: { callbackUrl?: string | null; rail?: string },
): Promise<void> {
  const { id, account, amountCentavos, feeCentavos, netCentavos, split } = charge;
  await insertCharge(db, {
    id,
    accountId: account.id,
    amountCentavos,
    feeCentavos,
    netCentavos,
    split: split && { accountId: split.account.id, centavos: split.centavos },
    description: null,
    searchTokens: [],
    merchant: NO_MERCHANT_COLUMNS,
    customer: { name: null, email: null, phone: null, document: null, documentIndex: null, documentType: null },
    callbackUrl,
    rail,
    createdAt: NOW,
    expiresAt: NOW,
    checkAt: NOW,
  });
}

async function insertTestInvoice(db: pg.Pool, invoice: TestTransaction): Promise<void> {
  const { id, account, amountCentavos, feeCentavos, netCentavos } = invoice;
  await insertInvoice(db, {
    id,
    accountId: account.id,
    amountCentavos,
    feeCentavos,
    netCentavos,
    description: null,
    customer: { name: null, email: null, phone: null, document: null, documentIndex: null, documentType: null },
    searchTokens: [],
    merchant: NO_MERCHANT_COLUMNS,
    callbackUrl: null,
    currency: 'USDT_BSC',
    units: unitsOf(amountCentavos),
    quote: QUOTE,
    fee: { bps: 0, fixedCentavos: feeCentavos },
    toleranceBps: 50,
    rail: RAIL,
    createdAt: NOW,
    expiresAt: NOW,
    checkAt: NOW,
  });
}

/** Without its hold, which requestWithdrawal would write in the same statement. */
async function insertTestWithdrawal(db: pg.Pool, withdrawal: TestTransaction): Promise<void> {
  const { id, account, type, amountCentavos, feeCentavos, netCentavos } = withdrawal;
  const row = {
    id,
    account_id: account.id,
    type,
    amount_centavos: String(amountCentavos),
    fee_centavos: String(feeCentavos),
    net_centavos: String(netCentavos),
    rail: RAIL,
    created_at: NOW,
    updated_at: NOW,
    ...(type === 'pix_out'
      ? { pix_key: 'sealed', pix_key_type: 'evp' }
      : { currency: 'USDT_BSC', units: String(unitsOf(netCentavos)), wallet: '0x0', ...quoteColumns(QUOTE) }),
  };
  const columns = Object.keys(row).join(', ');
  await db.query(
    `WITH withdrawal AS (
       INSERT INTO transactions (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::transactions, $1) RETURNING *)
     INSERT INTO tasks (kind, subject_id, due_at) SELECT 'payout', id, created_at FROM withdrawal`,
    [JSON.stringify(row)],
  );
}

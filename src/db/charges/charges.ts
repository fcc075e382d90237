import type pg from 'pg';
import type { ChargeStatus, TransactionStatus } from '#domain/transactions/transaction-states.ts';
import { batchArrays, batched, inOrderOf } from '../connection/batched.ts';
import type { NewMerchantColumns } from '../transactions/references.ts';

export type NewCharge = {
  id: string;
  accountId: string;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  split: { accountId: string; centavos: bigint } | null;
  /** Sealed, as all of the customer's texts. */
  description: string | null;
  customer: {
    name: string | null;
    email: string | null;
    phone: string | null;
    /** Sealed. */
    document: string | null;
    documentIndex: Buffer | null;
    documentType: 'cpf' | 'cnpj' | null;
  };
  merchant: NewMerchantColumns;
  /** The blind index by which its texts are searched (searchTokens). */
  searchTokens: bigint[];
  callbackUrl: string | null;
  rail: string;
  createdAt: Date;
  expiresAt: Date;
  /** When the worker checks it for the first time. */
  checkAt: Date;
};

export type ChargeRow = {
  id: string;
  accountId: string;
  status: ChargeStatus;
  amountCentavos: bigint;
  feeCentavos: bigint;
  netCentavos: bigint;
  rail: string;
  brCode: string | null;
  endToEndId: string | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
  refundedCentavos: bigint;
  splitAccountId: string | null;
  splitCentavos: bigint;
  /** Sealed, as the merchant's own and the customer's texts. */
  description: string | null;
  reference: string | null;
  metadata: string | null;
  customerName: string | null;
  customerDocument: string | null;
  customerDocumentType: 'cpf' | 'cnpj' | null;
  livemode: boolean;
  /** The end-to-end ids of its payments that are or were in review. */
  reviewedPayments: string[];
  /** How many of those wait for a decision. */
  openReviews: number;
};

/**
 * `exists`: something of this id is there already. `reference_taken`: its reference was to be
 * unique, and something else of the account has it.
 */
export type InsertOutcome = 'written' | 'exists' | 'reference_taken';

/**
 * The InsertOutcome of a statement with the CTEs `claim` (whose `holder` has the reference) and
 * `task`.
 */
export const INSERT_OUTCOME = `CASE WHEN holder IS NOT NULL THEN 'reference_taken'
    WHEN EXISTS (SELECT FROM task) THEN 'written' ELSE 'exists' END AS outcome`;

/**
 * Writes a charge and the task that checks it, before the PSP is called: a callback that is early
 * finds it.
 */
export async function insertCharge(db: pg.Pool, charge: NewCharge): Promise<InsertOutcome> {
  const { rows } = await db.query<{ outcome: InsertOutcome }>({
    name: 'insert-charge',
    text: `WITH claim AS MATERIALIZED (SELECT reference_holder($2, $1, $24) AS holder), charge AS (
        INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos,
          split_account_id, split_centavos, description, customer_name, customer_email, customer_phone,
          customer_document, customer_document_index, customer_document_type, callback_url, rail,
          created_at, expires_at, updated_at, search_tokens, reference, reference_index, metadata)
        SELECT $1, $2, 'pix_in', 'pending', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $17, $20,
          $21, $22, $23
        FROM claim WHERE holder IS NULL
        ON CONFLICT (id) DO NOTHING RETURNING id), task AS (
        INSERT INTO tasks (kind, subject_id, due_at) SELECT 'sync_charge', id, $19 FROM charge RETURNING subject_id)
      SELECT ${INSERT_OUTCOME} FROM claim`,
    values: [
      charge.id,
      charge.accountId,
      charge.amountCentavos,
      charge.feeCentavos,
      charge.netCentavos,
      charge.split?.accountId ?? null,
      charge.split?.centavos ?? 0n,
      charge.description,
      charge.customer.name,
      charge.customer.email,
      charge.customer.phone,
      charge.customer.document,
      charge.customer.documentIndex,
      charge.customer.documentType,
      charge.callbackUrl,
      charge.rail,
      charge.createdAt,
      charge.expiresAt,
      charge.checkAt,
      charge.searchTokens,
      charge.merchant.reference,
      charge.merchant.referenceIndex,
      charge.merchant.metadata,
      charge.merchant.uniqueIndexes,
    ],
  });
  if (!rows[0]) throw new Error('A charge was neither written nor rejected.');
  return rows[0].outcome;
}

/**
 * Keeps the copy-and-paste code that the PSP issued. Not batched: a plan for several updates that
 * is made while the table is small reads all of it, and is kept when it has grown.
 */
export async function setBrCode(db: pg.Pool, id: string, brCode: string): Promise<void> {
  await db.query({
    name: 'set-br-code',
    text: 'UPDATE transactions SET br_code = $2 WHERE id = $1',
    values: [id, brCode],
  });
}

/**
 * The charge, or null. Does not check whose it is: callers act for the rail, the worker or the
 * payer.
 */
export const findCharge = batched<string, ChargeRow | null>(async (db, ids) => {
  const { rows } = await db.query<ChargeRow>({
    name: 'find-charges',
    // Planned as for one: a plan for several that is made while the table is small reads all of it,
    // or a whole index, and is kept when it has grown.
    text: `SELECT charge.* FROM unnest(${batchArrays('uuid')}) AS asked (id) CROSS JOIN LATERAL (
      SELECT t.id, t.account_id AS "accountId", t.status, t.amount_centavos AS "amountCentavos",
        t.fee_centavos AS "feeCentavos", t.net_centavos AS "netCentavos", t.rail, t.br_code AS "brCode",
        t.end_to_end_id AS "endToEndId", t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.paid_at AS "paidAt",
        t.refunded_centavos AS "refundedCentavos", t.split_account_id AS "splitAccountId", t.split_centavos AS "splitCentavos",
        t.description, t.reference, t.metadata, t.customer_name AS "customerName", t.customer_document AS "customerDocument",
        t.customer_document_type AS "customerDocumentType", a.mode = 'live' AS livemode,
        ARRAY(SELECT r.end_to_end_id FROM reviews r WHERE r.transaction_id = t.id) AS "reviewedPayments",
        (SELECT count(*)::integer FROM reviews r WHERE r.transaction_id = t.id AND r.resolved_at IS NULL) AS "openReviews"
      FROM transactions t JOIN accounts a ON a.id = t.account_id WHERE t.id = asked.id AND t.type = 'pix_in' OFFSET 0) AS charge`,
    values: [ids],
  });
  return inOrderOf(ids, rows);
});

export type PaymentPageRow = {
  id: string;
  status: TransactionStatus;
  subStatus: string | null;
  amountCentavos: bigint;
  merchantName: string;
  description: string | null;
  brCode: string | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
  livemode: boolean;
  /**
   * How far the account's test clock is ahead of the service's time, in milliseconds; 0 without
   * one.
   */
  aheadMs: bigint;
  /** Null for PIX. Quantities in 10^-8 of a coin. */
  currency: string | null;
  units: bigint | null;
  receivedUnits: bigint;
  wallet: string | null;
  memo: string | null;
  providerUrl: string | null;
  confirmations: number;
  confirmationsNeeded: number | null;
  /**
   * Changes with every write of the row: PostgreSQL's own number of the transaction that wrote it.
   */
  version: string;
};

/**
 * Returns what a payer may see of these charges and invoices, in no particular order; other ids are
 * left out.
 */
export async function findPaymentPages(db: pg.Pool, ids: readonly string[]): Promise<PaymentPageRow[]> {
  const { rows } = await db.query<PaymentPageRow>({
    name: 'find-payment-pages',
    text: `SELECT t.id, t.status, t.sub_status AS "subStatus", t.amount_centavos AS "amountCentavos", m.name AS "merchantName", t.description,
        t.br_code AS "brCode", t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.paid_at AS "paidAt",
        a.mode = 'live' AS livemode, t.currency, t.units, t.received_units AS "receivedUnits", t.wallet, t.memo,
        t.provider_url AS "providerUrl", t.confirmations, t.confirmations_needed AS "confirmationsNeeded", t.xmin::text AS version,
        coalesce((SELECT c.ahead_ms FROM test_clocks c WHERE c.account_id = t.account_id), 0) AS "aheadMs"
      FROM transactions t JOIN accounts a ON a.id = t.account_id JOIN merchants m ON m.id = a.merchant_id
      WHERE t.id = ANY($1::uuid[]) AND t.type IN ('pix_in', 'crypto_in')`,
    values: [ids],
  });
  return rows;
}

/** Returns the versions of these charges and invoices by id (PaymentPageRow). */
export async function findPaymentVersions(db: pg.Pool, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; version: string }>({
    name: 'find-payment-versions',
    text: `SELECT id, xmin::text AS version FROM transactions
      WHERE id = ANY($1::uuid[]) AND type IN ('pix_in', 'crypto_in')`,
    values: [ids],
  });
  return new Map(rows.map(({ id, version }) => [id, version]));
}

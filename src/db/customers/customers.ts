import type pg from 'pg';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { figuresOf } from '../reports/figures.ts';
import { newestOfText, type SearchText, textMatches } from '../transactions/transaction-text.ts';
import { LISTING_COLUMNS, type TransactionListing } from '../transactions/transactions.ts';
import { IDENTIFIES } from './personal-data.ts';

/**
 * The customers of an account: the people and businesses whose documents its charges and invoices
 * bear. They have no table of their own: a customer is what the transactions of one document say
 * (the blind index customer_document_index), and is named by the id of any of these.
 */

/**
 * The newest transaction of a customer with what the customer has paid, and the newest of each text
 * that the account was given of them.
 */
export type CustomerRow = {
  /** Of the transaction that the customer is named by: the oldest. */
  id: string;
  /** Of the newest transaction. */
  newestId: string;
  newestAt: Date;
  documentType: 'cpf' | 'cnpj' | null;
  /** Sealed, each with the transaction that seals it; null: it was never given. */
  name: SealedOf | null;
  email: SealedOf | null;
  phone: SealedOf | null;
  /** How many of the transactions were paid, in whole or in part. */
  paidCount: number;
  /** By the ledger (transaction_figures): what was paid, and what of it went back. */
  paidCentavos: bigint;
  refundedCentavos: bigint;
  firstPaidAt: Date | null;
  lastPaidAt: Date | null;
  /** All, paid or not. */
  count: number;
};

export type SealedOf = { id: string; text: string };

/** The sealed text of a column in the newest transaction of a customer that has one. */
const newestText = (column: string): string =>
  `(SELECT json_build_object('id', own.id, 'text', own.text) FROM unnest(prints.indexes) AS print (index) CROSS JOIN LATERAL (
      SELECT n.id, n.${column} AS text FROM transactions n
      WHERE n.account_id = $1 AND n.customer_document_index = print.index AND n.${column} IS NOT NULL
      ORDER BY n.id DESC LIMIT 1) AS own
    ORDER BY own.id DESC LIMIT 1)`;

/**
 * A customer by their newest transaction, with all fingerprints that their document may have been
 * stored with: until everything is sealed again with a new master key there are several.
 */
export type CustomerToFind = { newestId: string; documentIndexes: readonly Buffer[] };

/** These customers of this account. */
export async function findCustomers(
  db: pg.Pool,
  accountId: string,
  customers: readonly CustomerToFind[],
): Promise<CustomerRow[]> {
  const prints = customers.flatMap(({ newestId, documentIndexes }) =>
    documentIndexes.map((index) => ({ newestId, index })),
  );
  const { rows } = await db.query<CustomerRow>({
    name: 'find-customers',
    text: `SELECT paid.id, o.id AS "newestId", o.created_at AS "newestAt",
        o.customer_document_type AS "documentType", ${newestText('customer_name')} AS name,
        ${newestText('customer_email')} AS email, ${newestText('customer_phone')} AS phone,
        paid."paidCount", paid."paidCentavos", paid."refundedCentavos", paid."firstPaidAt", paid."lastPaidAt", paid.count
      FROM (SELECT newest_id, array_agg(index) AS indexes FROM unnest($2::uuid[], $3::bytea[]) AS given (newest_id, index)
          GROUP BY newest_id) AS prints
        JOIN transactions o ON o.id = prints.newest_id CROSS JOIN LATERAL (
        SELECT (array_agg(t.id ORDER BY t.id))[1] AS id, count(*)::integer AS count,
          (count(*) FILTER (WHERE f.gross_centavos > 0))::integer AS "paidCount",
          sum(f.gross_centavos)::bigint AS "paidCentavos", sum(f.refunded_centavos)::bigint AS "refundedCentavos",
          min(t.paid_at) FILTER (WHERE f.gross_centavos > 0) AS "firstPaidAt",
          max(t.paid_at) FILTER (WHERE f.gross_centavos > 0) AS "lastPaidAt"
        FROM transactions t ${figuresOf('$1')}
        WHERE t.account_id = $1 AND t.customer_document_index = ANY (prints.indexes)) AS paid
      WHERE o.account_id = $1 AND o.customer_document IS NOT NULL ORDER BY o.id DESC`,
    values: [accountId, prints.map(({ newestId }) => newestId), prints.map(({ index }) => index)],
  });
  return rows;
}

/** The payer's documents of these transactions of this account, sealed, by the ids. */
export async function findDocuments(
  db: pg.Pool,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; document: string }>({
    name: 'find-documents',
    text: `SELECT id, customer_document AS document FROM transactions
      WHERE id = ANY ($2) AND account_id = $1 AND customer_document IS NOT NULL`,
    values: [accountId, ids],
  });
  return new Map(rows.map(({ id, document }) => [id, document]));
}

/**
 * The newest transactions of customers, one of each, newest first, older than `before`: those among
 * the next `walk` transactions of the account. Each costs one lookup in the index of documents. Of
 * a customer whose document was stored with several fingerprints there is one for each. What is
 * newer than `asOf` counts for none: who pays while pages are read stays where they were.
 */
export async function listNewestOfCustomers(
  db: pg.Pool,
  accountId: string,
  { before, asOf, walk, limit }: { before: string | null; asOf: string | null; walk: number; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-newest-of-customers',
    text: `SELECT t.id FROM (
        SELECT id, customer_document_index FROM transactions WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3) AS t
      WHERE t.id = (SELECT n.id FROM transactions n
        WHERE n.account_id = $1 AND n.customer_document_index = t.customer_document_index AND n.id <= $5 ORDER BY n.id DESC LIMIT 1)
      ORDER BY t.id DESC LIMIT $4`,
    values: [accountId, before ?? LAST_UUID, walk, limit, asOf ?? LAST_UUID],
  });
  return rows.map(({ id }) => id);
}

/** The last of the next `walk` transactions that are older than `before`; null: there are fewer. */
export async function findEndOfWalk(
  db: pg.Pool,
  accountId: string,
  { before, walk }: { before: string | null; walk: number },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-end-of-walk',
    text: 'SELECT id FROM transactions WHERE account_id = $1 AND id < $2 ORDER BY id DESC OFFSET $3 LIMIT 1',
    values: [accountId, before ?? LAST_UUID, walk - 1],
  });
  return rows[0]?.id ?? null;
}

/**
 * Searches the newest transactions with this text, `matches` of them where the newest of all do not
 * have `limit` customers. Returns the newest transaction of each customer found, `limit` at most,
 * the customer with the newest match first; of a customer whose document was stored with several
 * fingerprints one for each of these that is found. `hasMore`: so many transactions match that
 * there may be others, of further customers.
 */
export async function searchNewestOfCustomers(
  db: pg.Pool,
  accountId: string,
  text: SearchText,
  { matches, limit }: { matches: number; limit: number },
): Promise<{ ids: string[]; hasMore: boolean }> {
  const values: unknown[] = [accountId, matches, limit];
  const found = newestOfText({
    bounds: [],
    conditions: ['t.customer_document_index IS NOT NULL'],
    texts: textMatches(text, (value) => `$${values.push(value)}`),
    kinds: ['others'],
    limit: '$2',
    isEnough: `(SELECT count(DISTINCT t.customer_document_index) FROM newest JOIN transactions t ON t.id = newest.id) >= $3`,
  });
  const { rows } = await db.query<{ id: string; matches: number }>(
    `WITH found AS MATERIALIZED (${found})
      SELECT newest.id, (SELECT count(*)::integer FROM found) AS matches FROM (
        SELECT t.customer_document_index, (array_agg(t.id ORDER BY t.id DESC))[1] AS matched FROM found JOIN transactions t ON t.id = found.id
        WHERE t.account_id = $1 GROUP BY t.customer_document_index ORDER BY matched DESC LIMIT $3) AS one
      CROSS JOIN LATERAL (SELECT n.id FROM transactions n
        WHERE n.account_id = $1 AND n.customer_document_index = one.customer_document_index ORDER BY n.id DESC LIMIT 1) AS newest
      ORDER BY one.matched DESC`,
    values,
  );
  return { ids: rows.map(({ id }) => id), hasMore: rows[0]?.matches === matches };
}

/** Whom a transaction names, sealed. */
export type NamedPerson = {
  /** The payer's. */
  document: string | null;
  /** The PIX key that it was sent to. */
  pixKey: string | null;
  /** Whether that is a CPF or CNPJ. */
  isDocument: boolean;
  /** Whether anything of it still says who somebody is. */
  identifies: boolean;
};

/** Whom a transaction of this account names. Null: there is no such transaction. */
export async function findPersonOf(db: pg.Pool, accountId: string, id: string): Promise<NamedPerson | null> {
  const { rows } = await db.query<NamedPerson>({
    name: 'find-person-of',
    text: `SELECT t.customer_document AS document, t.pix_key AS "pixKey",
        coalesce(t.pix_key_type IN ('cpf', 'cnpj'), false) AS "isDocument", ${IDENTIFIES} AS identifies
      FROM transactions t WHERE t.id = $1 AND t.account_id = $2`,
    values: [id, accountId],
  });
  return rows[0] ?? null;
}

/**
 * The newest transaction that bears one of these fingerprints, of those up to `asOf` where that is
 * given; null: none does.
 */
export async function findNewestOf(
  db: pg.Pool,
  accountId: string,
  documentIndexes: readonly Buffer[],
  asOf: string | null = null,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-newest-of',
    text: `SELECT id FROM transactions WHERE account_id = $1 AND customer_document_index = ANY ($2) AND id <= $3
      ORDER BY id DESC LIMIT 1`,
    values: [accountId, documentIndexes, asOf ?? LAST_UUID],
  });
  return rows[0]?.id ?? null;
}

/** The transactions of a customer, newest first, older than `before`. */
export async function listTransactionsOfCustomer(
  db: pg.Pool,
  accountId: string,
  of: { documentIndexes: readonly Buffer[]; before: string | null; limit: number },
): Promise<TransactionListing[]> {
  const { rows } = await db.query<TransactionListing>({
    name: 'list-transactions-of-customer',
    text: `SELECT ${LISTING_COLUMNS} FROM (
        SELECT own.id FROM unnest($2::bytea[]) AS print (index) CROSS JOIN LATERAL (
          SELECT t.id FROM transactions t WHERE t.account_id = $1 AND t.customer_document_index = print.index AND t.id < $3
          ORDER BY t.id DESC LIMIT $4) AS own ORDER BY own.id DESC LIMIT $4) AS page
      JOIN transactions t ON t.id = page.id ${figuresOf('t.account_id')} ORDER BY t.id DESC`,
    values: [accountId, of.documentIndexes, of.before ?? LAST_UUID, of.limit],
  });
  return rows;
}

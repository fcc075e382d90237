import type pg from 'pg';
import type { Database } from '#db/connection/database.ts';
import { PIX_KEY_INDEX, pixKeyOfAccount, sealContext } from '#db/encryption/sealed-columns.ts';
import { sealTransactionText } from '#db/transactions/transaction-texts.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { searchTokens } from '#domain/transactions/search-tokens.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { sealEventBody } from '#services/webhooks/seal-event-body.ts';
import { planTransaction } from './planned-transaction.ts';

/** Ninety days and the ninety before them: the longest time that the overview adds up. */
const DAYS = 180;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/**
 * The time whose totals one statement adds up: each reads everything since the beginning of its
 * span.
 */
const TOTALS_SPAN = '60 days';
/** Rows that are sealed and written at a time. */
const BATCH = 5_000;
/** The customers of a growing business grow, too. */
const TRANSACTIONS_A_CUSTOMER = 20;
const CUSTOMERS_MIN = 500;
/** An event's body is as long as that of a charge. */
const EVENT_NOTE_LENGTH = 300;
/** The last transaction is old enough that everything that follows from it is posted. */
const LAST_AGO_MS = 5 * 60_000;

/** The tables that are filled, each after those that it refers to. */
const FILLED_TABLES = [
  'transactions',
  'refunds',
  'reviews',
  'invoice_increments',
  'ledger_transfers',
  'ledger_entries',
  'limit_usage',
  'events',
  'deliveries',
  'attempts',
  'request_records',
  'provider_calls',
  'audit_records',
];

/** Longer than any chain of tables that refer to each other: it ends the search in a circle. */
const REFERENCES_MAX = 12;
/**
 * The filled tables and those that refer to them, each before those that it refers to: PostgreSQL
 * lets no logged table refer to an unlogged one.
 */
const UNLOGGED_TABLES = `WITH RECURSIVE referring AS (
    SELECT oid, 0 AS depth FROM pg_class WHERE relname = ANY ($1) AND relnamespace = 'public'::regnamespace
    UNION
    SELECT c.conrelid, r.depth + 1 FROM referring r
    JOIN pg_constraint c ON c.confrelid = r.oid AND c.contype = 'f' AND c.conrelid <> c.confrelid
    WHERE r.depth < ${REFERENCES_MAX})
  SELECT oid::regclass::text AS name FROM referring GROUP BY oid ORDER BY max(depth) DESC`;

/** The n-th customer, so that a call can search for one. */
export const customerOf = (n: number) => ({
  name: `${GIVEN_NAMES[n % GIVEN_NAMES.length]} ${FAMILY_NAMES[Math.floor(n / 7) % FAMILY_NAMES.length]} ${
    FAMILY_NAMES[Math.floor(n / 31) % FAMILY_NAMES.length]
  }`,
  email: `cliente${n}@example.com`,
  document: String(10_000_000_000 + n * 7_919).slice(0, 11),
  pixKey: `cliente${n}@example.com`,
});

/**
 * Fills an account with half a year of data, as it would look after `count` transactions: their
 * transfers and entries, balances, refunds, uses of limits, events with their deliveries, records
 * of requests, of providers' calls and of the audit. It writes straight into the tables, as their
 * owner, without the triggers and functions that move money otherwise, which would take a day: the
 * database is thrown away after the measurement, and the ledger check at its end proves that it
 * balances. The tables are not written to the write-ahead log, and their indexes are built last.
 *
 * The account has to be new. Texts are sealed, so that readers of a row can open them.
 */
export async function fillAccount(
  db: Database,
  secretBox: SecretBox,
  accountId: string,
  count: number,
  progress: (text: string) => void = () => {},
): Promise<void> {
  const client = await db.pool.connect();
  try {
    // The limit of our sessions is meant for statements of milliseconds.
    await client.query('SET statement_timeout = 0');
    await client.query("SET session_replication_role = 'replica'");
    await client.query("SET work_mem = '256MB'");
    await client.query("SET maintenance_work_mem = '512MB'");
    const { rows } = await client.query<{ name: string }>(UNLOGGED_TABLES, [FILLED_TABLES]);
    for (const { name } of rows) await client.query(`ALTER TABLE ${name} SET UNLOGGED`);
    const rebuild = await dropIndexes(client);
    await insertTransactions(client, secretBox, accountId, count, progress);
    for (const [what, derive] of Object.entries(DERIVED)) {
      progress(`${count.toLocaleString('en')} transactions: ${what}`);
      if (typeof derive === 'string') await client.query(derive, derive.includes('$1') ? [accountId] : []);
      else await derive(client, secretBox, accountId);
    }
    progress(`${count.toLocaleString('en')} transactions: indexes`);
    await rebuild();
    progress(`${count.toLocaleString('en')} transactions: totals of hours and days`);
    await addUpHours(db);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    client.release(true);
  }
}

/**
 * Makes the totals from the beginning, as a worker makes them hour by hour: rows that were written
 * without triggers are in none.
 */
async function addUpHours({ pool }: Database): Promise<void> {
  await pool.query('DELETE FROM account_totals');
  await pool.query('UPDATE totals_progress SET closed_until = NULL, barrier = NULL, sealed_until = NULL');
  const lastHour = new Date(Math.floor(Date.now() / HOUR_MS - 1) * HOUR_MS);
  const client = await pool.connect();
  await client.query('SET statement_timeout = 0');
  for (let step = ''; step !== 'done'; ) {
    const { rows } = await client.query<{ step: string }>('SELECT totals_seal($1, $2) AS step', [
      lastHour,
      TOTALS_SPAN,
    ]);
    step = rows[0]?.step ?? 'done';
  }
  client.release(true);
}

/**
 * Drops the indexes and returns a function that builds them again. The primary keys stay, because
 * rows come in their order.
 */
async function dropIndexes(client: pg.PoolClient): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
     WHERE t.relname = ANY ($1) AND t.relnamespace = 'public'::regnamespace AND NOT i.indisprimary`,
    [FILLED_TABLES],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

async function insertTransactions(
  client: pg.PoolClient,
  box: SecretBox,
  accountId: string,
  count: number,
  progress: (text: string) => void,
): Promise<void> {
  const customers = Math.max(CUSTOMERS_MIN, Math.ceil(count / TRANSACTIONS_A_CUSTOMER));
  const end = new Date(Date.now() - LAST_AGO_MS);
  const start = new Date(end.getTime() - DAYS * DAY_MS);
  // By number, because the tokens of a text take as long to make as the rest of its row.
  const tokensOfCustomer: string[] = [];
  const tokensOfProduct = PRODUCTS.map((product) => tokensOf(box, accountId, [product]));
  for (let first = 1; first <= count; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, at) => {
      const n = first + at;
      const planned = planTransaction(n, count, start, end);
      const id = uuidv7(planned.createdAt);
      const number = (n * 48_271) % customers;
      const customer = customerOf(number);
      const isPaidByCustomer = planned.type === 'pix_in' || planned.type === 'crypto_in';
      const product = n % PRODUCTS.length;
      const description = `Pedido ${n} ${PRODUCTS[product]}`;
      tokensOfCustomer[number] ??= tokensOf(box, accountId, [customer.name, customer.email]);
      return {
        id,
        n,
        ...planned,
        description: sealTransactionText(box, id, 'description', description),
        name: sealTransactionText(box, id, 'customerName', isPaidByCustomer ? customer.name : null),
        email: sealTransactionText(box, id, 'customerEmail', isPaidByCustomer ? customer.email : null),
        document: sealTransactionText(
          box,
          id,
          'customerDocument',
          planned.type === 'pix_in' ? customer.document : null,
        ),
        documentIndex: planned.type === 'pix_in' ? box.fingerprint(customer.document, 'customer-document') : null,
        pixKey:
          planned.type === 'pix_out' ? box.seal(customer.pixKey, sealContext('transactions.pix_key', { id })) : null,
        pixKeyIndex:
          planned.type === 'pix_out'
            ? box.fingerprint(pixKeyOfAccount(accountId, customer.pixKey), PIX_KEY_INDEX)
            : null,
        tokens: `{${[
          tokensOfProduct[product],
          tokensOf(box, accountId, [`Pedido ${n}`]),
          ...(isPaidByCustomer ? [tokensOfCustomer[number]] : []),
        ].join(',')}}`,
      };
    });
    await client.query({
      name: 'bench-insert-transactions',
      text: INSERT_TRANSACTIONS,
      values: [
        accountId,
        ...(
          [
            ...([
              'id',
              'n',
              'type',
              'status',
              'amountCentavos',
              'refundedCentavos',
              'createdAt',
              'description',
            ] as const),
            ...(['name', 'email', 'document', 'documentIndex', 'pixKey', 'pixKeyIndex', 'tokens'] as const),
          ] as const
        ).map((name) => rows.map((row) => row[name])),
        end,
      ],
    });
    if (first % 100_000 < BATCH)
      progress(`${count.toLocaleString('en')} transactions: row ${first.toLocaleString('en')}`);
  }
}

const tokensOf = (box: SecretBox, accountId: string, words: readonly string[]): string =>
  searchTokens(box, accountId, { words, phone: null }).join(',');

const INSERT_TRANSACTIONS = `
  INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, refunded_centavos,
    description, customer_name, customer_email, customer_document, customer_document_index, customer_document_type, rail,
    br_code, end_to_end_id, pix_key, pix_key_type, pix_key_index, currency, units, wallet, provider_id, quote_price,
    quote_spread_bps, quoted_at, quote_sources, received_units, in_time_units, settled_units, quoted_units,
    credited_centavos, credited_fee_centavos, tx_hashes, payout_step, failure_code, search_tokens, created_at, expires_at,
    paid_at, updated_at)
  SELECT id, $1, type, status, amount, fee, CASE WHEN type = 'pix_out' THEN amount ELSE amount - fee END, refunded,
    description, name, email, document, document_index, CASE WHEN document IS NOT NULL THEN 'cpf'::document_type END,
    CASE WHEN is_pix THEN 'sandbox' ELSE 'sandbox_crypto' END,
    CASE WHEN type = 'pix_in' THEN repeat('00020126', 24) END,
    CASE WHEN is_pix AND is_done THEN 'E' || translate(id::text, '-', '') END,
    pix_key, CASE WHEN type = 'pix_out' THEN 'email' END, pix_key_index,
    CASE WHEN NOT is_pix THEN 'USDT_BSC' END, CASE type WHEN 'crypto_in' THEN amount WHEN 'crypto_out' THEN amount - fee END * 200000,
    CASE WHEN NOT is_pix THEN '0x' || left(translate(id::text, '-', '') || 'c0ffee00', 40) END,
    CASE WHEN NOT is_pix THEN 'bench-' || n || '-of-this-account' END,
    CASE WHEN NOT is_pix THEN 500000000 END, CASE WHEN NOT is_pix THEN 0 END, CASE WHEN NOT is_pix THEN at END,
    CASE WHEN NOT is_pix THEN '[{"source": "sandbox", "price": "500000000", "at": "2026-01-01T00:00:00.000Z"}]'::jsonb END,
    received, received, received, received,
    CASE WHEN received > 0 THEN amount ELSE 0 END, CASE WHEN received > 0 THEN fee ELSE 0 END, '{}',
    CASE WHEN type IN ('pix_out', 'crypto_out') THEN 'sent' END, CASE WHEN status = 'failed' THEN 'AB03' END,
    tokens::bigint[], at, at + interval '1 day', CASE WHEN is_done THEN at + interval '4 minutes' END,
    CASE status WHEN 'pending' THEN at WHEN 'expired' THEN least(at + interval '1 day', $17) ELSE at + interval '4 minutes' END
  FROM (
    SELECT *, type IN ('pix_in', 'pix_out') AS is_pix, status IN ('paid', 'completed', 'refunded') AS is_done, amount / 100 + 10 AS fee,
      CASE WHEN type = 'crypto_in' AND status = 'completed' THEN amount * 200000 ELSE 0 END AS received
    FROM unnest($2::uuid[], $3::bigint[], $4::transaction_type[], $5::transaction_status[], $6::bigint[], $7::bigint[],
      $8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::text[], $15::bytea[], $16::text[])
      AS r (id, n, type, status, amount, refunded, at, description, name, email, document, document_index, pix_key, pix_key_index, tokens)
  ) AS r`;

/**
 * Inserts an event of each transaction that has changed since it was created, with its body sealed.
 */
async function insertEvents(client: pg.PoolClient, box: SecretBox, accountId: string): Promise<void> {
  await client.query('BEGIN');
  await client.query(
    `DECLARE changed NO SCROLL CURSOR FOR SELECT id, type || '.' || status AS type, updated_at AS at
     FROM transactions WHERE account_id = '${accountId}' AND status <> 'pending' ORDER BY updated_at`,
  );
  for (;;) {
    const { rows } = await client.query<{ id: string; type: string; at: Date }>(`FETCH ${BATCH} FROM changed`);
    if (rows.length === 0) break;
    const events = rows.map(({ id: transactionId, type, at }) => {
      const id = uuidv7(at);
      const data = { transaction_id: transactionId, note: 'x'.repeat(EVENT_NOTE_LENGTH) };
      const body = sealEventBody({ secretBox: box }, id, JSON.stringify({ type, data }));
      return { id, transactionId, type, body, at };
    });
    await client.query({
      name: 'bench-insert-events',
      text: `INSERT INTO events (id, account_id, transaction_id, type, body, created_at)
        SELECT id, $1, transaction_id, type, body, at
        FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
          AS e (id, transaction_id, type, body, at)`,
      values: [
        accountId,
        ...(['id', 'transactionId', 'type', 'body', 'at'] as const).map((name) => events.map((event) => event[name])),
      ],
    });
  }
  await client.query('COMMIT');
}

/**
 * The statements that derive the other tables from the transactions, by name; $1 is the account.
 */
const DERIVED: Readonly<Record<string, string | typeof insertEvents>> = {
  refunds: `INSERT INTO refunds (id, transaction_id, centavos, status, sent_at, created_at, finished_at)
    SELECT gen_random_uuid(), id, refunded_centavos, 'completed', at, at, at
    FROM (SELECT *, least(paid_at + interval '1 day', (SELECT max(created_at) FROM transactions)) AS at FROM transactions
      WHERE account_id = $1 AND refunded_centavos > 0) AS x`,
  increments: `INSERT INTO invoice_increments (transaction_id, units_before, units, price, is_quoted, credited_centavos,
      reviewed_centavos, created_at)
    SELECT id, 0, units, quote_price, true, credited_centavos, 0, paid_at FROM transactions
    WHERE account_id = $1 AND type = 'crypto_in' AND status = 'completed'`,
  transfers: `INSERT INTO ledger_transfers (transaction_id, kind, reference, created_at, account_id, type, gross_centavos, fee_centavos)
    SELECT id, kind, refund_id, at, account_id, type,
      CASE kind WHEN 'withdrawal_completed' THEN -net_centavos WHEN 'refund_completed' THEN -centavos
        WHEN 'charge_paid' THEN amount_centavos WHEN 'crypto_received' THEN amount_centavos ELSE 0 END,
      CASE WHEN kind IN ('charge_paid', 'crypto_received', 'withdrawal_completed') THEN fee_centavos ELSE 0 END
    FROM (
      SELECT x.*, kind, '' AS refund_id, 0 AS centavos, CASE kind WHEN 'withdrawal_requested' THEN created_at ELSE updated_at END AS at
      FROM transactions x CROSS JOIN LATERAL unnest(CASE
        WHEN type = 'pix_in' AND status IN ('paid', 'refunded') THEN ARRAY['charge_paid']
        WHEN type = 'crypto_in' AND status = 'completed' THEN ARRAY['crypto_received']
        WHEN type IN ('pix_out', 'crypto_out') AND status = 'failed' THEN ARRAY['withdrawal_requested', 'withdrawal_failed']
        WHEN type IN ('pix_out', 'crypto_out') THEN ARRAY['withdrawal_requested', 'withdrawal_completed'] END) AS kind
      WHERE account_id = $1
      UNION ALL
      SELECT x.*, kind, f.id::text, f.centavos, f.created_at FROM refunds f JOIN transactions x ON x.id = f.transaction_id
        CROSS JOIN unnest(ARRAY['refund_requested', 'refund_completed']) AS kind WHERE x.account_id = $1
    ) AS posted ORDER BY at, kind DESC`,
  // The reference of a crypto deposit counts its transfers.
  references: `UPDATE ledger_transfers SET reference = '1' WHERE account_id = $1 AND kind = 'crypto_received'`,
  entries: `INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos, balance_after_centavos, credit_after_centavos, version)
    SELECT transfer_id, account, amount, CASE WHEN account > 0 THEN sum(amount) OVER w END,
      CASE WHEN account > 0 THEN sum(greatest(amount, 0)) OVER w END, CASE WHEN account > 0 THEN row_number() OVER w END
    FROM (
      SELECT t.id AS transfer_id, leg.account, leg.amount
      FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id
        CROSS JOIN (SELECT ledger_account($1, 'available') AS available, ledger_account($1, 'blocked') AS blocked,
          ledger_platform_account('fees', account_mode($1)) AS fees,
          ledger_platform_account('pix_settlement', account_mode($1)) AS pix,
          ledger_platform_account('crypto_settlement', account_mode($1)) AS crypto) AS a
        CROSS JOIN LATERAL (SELECT CASE WHEN x.type IN ('pix_in', 'pix_out') THEN pix ELSE crypto END AS settlement,
          x.net_centavos + x.fee_centavos AS held, abs(t.gross_centavos) AS gross) AS m
        CROSS JOIN LATERAL (
          SELECT * FROM (VALUES (settlement, -gross), (available, x.net_centavos), (fees, x.fee_centavos)) AS v (account, amount)
            WHERE t.kind IN ('charge_paid', 'crypto_received')
          UNION ALL SELECT * FROM (VALUES (available, -held), (blocked, held)) AS v WHERE t.kind = 'withdrawal_requested'
          UNION ALL SELECT * FROM (VALUES (blocked, -held), (settlement, gross), (fees, x.fee_centavos)) AS v
            WHERE t.kind = 'withdrawal_completed'
          UNION ALL SELECT * FROM (VALUES (blocked, -held), (available, held)) AS v WHERE t.kind = 'withdrawal_failed'
          UNION ALL SELECT * FROM (VALUES (available, -x.refunded_centavos), (blocked, x.refunded_centavos)) AS v
            WHERE t.kind = 'refund_requested'
          UNION ALL SELECT * FROM (VALUES (blocked, -gross), (settlement, gross)) AS v WHERE t.kind = 'refund_completed'
        ) AS leg
      WHERE t.account_id = $1
    ) AS leg WINDOW w AS (PARTITION BY account ORDER BY transfer_id) ORDER BY transfer_id`,
  balances: `UPDATE ledger_accounts a SET balance_centavos = e.balance, credit_centavos = e.credits, version = e.version
    FROM (SELECT ledger_account_id, sum(amount_centavos) AS balance, max(credit_after_centavos) AS credits, max(version) AS version FROM ledger_entries
      WHERE version IS NOT NULL GROUP BY 1) AS e WHERE a.id = e.ledger_account_id AND a.account_id = $1`,
  'uses of limits': `INSERT INTO limit_usage (account_id, type, period, starts_at, ends_at, centavos)
    SELECT account_id, type, 'day', day, (day AT TIME ZONE 'America/Sao_Paulo' + interval '1 day') AT TIME ZONE 'America/Sao_Paulo',
      coalesce(sum(amount_centavos) FILTER (WHERE status <> 'failed'), 0)
    FROM (SELECT *, date_trunc('day', created_at, 'America/Sao_Paulo') AS day FROM transactions
      WHERE account_id = $1 AND type IN ('pix_out', 'crypto_out')) AS x GROUP BY 1, 2, 4`,
  // From 20:00 up to 06:00: four hours later that is from midnight up to ten.
  'uses of limits by night': `INSERT INTO limit_usage (account_id, type, period, starts_at, ends_at, centavos)
    SELECT account_id, type, 'night', (night - interval '4 hours') AT TIME ZONE 'America/Sao_Paulo',
      (night + interval '6 hours') AT TIME ZONE 'America/Sao_Paulo',
      coalesce(sum(amount_centavos) FILTER (WHERE status <> 'failed'), 0)
    FROM (SELECT *, created_at AT TIME ZONE 'America/Sao_Paulo' + interval '4 hours' AS later FROM transactions
      WHERE account_id = $1 AND type IN ('pix_out', 'crypto_out')) AS x
      CROSS JOIN LATERAL (SELECT date_trunc('day', later) AS night) AS n
    WHERE later < night + interval '10 hours' GROUP BY 1, 2, night`,
  // Due after everything that is measured.
  tasks: `INSERT INTO tasks (kind, subject_id, due_at)
    SELECT CASE type WHEN 'pix_in' THEN 'sync_charge' ELSE 'sync_invoice' END, id, created_at + interval '10 years' FROM transactions
    WHERE account_id = $1 AND type IN ('pix_in', 'crypto_in') AND status = 'pending'`,
  endpoints: `INSERT INTO endpoints (id, account_id, topic, url, created_at)
    SELECT gen_random_uuid(), $1, topic, 'https://loja.example.com/webhooks', (SELECT min(created_at) FROM transactions)
    FROM unnest(ARRAY['deposit', 'withdrawal', 'usdt']::topic[]) AS topic ON CONFLICT (account_id, topic) DO NOTHING`,
  events: insertEvents,
  // As many as a receiver that is down for half a day in the half year; the smallest account has a
  // page of them.
  deliveries: `INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at, finished_at)
    SELECT gen_random_uuid(), e.id, p.id, p.url, CASE WHEN random() < 0.003 THEN 'failed' ELSE 'delivered' END::delivery_status,
      e.created_at, e.created_at + interval '1 second'
    FROM events e JOIN endpoints p ON p.account_id = e.account_id AND p.topic = CASE split_part(e.type, '.', 1)
      WHEN 'pix_in' THEN 'deposit' WHEN 'pix_out' THEN 'withdrawal' ELSE 'usdt' END::topic WHERE e.account_id = $1`,
  attempts: `INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status_code)
    SELECT d.id, 1, d.created_at, 80, CASE d.status WHEN 'failed' THEN 500 ELSE 200 END FROM deliveries d`,
  // Records of a week, and calls of ninety days, as jobs/housekeeping.ts keeps them.
  'records of requests': `INSERT INTO request_records (account_id, key_id, request_id, method, path, status, duration_ms, at)
    SELECT account_id, account_id, id, 'POST', '/payments/deposit', 200, 12, created_at FROM transactions
    WHERE account_id = $1 AND created_at >= (SELECT max(created_at) - interval '7 days' FROM transactions) ORDER BY created_at`,
  'calls of providers': `INSERT INTO provider_calls (transaction_id, rail, operation, method, target, status, outcome, duration_ms, at)
    SELECT id, rail, 'create_charge', 'PUT', 'psp.example.com/cob/…', 201, 'done', 90, created_at FROM transactions
    WHERE account_id = $1 AND created_at >= (SELECT max(created_at) - interval '90 days' FROM transactions) ORDER BY created_at`,
  // Of the last two days, as they are kept.
  'counts of requests': `INSERT INTO request_counts (hour, family, requests, rejected, failed)
    SELECT date_trunc('hour', at, 'UTC'), 'transactions', count(*), 0, 0 FROM request_records
    WHERE account_id = $1 AND at >= (SELECT max(at) - interval '2 days' FROM request_records) GROUP BY 1`,
  'counts of calls': `INSERT INTO provider_call_counts (hour, rail, calls, failures, last_answer_at)
    SELECT date_trunc('hour', at, 'UTC'), rail, count(*), 0, max(at) FROM provider_calls
    WHERE at >= (SELECT max(at) - interval '2 days' FROM provider_calls) GROUP BY 1, 2`,
  audit: `INSERT INTO audit_records (merchant_id, account_id, action, details, ip_address, at)
    SELECT a.merchant_id, a.id, 'withdrawal.requested', jsonb_build_object('subject', x.id), '203.0.113.7', x.created_at
    FROM transactions x JOIN accounts a ON a.id = x.account_id
    WHERE a.id = $1 AND x.type IN ('pix_out', 'crypto_out') ORDER BY x.created_at`,
};

const GIVEN_NAMES = [
  ...['Maria', 'José', 'Ana', 'João', 'Antônio', 'Francisca', 'Carlos', 'Paulo', 'Adriana', 'Marcos', 'Luísa', 'Pedro'],
  ...[
    'Beatriz',
    'Tiago',
    'Camila',
    'Rafael',
    'Juliana',
    'Bruno',
    'Letícia',
    'Gustavo',
    'Fernanda',
    'Diego',
    'Patrícia',
  ],
];
const FAMILY_NAMES = [
  ...['da Silva', 'Santos', 'Oliveira', 'Souza', 'Rodrigues', 'Ferreira', 'Alves', 'Pereira', 'Lima', 'Gomes', 'Costa'],
  ...[
    'Ribeiro',
    'Martins',
    'Carvalho',
    'Almeida',
    'Lopes',
    'Soares',
    'Fernandes',
    'Vieira',
    'Barbosa',
    'Rocha',
    'Dias',
  ],
];
const PRODUCTS = ['Tênis corrida', 'Sandália couro', 'Bota cano curto', 'Sapato social', 'Chinelo praia'].flatMap(
  (shoe) =>
    ['azul', 'preto', 'branco', 'vermelho', 'verde', 'caramelo'].flatMap((colour) =>
      Array.from({ length: 10 }, (_, size) => `${shoe} ${colour} ${34 + size}`),
    ),
);

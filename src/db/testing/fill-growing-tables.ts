import type pg from 'pg';

/** The tables that only grow, or whose rows are kept for months. */
export const GROWING_TABLES: ReadonlySet<string> = new Set([
  'account_totals',
  'attempts',
  'audit_records',
  'deliveries',
  'disputes',
  'events',
  'foreign_operations',
  'foreign_payouts',
  'foreign_refunds',
  'idempotency_keys',
  'inbound_callbacks',
  'invoice_increments',
  'ledger_entries',
  'ledger_seals',
  'ledger_transfers',
  'limit_usage',
  'payment_returns',
  'provider_calls',
  'refunds',
  'request_records',
  'reviews',
  'transactions',
  'unmatched_payments',
]);

/** So many that no plan that reads them all is the cheapest where an index would do. */
const ROWS = 20_000;

/** Accounts that share the rows evenly: a scan of all rows reads far more than one account's. */
const ACCOUNTS = 200;

/**
 * Fills the growing tables with the same number of rows, whose values are spread alike, as their
 * owner and without triggers, and has PostgreSQL collect its statistics. The rows are the same each
 * time, and few enough for the statistics to take in all of them: so plans are the same, too.
 */
export async function fillGrowingTables(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    for (const sql of ROWS_OF_TABLES) await client.query(sql);
    await client.query('VACUUM (ANALYZE)');
  } finally {
    client.release(true);
  }
}

const id = (kind: number, n = 'n') =>
  `('0190' || lpad(to_hex(${n}), 8, '0') || '7${kind.toString(16)}008' || lpad(to_hex(${n} * 7919 % 16777216), 15, '0'))::uuid`;
const at = (n = 'n') => `timestamptz '2026-01-01' + ${n} * interval '10 minutes'`;
const each = `generate_series(1, ${ROWS}) AS n`;
const ACCOUNT = id(8, `(n % ${ACCOUNTS})`);
/** The id of one of these accounts. */
export const FILLED_ACCOUNT = '01900000-0001-7800-8000-000000001eef';
const KINDS = `(ARRAY['pix_in', 'pix_in', 'pix_in', 'crypto_in', 'pix_out', 'crypto_out']::transaction_type[])[1 + n % 6]`;

const ROWS_OF_TABLES = [
  `INSERT INTO merchants (id, name, email, document, document_type, created_at)
    SELECT ${id(9)}, 'Loja', n || '@example.com', 'sealed', 'cnpj', ${at()} FROM generate_series(0, ${ACCOUNTS - 1}) AS n`,
  `INSERT INTO accounts (id, merchant_id, mode, webhook_secret, created_at)
    SELECT ${id(8)}, ${id(9)}, 'test', 'sealed', ${at()} FROM generate_series(0, ${ACCOUNTS - 1}) AS n`,
  `INSERT INTO ledger_accounts (account_id, kind, mode, balance_centavos)
    SELECT a.id, k, a.mode, 0 FROM accounts a, unnest('{available,pending,blocked}'::ledger_account_kind[]) AS k`,
  `INSERT INTO endpoints (id, account_id, topic, url, created_at)
    SELECT gen_random_uuid(), a.id, t, 'https://example.com', a.created_at FROM accounts a, unnest('{deposit,withdrawal,usdt}'::topic[]) AS t`,
  `INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, rail, end_to_end_id,
      pix_key, pix_key_type, pix_key_index, currency, units, quote_price, wallet, provider_id, customer_document_index,
      search_tokens, reference, reference_index, created_at, paid_at, updated_at)
    SELECT ${id(1)}, ${ACCOUNT}, type, CASE WHEN type IN ('crypto_in', 'crypto_out') THEN 'completed' ELSE 'paid' END::transaction_status,
      1000 + n, 0, 1000 + n, 'sandbox', CASE WHEN type IN ('pix_in', 'pix_out') THEN 'E' || n END,
      CASE WHEN type = 'pix_out' THEN 'sealed' END, CASE WHEN type = 'pix_out' THEN 'email' END,
      CASE WHEN type = 'pix_out' THEN sha256(n::text::bytea) END,
      CASE WHEN type IN ('crypto_in', 'crypto_out') THEN 'USDT_BSC' END, CASE WHEN type IN ('crypto_in', 'crypto_out') THEN n END,
      CASE WHEN type IN ('crypto_in', 'crypto_out') THEN 1 END, CASE WHEN type IN ('crypto_in', 'crypto_out') THEN '0x' || n END,
      CASE WHEN type IN ('crypto_in', 'crypto_out') THEN 'p' || n END, CASE WHEN type = 'pix_in' THEN sha256((n / 10)::text::bytea) END,
      ARRAY[n % 10, 100 + n % 1000, 10000 + n]::bigint[], 'sealed', sha256((n / 2)::text::bytea), ${at()}, ${at()}, ${at()}
    FROM (SELECT n, ${KINDS} AS type FROM ${each}) AS x`,
  `INSERT INTO refunds (id, transaction_id, centavos, status, account_id, reference, reference_index, created_at)
    SELECT ${id(2)}, ${id(1)}, 1, 'completed', ${ACCOUNT}, 'sealed', sha256(n::text::bytea), ${at()} FROM ${each}`,
  `INSERT INTO reviews (id, transaction_id, reason, expected_centavos, received_centavos, end_to_end_id, created_at, resolved_at,
      resolution, resolved_by)
    SELECT ${id(3)}, ${id(1)}, 'amount', 1, 2, 'E' || n, ${at()}, ${at()}, 'credit', 'operator' FROM ${each}`,
  `INSERT INTO unmatched_payments (id, rail, mode, account_id, end_to_end_id, centavos, returned_centavos, paid_at, state, created_at)
    SELECT ${id(10)}, 'sandbox', 'test', CASE WHEN n % 2 = 0 THEN ${ACCOUNT} END, 'U' || n, 1, 1, ${at()}, 'returned', ${at()} FROM ${each}`,
  `INSERT INTO disputes (id, account_id, transaction_id, reason, centavos, state, opened_at, answer_by, created_at)
    SELECT ${id(13)}, ${ACCOUNT}, ${id(1)}, 'fraud', 1, 'won', ${at()}, ${at()}, ${at()} FROM ${each}`,
  `INSERT INTO payment_returns (id, unmatched_id, rail, end_to_end_id, centavos, status, created_at)
    SELECT ${id(11)}, ${id(10)}, 'sandbox', 'U' || n, 1, 'completed', ${at()} FROM ${each}`,
  `INSERT INTO foreign_refunds (id, rail, end_to_end_id, refund_id, return_id, kind, centavos, transaction_id, created_at)
    SELECT ${id(12)}, 'sandbox', 'E' || n, 'd' || n, 'D' || n, 'made_at_bank', 1, ${id(1)}, ${at()} FROM ${each}`,
  `INSERT INTO foreign_payouts (id, rail, mode, account_id, end_to_end_id, centavos, sent_at, state, decided_at, created_at)
    SELECT ${id(14)}, 'sandbox', 'test', CASE WHEN n % 2 = 0 THEN ${ACCOUNT} END, 'S' || n, 1, ${at()}, 'written_off', ${at()}, ${at()} FROM ${each}`,
  `INSERT INTO foreign_operations (id, rail, mode, provider_id, kind, reason, decided_at, created_at)
    SELECT ${id(15)}, 'sandbox-crypto', 'test', 'o' || n, 'payout', '', ${at()}, ${at()} FROM ${each}`,
  `INSERT INTO invoice_increments SELECT ${id(1)}, 0, 1, 1, true, 1, 0, ${at()} FROM ${each}`,
  `INSERT INTO ledger_transfers (transaction_id, kind, created_at, account_id, type, gross_centavos, split_account_id, split_centavos)
    SELECT ${id(1)}, 'charge_paid', ${at()}, ${ACCOUNT}, ${KINDS}, 1, CASE WHEN n % 50 = 0 THEN ${id(8, '1')} END, 0 FROM ${each}`,
  `INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos, balance_after_centavos, credit_after_centavos, version)
    SELECT t.id, a.id, 1, t.id, t.id, t.id FROM ledger_transfers t JOIN ledger_accounts a ON a.account_id = t.account_id AND a.kind = 'available'`,
  `INSERT INTO ledger_chains (ledger_account_id, leaf, day, start)
    SELECT id, row_number() OVER (ORDER BY id) - 1, date '2026-01-01', '' FROM ledger_accounts WHERE kind = 'available'`,
  `INSERT INTO ledger_seals (ledger_account_id, day, version, transfer_id, balance_centavos, credit_centavos, link, links)
    SELECT e.ledger_account_id, t.created_at::date, e.version, t.id, 1, 1, '', ''
    FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id`,
  `INSERT INTO events (id, account_id, transaction_id, type, body, created_at)
    SELECT ${id(4)}, ${ACCOUNT}, ${id(1)}, 'pix_in.paid', '{}', ${at()} FROM ${each}`,
  `INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at, finished_at)
    SELECT ${id(5)}, ${id(4)}, (SELECT p.id FROM endpoints p WHERE p.account_id = ${ACCOUNT} AND topic = 'deposit'), 'https://example.com',
      'delivered', ${at()}, ${at()} FROM ${each}`,
  `INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status_code) SELECT ${id(5)}, 1, ${at()}, 1, 200 FROM ${each}`,
  `INSERT INTO request_records (account_id, key_id, request_id, method, path, status, duration_ms, at)
    SELECT ${ACCOUNT}, ${id(8, 'n % 5')}, ${id(6)}, 'POST', '/', 200, 1, ${at()} FROM ${each}`,
  `INSERT INTO provider_calls (transaction_id, rail, operation, method, target, outcome, duration_ms, at)
    SELECT ${id(1)}, 'sandbox', 'create_charge', 'PUT', '/', 'done', 1, ${at()} FROM ${each}`,
  `INSERT INTO audit_records (merchant_id, account_id, action, at)
    SELECT ${id(9, `(n % ${ACCOUNTS})`)}, ${ACCOUNT}, (ARRAY['withdrawal.requested', 'session.started'])[1 + n % 2], ${at()} FROM ${each}`,
  `INSERT INTO idempotency_keys (account_id, key, fingerprint, subject_id, owner, created_at, expires_at)
    SELECT ${ACCOUNT}, 'k' || n, '', ${id(1)}, 1, ${at()}, ${at()} FROM ${each}`,
  `INSERT INTO inbound_callbacks (id, rail, body, received_at, processed_at) SELECT ${id(7)}, 'sandbox', '', ${at()}, ${at()} FROM ${each}`,
  `INSERT INTO limit_usage (account_id, type, period, starts_at, ends_at, centavos)
    SELECT ${ACCOUNT}, 'pix_out', 'day', ${at()}, ${at('(n + 1)')}, 1 FROM ${each}`,
  `INSERT INTO account_totals (account_id, unit, starts_at, kind, count)
    SELECT ${ACCOUNT}, u, ${at()}, 'pix_in', 1 FROM ${each}, unnest(enum_range(NULL::total_unit)) AS u`,
];

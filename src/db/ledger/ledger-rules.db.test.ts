import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../connection/database.ts';
import { fund, insertTransaction, NOW, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { expectUnchanged } from '../testing/ledger-state.ts';
import { postPart } from '../testing/postings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let db: Database;
let account: TestAccount;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, 1_000n);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test.each([
  'UPDATE ledger_entries SET amount_centavos = amount_centavos + 1',
  'UPDATE ledger_entries SET version = version WHERE false',
  'DELETE FROM ledger_entries',
  'TRUNCATE ledger_entries',
  `UPDATE ledger_transfers SET kind = 'refund'`,
  'DELETE FROM ledger_transfers',
  'TRUNCATE ledger_transfers CASCADE',
  'TRUNCATE transactions CASCADE',
  `UPDATE transactions SET id = gen_random_uuid()`,
  `UPDATE ledger_accounts SET mode = 'test'`,
  'UPDATE ledger_accounts SET account_id = gen_random_uuid()',
  'DELETE FROM ledger_accounts',
  'TRUNCATE ledger_accounts CASCADE',
  'UPDATE invoice_increments SET units = 1',
  'DELETE FROM invoice_increments',
  'TRUNCATE invoice_increments',
])('the ledger rejects a statement that changes what is in it: %s', async (sql) => {
  await expectRejected(sql, { code: 'TR001' });
});

test.each([
  'amount_centavos = 2, net_centavos = 2',
  'fee_centavos = 1, net_centavos = net_centavos - 1',
  `type = 'crypto_in'`,
  'account_id = (SELECT id FROM accounts ORDER BY id LIMIT 1)',
])('a transaction with postings rejects a change of what was posted: SET %s', async (assignments) => {
  const { id } = await fund(db.pool, account, 10n);
  await expectRejected(`UPDATE transactions SET ${assignments} WHERE id = '${id}'`, { code: 'TR001' });
});

test('a transaction that only has money in suspense is not posted yet: its amount may change', async () => {
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n });
  await postPart(db.pool, 'suspense', { transactionId: id, reference: 'E1', centavos: 90n, now: NOW });
  await db.pool.query('UPDATE transactions SET amount_centavos = 90, net_centavos = 90 WHERE id = $1', [id]);
});

test('a transaction with postings can’t be deleted, nor can an account with a ledger', async () => {
  await expectRejected(`DELETE FROM accounts WHERE id = '${account.id}'`, { code: expect.stringMatching(/^23/) });
  await expectRejected(`DELETE FROM transactions WHERE account_id = '${account.id}'`, {
    code: expect.stringMatching(/^23/),
  });
});

test.each([
  ['do not sum to zero', `VALUES ($t, $available, 100, 1100, 1100, 2), ($t, -1, -99, NULL, NULL, NULL)`, 'TR002'],
  ['are one alone', 'VALUES ($t, -1, 5, NULL, NULL, NULL)', 'TR002'],
  ['do not fit the balance', 'VALUES ($t, $available, 100, 1100, 1100, 2), ($t, -1, -100, NULL, NULL, NULL)', 'TR002'],
  ['do not fit the credits', 'VALUES ($t, $available, 100, 1000, 1100, 2), ($t, -1, -100, NULL, NULL, NULL)', 'TR002'],
  ['meet test money', 'VALUES ($t, -1, -100, NULL, NULL, NULL), ($t, -11, 100, NULL, NULL, NULL)', 'TR002'],
  ['move nothing', 'VALUES ($t, -1, 0, NULL, NULL, NULL), ($t, -3, 0, NULL, NULL, NULL)', '23514'],
  ['take a version twice', 'VALUES ($t, $available, 100, 1000, 1000, 1), ($t, -1, -100, NULL, NULL, NULL)', '23505'],
  ['have no version', 'VALUES ($t, $available, 100, NULL, NULL, NULL), ($t, -1, -100, NULL, NULL, NULL)', '23514'],
  ['give the platform a balance', 'VALUES ($t, -1, 100, 100, 100, 1), ($t, -3, -100, NULL, NULL, NULL)', '23514'],
])('entries that %s are rejected, whichever role writes them', async (_, values, code) => {
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n });
  const { rows } = await db.pool.query<{ id: bigint; available: bigint }>(
    `INSERT INTO ledger_transfers (transaction_id, kind, created_at, account_id, type)
     VALUES ($1, 'charge_paid', $2, $3, 'pix_in') RETURNING id, ledger_account($3, 'available') AS available`,
    [id, NOW, account.id],
  );
  const filled = values.replaceAll('$t', String(rows[0]?.id)).replaceAll('$available', String(rows[0]?.available));
  const into =
    'INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos, balance_after_centavos, credit_after_centavos, version)';
  await expectRejected(`${into} ${filled}`, { code });
});

test.each([
  ['credits', 'balance_centavos = 1100, credit_centavos = 1101, version = 2'],
  ['version', 'balance_centavos = 1100, credit_centavos = 1100, version = 3'],
])(
  'entries that fit their account’s balance but not its %s are rejected, whichever role writes them',
  async (_, change) => {
    const { id } = await insertTransaction(db.pool, { account, amountCentavos: 100n });
    await expectRejected(
      `UPDATE ledger_accounts SET ${change} WHERE id = ledger_account('${account.id}', 'available');
     WITH t AS (INSERT INTO ledger_transfers (transaction_id, kind, created_at, account_id, type)
       VALUES ('${id}', 'charge_paid', '${NOW.toISOString()}', '${account.id}', 'pix_in') RETURNING id)
     INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos, balance_after_centavos, credit_after_centavos, version)
     SELECT id, ledger_account('${account.id}', 'available'), 100, 1100, 1100, 2 FROM t
     UNION ALL SELECT id, -1, -100, NULL, NULL, NULL FROM t`,
      { code: 'TR002' },
    );
  },
);

test('a transfer has one entry for each ledger account that it changes, in the order of their ids', async () => {
  const { id } = await insertTransaction(db.pool, { account, amountCentavos: 57n });
  const legs = [
    ['blocked', 7],
    ['available', 30],
    ['pending', 5],
    ['pix_settlement', -57],
    ['available', 20],
    ['pending', -5],
  ] as const;
  await db.pool.query(
    `SELECT ledger_post($1, 'charge_paid', '', $2, array_agg(a.id ORDER BY leg.place), $5)
     FROM unnest($4::text[]) WITH ORDINALITY AS leg (kind, place) JOIN ledger_accounts a
       ON a.kind::text = leg.kind AND (a.account_id = $3 OR a.id = ledger_platform_account(a.kind, 'live'))`,
    [id, NOW, account.id, legs.map(([kind]) => kind), legs.map(([, centavos]) => centavos)],
  );
  const { rows } = await db.pool.query<{ kind: string; amount: bigint; balance: bigint | null }>(
    `SELECT a.kind::text, e.amount_centavos AS amount, e.balance_after_centavos AS balance
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
       JOIN ledger_accounts a ON a.id = e.ledger_account_id
     WHERE t.transaction_id = $1 ORDER BY e.id`,
    [id],
  );
  expect(rows).toEqual([
    { kind: 'pix_settlement', amount: -57n, balance: null },
    { kind: 'available', amount: 50n, balance: 1_050n },
    { kind: 'blocked', amount: 7n, balance: 7n },
  ]);
});

test('no account’s balance becomes negative, whichever role writes it', async () => {
  await expectRejected(`UPDATE ledger_accounts SET balance_centavos = -1 WHERE account_id = '${account.id}'`, {
    constraint: 'ledger_accounts_balance_not_negative',
  });
});

test.each([
  ['a platform account with a balance', `(-1, NULL, 'pix_settlement', 'live', 0)`],
  ['a platform account under another’s id', `(-99, NULL, 'fees', 'live', NULL)`],
  ['a platform account with a positive id', `(999, NULL, 'fees', 'live', NULL)`],
  ['a platform account of no platform kind', `(-99, NULL, 'available', 'live', NULL)`],
  ['a merchant’s account without balance', `(999, $account, 'pending', 'live', NULL)`],
  ['a merchant’s account of a platform kind', `(999, $account, 'fees', 'live', 0)`],
  ['a platform account that owes', `(-99, NULL, 'owed', 'live', NULL)`],
  ['a merchant’s account with a negative id', `(-99, $account, 'fees', 'live', 0)`],
])('the table of ledger accounts rejects %s', async (_, values) => {
  await expectRejected(
    `INSERT INTO ledger_accounts (id, account_id, kind, mode, balance_centavos)
     VALUES ${values.replace('$account', `'${account.id}'`)}`,
    { constraint: 'ledger_accounts_platform' },
  );
});

test('a second set of ledger accounts, of an account or of the platform, is rejected', async () => {
  await expectRejected(`SELECT ledger_open('${account.id}', 'live')`, { code: '23505' });
  const { rows } = await db.pool.query('SELECT id FROM ledger_accounts WHERE id < 0 ORDER BY id DESC');
  expect(rows.map((row) => row.id)).toEqual([-1n, -2n, -3n, -4n, -5n, -11n, -12n, -13n, -14n, -15n]);
  await expectRejected(
    `INSERT INTO ledger_accounts (id, kind, mode, balance_centavos) VALUES (-3, 'fees', 'live', NULL)`,
    { code: '23505' },
  );
});

test.each([
  ['pix_in', 'amount 0', '0, 0, 0'],
  ['pix_in', 'a negative fee', '100, -1, 101'],
  ['pix_in', 'a net that is not amount - fee', '100, 1, 100'],
  ['pix_in', 'a fee above the amount', '100, 101, -1'],
  ['pix_out', 'a net that is not the amount', '100, 1, 99'],
  ['crypto_out', 'a net that is not amount - fee', '100, 1, 100'],
])('a %s with %s can’t exist', async (type, _, amounts) => {
  await expectRejected(
    `INSERT INTO transactions (id, account_id, type, amount_centavos, fee_centavos, net_centavos, rail, created_at, updated_at)
     VALUES (gen_random_uuid(), '${account.id}', '${type}', ${amounts}, 'sandbox', '${NOW.toISOString()}', '${NOW.toISOString()}')`,
    { constraint: 'transactions_amounts' },
  );
});

const SPLIT_BELOW_NOTHING =
  'split_account_id = gen_random_uuid(), split_centavos = -1, net_centavos = net_centavos + 1';
const WAITS = `sub_status = 'pending_approval'`;
const BEGUN = 'scheduled_for = created_at, begun_at = created_at';
test.each([
  ['pix_out', 'no key', 'pix_key = NULL', 'transactions_pix_key'],
  ['pix_in', 'a key of a receiver', `pix_key = 'sealed', pix_key_type = 'evp'`, 'transactions_pix_key'],
  ['crypto_in', 'no quote', 'quote_price = NULL', 'transactions_crypto'],
  ['crypto_out', 'no quantity', 'units = NULL', 'transactions_crypto'],
  ['crypto_out', 'no wallet', 'wallet = NULL', 'transactions_crypto'],
  ['crypto_in', 'an unknown further state', `sub_status = 'maybe'`, 'transactions_sub_status'],
  ['pix_in', 'a further state of an invoice', `sub_status = 'late'`, 'transactions_sub_status'],
  ['pix_out', 'a currency', `currency = 'USDT_BSC', units = 1, quote_price = 1`, 'transactions_crypto'],
  ['pix_out', 'an unknown step', `payout_step = 'maybe'`, 'transactions_payout_step'],
  ['pix_in', 'a credit of crypto', 'credited_centavos = 1', 'transactions_credited'],
  ['crypto_in', 'more fee than credit', 'credited_centavos = 1, credited_fee_centavos = 2', 'transactions_credited'],
  ['crypto_in', 'less than nothing received', 'received_units = -1', 'transactions_credited'],
  ['pix_in', 'a state of a withdrawal', `status = 'processing'`, 'transactions_status'],
  ['pix_out', 'a state of a charge', `status = 'refunded'`, 'transactions_status'],
  ['pix_out', 'an end that only a scheduled one has', `status = 'cancelled'`, 'transactions_scheduled'],
  ['pix_in', 'a part for nobody', 'split_centavos = 1, net_centavos = net_centavos - 1', 'transactions_split'],
  [
    ...(['pix_in', 'a part for its own account'] as const),
    'split_account_id = account_id, split_centavos = 1, net_centavos = net_centavos - 1',
    'transactions_split',
  ],
  ['pix_in', 'a part below nothing', SPLIT_BELOW_NOTHING, 'transactions_amounts'],
  ['pix_out', 'a part', 'split_account_id = gen_random_uuid(), split_centavos = 1', 'transactions_amounts'],
  ['crypto_in', 'a part', 'split_account_id = gen_random_uuid(), split_centavos = 1', 'transactions_amounts'],
  ['crypto_in', 'less than nothing of a fee', 'credited_fee_centavos = -1', 'transactions_credited'],
  ['pix_out', 'a wait for approval once sent', `${WAITS}, payout_step = 'sending'`, 'transactions_sub_status'],
  ['pix_out', 'a wait for approval once failed', `${WAITS}, status = 'failed'`, 'transactions_sub_status'],
  ['pix_out', 'a wait for no day', `sub_status = 'scheduled'`, 'transactions_scheduled'],
  ['pix_out', 'a wait once it has begun', `${BEGUN}, sub_status = 'scheduled'`, 'transactions_scheduled'],
  ['pix_out', 'an end as cancelled once it has begun', `${BEGUN}, status = 'cancelled'`, 'transactions_scheduled'],
  // Each column that a charge leaves as it is made.
  ['pix_in', 'a charge that it is a part of', 'split_of_id = id', 'transactions_split_in'],
  ['pix_in', 'a key without a type', `pix_key = 'sealed'`, 'transactions_pix_key'],
  ['pix_in', 'a type without a key', `pix_key_type = 'evp'`, 'transactions_pix_key'],
  ['pix_in', 'a currency', `currency = 'USDT_BSC', units = 1, quote_price = 1`, 'transactions_crypto'],
  ['pix_in', 'a day of its own', 'scheduled_for = created_at', 'transactions_scheduled'],
  ['pix_in', 'a begin', 'begun_at = created_at', 'transactions_scheduled'],
  ['pix_in', 'an unknown step', `payout_step = 'maybe'`, 'transactions_payout_step'],
  ['pix_in', 'a fee of a credit', 'credited_fee_centavos = 1', 'transactions_credited'],
  ['pix_in', 'received crypto', 'received_units = 1', 'transactions_settled'],
  ['pix_in', 'crypto in time', 'in_time_units = 1', 'transactions_settled'],
  ['pix_in', 'settled crypto', 'settled_units = 1', 'transactions_settled'],
  ['pix_in', 'quoted crypto', 'quoted_units = 1', 'transactions_settled'],
  ['pix_in', 'an amount of reviews', 'reviewed_centavos = 1', 'transactions_settled'],
  ['pix_in', 'less than nothing given back', 'refunded_centavos = -1', 'transactions_refunded'],
] as const)('a %s with %s can’t exist', async (type, _, change, constraint) => {
  const { id } = await insertTransaction(db.pool, { account, type, amountCentavos: 100n });
  await expectRejected(`UPDATE transactions SET ${change} WHERE id = '${id}'`, { constraint });
});

const ID = `'00000000-0000-7000-8000-000000000000'`;
const BATCH = { account_id: ID, rows_index: `'a'`, made_by_id: ID };
/** Constraints, and rows of which they let none in, or not two. The rest of a row is arbitrary. */
const REJECTED_ROWS: readonly (readonly [string, string, Record<string, string>])[] = [
  ['api_keys_caps', 'api_keys', { permissions: `'{mcp:use,mcp:withdraw}'` }],
  ['credentials_is_active', 'credentials', { account_id: ID }],
  ['disputes_amounts', 'disputes', { held_centavos: '2' }],
  ['disputes_held', 'disputes', { state: `'won'`, held_centavos: '1' }],
  ['foreign_payouts_centavos', 'foreign_payouts', { centavos: '0' }],
  ['foreign_payouts_state', 'foreign_payouts', { state: `'charged'`, decided_at: 'now()' }],
  ['foreign_refunds_centavos', 'foreign_refunds', { centavos: '0' }],
  ['foreign_refunds_subject', 'foreign_refunds', { kind: `'med_return'` }],
  ['invoice_increments_amounts', 'invoice_increments', { credited_centavos: '-1' }],
  ['ledger_transfers_owner', 'ledger_transfers', { account_id: ID }],
  ['ledger_transfers_unmatched', 'ledger_transfers', {}],
  ['limit_usage_not_negative', 'limit_usage', { centavos: '-1' }],
  ['payment_returns_centavos', 'payment_returns', { centavos: '0' }],
  ['payment_returns_subject', 'payment_returns', {}],
  ['payout_batch_rows_centavos', 'payout_batch_rows', { centavos: '0' }],
  ['payout_batches_account_id_rows_index_key', 'payout_batches', { ...BATCH, status: `'running'` }],
  [
    ...(['payout_batches_second_person', 'payout_batches'] as const),
    { ...BATCH, status: `'running'`, decide_until: 'now()', decided_by_id: ID, decided_at: 'now()' },
  ],
  ['payout_batches_sums', 'payout_batches', { ...BATCH, status: `'running'`, centavos: '0' }],
  ['reconciled_days_difference', 'reconciled_days', { difference_amount: '1' }],
  ['reviews_returned', 'reviews', { returned_centavos: '-1' }],
  ['test_clocks_mode_check', 'test_clocks', { mode: `'live'` }],
  [
    ...(['transactions_split_of_id_key', 'transactions'] as const),
    { type: `'split_in'`, status: `'paid'`, fee_centavos: '0', split_of_id: ID },
  ],
  ['unmatched_payments_amounts', 'unmatched_payments', { returned_centavos: '-1' }],
  ['unmatched_payments_state', 'unmatched_payments', { state: `'assigned'` }],
  ['withdrawal_thresholds_not_negative', 'withdrawal_thresholds', { kind: `'approval'`, centavos: '-1' }],
];

test('what no function writes is rejected by its table, whichever role writes it', async () => {
  const arbitrary = await arbitraryRows(REJECTED_ROWS.map(([, table]) => table));
  const rejecting: (string | undefined)[] = [];
  for (const [, table, values] of REJECTED_ROWS) {
    const row = { ...arbitrary[table], ...values };
    const sql = `INSERT INTO ${table} (${Object.keys(row)}) SELECT ${Object.values(row)} FROM generate_series(1, 2)`;
    await db.pool.query(sql).catch((error: { constraint?: string }) => rejecting.push(error.constraint));
  }
  expect(rejecting).toEqual(REJECTED_ROWS.map(([constraint]) => constraint));
});

/** An expression for each column that needs a value, by table; ids differ from row to row. */
async function arbitraryRows(tables: string[]): Promise<Record<string, Record<string, string>>> {
  const { rows } = await db.pool.query<{ table: string; columns: Record<string, string> }>(
    `SELECT relname AS table, json_object_agg(attname, CASE
       WHEN t.typtype = 'e' THEN format('(enum_range(NULL::%I))[1]', t.typname)
       WHEN t.typname = 'uuid' THEN 'gen_random_uuid()' WHEN t.typname IN ('timestamptz', 'date') THEN 'now()'
       WHEN t.typname IN ('int4', 'int8') THEN '1' WHEN t.typname = 'bool' THEN 'true' ELSE '''a''' END) AS columns
     FROM pg_class c JOIN pg_attribute ON attrelid = c.oid JOIN pg_type t ON t.oid = atttypid
     WHERE relname = ANY ($1) AND relnamespace = 'public'::regnamespace
       AND attnum > 0 AND attnotnull AND NOT atthasdef AND attidentity = ''
     GROUP BY relname`,
    [tables],
  );
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
}

const expectRejected = (sql: string, error: object): Promise<void> =>
  expectUnchanged(db.pool, () => expect(db.pool.query(sql)).rejects.toMatchObject(error));

import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { NOW, openTestAccount } from '../testing/ledger-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { sealClearRows } from './seal-clear-rows.ts';
import { SEALED_COLUMNS, sealContext } from './sealed-columns.ts';

let database: TestDatabase;
let db: Database;
const box = createSecretBox(generateMasterKeys());
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 4 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('what an older version kept in the clear is sealed at the next start, all of it, and only once', async () => {
  const { id: accountId } = await openTestAccount(db.pool, 'live');
  // More than one batch, and one that is sealed already.
  await db.pool.query(
    `INSERT INTO idempotency_keys (account_id, key, fingerprint, subject_id, owner, status, body, created_at, expires_at)
     SELECT $1, 'key-' || n, '\\x00', gen_random_uuid(), 0, 200, '{"v1.":"answer ' || n || '"}', $2, $2
     FROM generate_series(1, 1203) AS n`,
    [accountId, NOW],
  );
  const contextOf = (key: string) => sealContext('idempotency_keys.body', { account_id: accountId, key });
  const sealed = box.seal('sealed before', contextOf('key-7'));
  await db.pool.query(`UPDATE idempotency_keys SET body = $1 WHERE key = 'key-7'`, [sealed]);

  await sealClearRows(db, box);
  const { rows } = await db.pool.query<{ key: string; body: string }>('SELECT key, body FROM idempotency_keys');
  for (const { key, body } of rows) {
    const expected = key === 'key-7' ? 'sealed before' : `{"v1.":"answer ${key.slice('key-'.length)}"}`;
    expect(box.open(body, contextOf(key))).toBe(expected);
  }

  await sealClearRows(db, box);
  expect((await db.pool.query('SELECT key, body FROM idempotency_keys')).rows).toEqual(rows);
});

test('what an older version bound to no row is bound to its own at the next start', async () => {
  await db.pool.query('DELETE FROM settings');
  const { id: accountId } = await openTestAccount(db.pool, 'live');
  const ids = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002'];
  const values = [box.seal('12345678909', 'customer-document'), box.seal('39053344705', `customer-document:${ids[1]}`)];
  await db.pool.query(
    `INSERT INTO transactions (id, account_id, type, amount_centavos, fee_centavos, net_centavos, rail, created_at, updated_at,
       customer_document)
     SELECT id, $3, 'pix_in', 100, 0, 100, 'sandbox', $4, $4, document FROM unnest($1::uuid[], $2::text[]) AS t(id, document)`,
    [ids, values, accountId, NOW],
  );
  await sealClearRows(db, box);
  const { rows } = await db.pool.query<{ id: string; document: string }>(
    'SELECT id, customer_document AS document FROM transactions ORDER BY id',
  );
  expect(rows.map(({ id, document }) => box.open(document, `customer-document:${id}`))).toEqual([
    '12345678909',
    '39053344705',
  ]);
});

test('a PIX key that an older version sealed without an index is found again after the next start', async () => {
  await db.pool.query('DELETE FROM settings');
  const { id: accountId } = await openTestAccount(db.pool, 'live');
  const id = '018f0000-0000-7000-8000-000000000003';
  await db.pool.query(
    `INSERT INTO transactions (id, account_id, type, amount_centavos, fee_centavos, net_centavos, rail, created_at, updated_at,
       pix_key, pix_key_type)
     VALUES ($1, $2, 'pix_out', 100, 0, 100, 'sandbox', $3, $3, $4, 'email')`,
    [id, accountId, NOW, box.seal('maria@example.com', `pix-key:${id}`)],
  );
  await sealClearRows(db, box);
  const { rows } = await db.pool.query('SELECT pix_key_index AS index FROM transactions WHERE id = $1', [id]);
  expect(rows[0].index).toEqual(box.fingerprint(`${accountId}:maria@example.com`, 'pix-key'));
});

test('every column of the registry is there, with its key', async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const known = new Set(rows.map(({ name }) => name));
  for (const [name, { key }] of Object.entries(SEALED_COLUMNS)) {
    for (const one of [name, ...key.map((column) => `${name.split('.')[0]}.${column}`)]) expect(known).toContain(one);
  }
});

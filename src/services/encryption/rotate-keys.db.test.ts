import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { withClient } from '#db/connection/with-client.ts';
import { keyLocks } from '#db/encryption/master-keys.ts';
import { SEALED_REGISTRY, type SealedRegistry, sealedTables } from '#db/encryption/sealed-tables.ts';
import { countSealed, undeclaredSealedColumns } from '#db/encryption/sealed-values.ts';
import { addMember } from '#db/testing/add-member.ts';
import { NOW, openTestAccount } from '#db/testing/ledger-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { addMasterKey, generateMasterKeys, promoteMasterKey, removeMasterKey } from '#domain/encryption/master-keys.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { getKeyStatus, retireUnneededKeys } from '../api-keys/key-status.ts';
import { sealBetterAuth } from '../members/better-auth-secrets.ts';
import { checkMasterKeys, rejectOtherMasterKeys } from './check-master-keys.ts';
import { rotateKeys } from './rotate-keys.ts';

const v1 = generateMasterKeys();
const joined = addMasterKey(v1);
const both = promoteMasterKey(joined, 'v2') ?? '';
const old = createSecretBox(v1);
const during = createSecretBox(both);
const alone = createSecretBox(removeMasterKey(both, 'v1') ?? '');
const clock = () => NOW;

let database: TestDatabase;
let db: Database;
let merchantId: string;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl, { max: 4 });
  const account = await openTestAccount(db.pool, 'live');
  accountId = account.id;
  const { rows } = await db.pool.query<{ id: string }>('SELECT merchant_id AS id FROM accounts WHERE id = $1', [
    accountId,
  ]);
  merchantId = rows[0]?.id ?? '';
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.pool.query(
    'TRUNCATE mails, kyc_documents, settings, two_factors, idempotency_keys, master_keys, members CASCADE',
  );
  await db.pool.query('UPDATE accounts SET webhook_secret = $2 WHERE id = $1', [
    accountId,
    old.seal('whsec_test', `webhook-secret:${accountId}`),
  ]);
  await db.pool.query('DELETE FROM merchants WHERE id <> $1', [merchantId]);
  await db.pool.query(`UPDATE merchants SET name = 'Padaria', document = $2 WHERE id = $1`, [
    merchantId,
    old.seal('12345678909', `merchant-document:${merchantId}`),
  ]);
});

async function insertMails(count: number, box: SecretBox = old): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7(NOW));
  await db.pool.query(
    `INSERT INTO mails (id, sealed, template, recipient, created_at) SELECT id, sealed, 'new_sign_in', 'm***@example.com', $3 FROM unnest($1::uuid[], $2::text[]) AS m(id, sealed)`,
    [ids, ids.map((id) => box.seal(`mail ${id}`, `mail:${id}`)), NOW],
  );
  return ids;
}

async function readMails(box: SecretBox): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string; sealed: string }>('SELECT id, sealed FROM mails ORDER BY id');
  return rows.map(({ id, sealed }) => (box.open(sealed, `mail:${id}`) === `mail ${id}` ? id : `another than ${id}`));
}

const versionsLeft = async () => [
  ...new Set((await countSealed(db.pool, sealedTables())).map(({ version }) => version)),
];

test('a rotation seals every kind of value again, and more rows than one batch, so that the new key alone opens them', async () => {
  const ids = await insertMails(1_203);
  const file = Buffer.from([0, 0xff, 0x2e, 0x80]);
  const documents = Array.from({ length: 9 }, () => uuidv7(NOW));
  for (const id of documents) {
    await db.pool.query(
      `INSERT INTO kyc_documents (id, merchant_id, kind, file_name, media_type, bytes, sealed, uploaded_at)
       VALUES ($1, $2, 'identity', $5, 'application/pdf', 4, $3, $4)`,
      [
        id,
        merchantId,
        old.sealBytes(file, `kyc-document:${merchantId}`),
        NOW,
        old.seal('a.pdf', `kyc-file-name:${merchantId}`),
      ],
    );
  }
  const memberId = await insertMember();
  await db.pool.query(`INSERT INTO two_factors (id, member_id, secret, backup_codes) VALUES ('t', $1, $2, $3)`, [
    memberId,
    await sealBetterAuth(old, 'totp secret'),
    await sealBetterAuth(old, '["code"]'),
  ]);
  const fingerprint = old.sealEqual('request', `idempotency-request:${accountId}:key`);
  await db.pool.query(
    `INSERT INTO idempotency_keys (account_id, key, fingerprint, subject_id, owner, status, body, created_at, expires_at)
     VALUES ($1, 'key', $2, gen_random_uuid(), 0, 200, $3, $4, $4)`,
    [accountId, fingerprint, old.seal('answer', `idempotency-answer:${accountId}:key`), NOW],
  );

  const progress: string[] = [];
  const result = await rotateKeys(
    { db, secretBox: during },
    { onProgress: ({ table, rows }) => progress.push(`${table} ${rows}`) },
  );
  expect(result).toEqual({ rows: 1_203 + 9 + 1 + 1 + 1 + 1, unopened: [], busy: 0 });
  expect(progress).toContain('mails 500');
  expect(progress).toContain('mails 1203');
  expect(await versionsLeft()).toEqual(['v2']);

  expect(await readMails(alone)).toEqual(ids.toSorted());
  const { rows: files } = await db.pool.query<{ sealed: Buffer }>('SELECT sealed FROM kyc_documents');
  expect(files.map(({ sealed }) => alone.openBytes(sealed, `kyc-document:${merchantId}`))).toEqual(
    files.map(() => file),
  );
  const { rows: kept } = await db.pool.query<{ fingerprint: Buffer; body: string }>(
    `SELECT fingerprint, body FROM idempotency_keys WHERE key = 'key'`,
  );
  expect(kept[0]?.fingerprint).toEqual(alone.sealEqual('request', `idempotency-request:${accountId}:key`));
  expect(alone.open(kept[0]?.body ?? '', `idempotency-answer:${accountId}:key`)).toBe('answer');
  expect((await rotateKeys({ db, secretBox: during })).rows).toBe(0);
});

test('a rotation computes a blind index again, together with the column that it is computed from', async () => {
  const id = uuidv7(NOW);
  const document = '12345678909';
  const pixKey = [old.seal('a@b.co', `pix-key:${id}`), old.fingerprint(`${accountId}:a@b.co`, 'pix-key')];
  await db.pool.query(
    `INSERT INTO transactions (id, account_id, type, amount_centavos, fee_centavos, net_centavos, rail, created_at, updated_at,
       customer_document, customer_document_index, pix_key_type, pix_key, pix_key_index)
     VALUES ($1, $2, 'pix_out', 100, 0, 100, 'sandbox', $3, $3, $4, $5, 'email', $6, $7)`,
    [id, accountId, NOW, sealDocument(old, id, document), old.fingerprint(document, 'customer-document'), ...pixKey],
  );
  await rotateKeys({ db, secretBox: during });
  const { rows } = await db.pool.query(
    'SELECT customer_document_index AS document, pix_key_index AS key FROM transactions WHERE id = $1',
    [id],
  );
  expect(rows[0]).toEqual({
    document: alone.fingerprint(document, 'customer-document'),
    key: alone.fingerprint(`${accountId}:a@b.co`, 'pix-key'),
  });
});

test('a value that is written during a rotation is not lost, and a row that is locked is sealed in a later pass', async () => {
  const [first = '', second = ''] = await insertMails(2);
  const other = await db.pool.connect();
  await other.query('BEGIN');
  await other.query('UPDATE mails SET sealed = $2 WHERE id = $1', [first, old.seal('newer', `mail:${first}`)]);
  const released = new Promise<void>((resolve) => {
    setTimeout(() => void other.query('COMMIT').then(() => resolve()), 400);
  });
  const result = await rotateKeys({ db, secretBox: during });
  await released;
  other.release();
  expect(result).toMatchObject({ unopened: [], busy: 0 });
  const { rows } = await db.pool.query<{ id: string; sealed: string }>('SELECT id, sealed FROM mails ORDER BY id');
  const opened = Object.fromEntries(rows.map(({ id, sealed }) => [id, alone.open(sealed, `mail:${id}`)]));
  expect(opened).toEqual({ [first]: 'newer', [second]: `mail ${second}` });
});

test('a rotation that was interrupted half-way continues when it is run again, and two at once do no harm', async () => {
  const ids = await insertMails(1_203);
  const stop = new Error('killed');
  const killed = rotateKeys(
    { db, secretBox: during },
    {
      onProgress: ({ table }) => {
        if (table === 'mails') throw stop;
      },
    },
  );
  await expect(killed).rejects.toBe(stop);
  expect(await readMails(during)).toEqual(ids.toSorted());
  expect((await versionsLeft()).toSorted()).toEqual(['v1', 'v2']);
  const [one, two] = await Promise.all([rotateKeys({ db, secretBox: during }), rotateKeys({ db, secretBox: during })]);
  expect(one.rows + two.rows).toBe(1_203 - 500);
  expect(await readMails(alone)).toEqual(ids.toSorted());
});

test('a value that no key opens is reported, is left as it is, and keeps its key from being retired', async () => {
  const [id = ''] = await insertMails(1);
  const sealed = old.seal('of another row', 'mail:another');
  await db.pool.query('UPDATE mails SET sealed = $2 WHERE id = $1', [id, sealed]);
  const result = await rotateKeys({ db, secretBox: during });
  expect(result.unopened).toMatchObject([{ column: 'mails.sealed', row: id }]);
  expect((await db.pool.query('SELECT sealed FROM mails')).rows).toEqual([{ sealed }]);
  const status = await getKeyStatus({ db, secretBox: during });
  expect(status.keys.find(({ version }) => version === 'v1')?.neededBy).toBe('1 values (mails.sealed 1)');
  expect(await retireUnneededKeys({ db, secretBox: during, clock }, status)).toEqual([]);
});

test('a sealed column that is missing from the registry is reported, and its key is not retired', async () => {
  await insertMails(3);
  const { 'mails.sealed': _, ...sealed } = SEALED_REGISTRY.sealed;
  const tables = sealedTables({ ...SEALED_REGISTRY, sealed } as SealedRegistry);
  await rotateKeys({ db, secretBox: during }, { tables });
  expect(await undeclaredSealedColumns(db.pool, tables)).toEqual(['mails.sealed']);
  const status = await getKeyStatus({ db, secretBox: during }, tables);
  expect(status.undeclared).toEqual(['mails.sealed']);
  expect(status.keys.find(({ version }) => version === 'v1')?.neededBy).toContain('mails.sealed');
  expect(await retireUnneededKeys({ db, secretBox: during, clock }, status)).toEqual([]);
});

test('a typed text that looks sealed is not taken for a sealed column', async () => {
  await db.pool.query('UPDATE merchants SET name = $1', [old.seal('x', 'y')]);
  await db.pool.query(
    `INSERT INTO merchants (id, name, email, document, document_type, created_at)
     VALUES (gen_random_uuid(), 'Padaria', 'undeclared@example.com', '12345678909', 'cpf', $1)`,
    [NOW],
  );
  expect(await undeclaredSealedColumns(db.pool, sealedTables())).toEqual([]);
});

test('a key is retired once nothing needs it: the service then starts without it, and not with it in front', async () => {
  await checkMasterKeys({ db, secretBox: old, clock });
  await checkMasterKeys({ db, secretBox: during, clock });
  await insertMails(2);
  await expect(checkMasterKeys({ db, secretBox: alone, clock })).rejects.toThrow(
    'Master key v1 is not in MASTER_KEYS and still needed for 4 values (accounts.webhook_secret 1, merchants.document 1, mails.sealed 2)',
  );
  await rotateKeys({ db, secretBox: during });
  const status = await getKeyStatus({ db, secretBox: during });
  expect(status.keys).toMatchObject([
    { version: 'v2', use: 'seals', neededBy: 'seals what is new' },
    { version: 'v1', use: 'opens', values: 0, neededBy: null },
  ]);
  expect(await retireUnneededKeys({ db, secretBox: during, clock }, status)).toEqual(['v1']);
  await checkMasterKeys({ db, secretBox: alone, clock });
  await checkMasterKeys({ db, secretBox: during, clock });
  await expect(checkMasterKeys({ db, secretBox: createSecretBox(joined), clock })).rejects.toThrow(
    'Master key v1 was taken out of use',
  );
});

test('a key that was removed from MASTER_KEYS and is not needed is retired at the next start', async () => {
  await checkMasterKeys({ db, secretBox: during, clock });
  await rotateKeys({ db, secretBox: during });
  await checkMasterKeys({ db, secretBox: alone, clock });
  const { rows } = await db.pool.query(`SELECT retired_at FROM master_keys WHERE version = 'v1'`);
  expect(rows).toEqual([{ retired_at: NOW }]);
});

test('a start that would seal with a key which a running process lacks is rejected, and the key is not recorded', async () => {
  await checkMasterKeys({ db, secretBox: old, clock });
  await withClient(database.ownerUrl, async (client) => {
    for (const lock of keyLocks(['v1'])) await client.query('SELECT pg_advisory_lock_shared($1, $2)', lock);
    await expect(checkMasterKeys({ db, secretBox: during, clock })).rejects.toThrow(
      '1 running process does not have master key v2 yet',
    );
  });
  expect((await db.pool.query('SELECT version FROM master_keys')).rows).toEqual([{ version: 'v1' }]);
});

test('a key that was just added is retired neither by a rotation nor by a start without it while a process has it', async () => {
  const added = createSecretBox(joined);
  await checkMasterKeys({ db, secretBox: added, clock });
  await rotateKeys({ db, secretBox: added });
  const status = await getKeyStatus({ db, secretBox: added });
  expect(await retireUnneededKeys({ db, secretBox: added, clock }, status)).toEqual([]);
  await withClient(database.ownerUrl, async (client) => {
    for (const lock of keyLocks(['v1', 'v2'])) await client.query('SELECT pg_advisory_lock_shared($1, $2)', lock);
    await checkMasterKeys({ db, secretBox: old, clock });
    await checkMasterKeys({ db, secretBox: during, clock });
  });
  // Nobody has it any more: it was given up.
  await checkMasterKeys({ db, secretBox: old, clock });
  await expect(checkMasterKeys({ db, secretBox: during, clock })).rejects.toThrow('Master key v2 was taken out of use');
});

test('another key with a known version is rejected at the start', async () => {
  await checkMasterKeys({ db, secretBox: old, clock });
  const wrong = createSecretBox(generateMasterKeys());
  const rejection = 'MASTER_KEYS is not the one this database was made with (its v1 is another key)';
  await expect(checkMasterKeys({ db, secretBox: wrong, clock })).rejects.toThrow(rejection);
  // The commands about the keys themselves check no more: a key may be new, or be missing.
  await expect(rejectOtherMasterKeys({ db, secretBox: wrong })).rejects.toThrow(rejection);
  await rejectOtherMasterKeys({ db, secretBox: during });
});

async function insertMember(): Promise<string> {
  const id = uuidv7(NOW);
  await addMember(db.pool, { id, merchantId, email: 'm@example.com' });
  return id;
}

function sealDocument(box: SecretBox, id: string, document: string): string {
  const { context } = SEALED_REGISTRY.sealed['transactions.customer_document'] ?? { context: '' };
  return box.seal(document, context.replace('{id}', id));
}

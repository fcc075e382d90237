import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { insertAuditHead } from '#db/audit/audit-heads.ts';
import { AUDIT_HEADS_RULE } from '#db/audit/check-audit-heads.ts';
import { sealAuditRecords } from '#db/audit/seal-audit-records.ts';
import { type Database, openDatabase } from '#db/connection/database.ts';
import { checkLedger, checkLedgerSince } from '#db/ledger/check-ledger.ts';
import { type SealingStep, sealTransfers } from '#db/ledger/ledger-seals.ts';
import { AUDIT_DISCREPANCIES, AUDIT_HEAD_DISCREPANCIES } from '#db/testing/audit-discrepancies.ts';
import { plantDiscrepancy } from '#db/testing/ledger-discrepancies.ts';
import { fund, NOW, openTestAccount } from '#db/testing/ledger-fixture.ts';
import { saveRows } from '#db/testing/save-rows.ts';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { sealFully } from '#testing/seal-fully.ts';
import { getSigningKey } from '../ledger/signing-key.ts';
import { sealAudit } from './seal-audit.ts';
import { signAuditHead } from './sign-audit-head.ts';

let database: TestDatabase;
/** The role that serves. */
let db: Database;
let owner: Database;
let restoreRows: () => Promise<void>;
/** Two merchants. */
let [one, other]: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  owner = openDatabase(database.ownerUrl);
  const account = await openTestAccount(owner.pool, 'live');
  // The ledger's days begin with its first transfer.
  await fund(owner.pool, account, 100n);
  await openTestAccount(owner.pool, 'test');
  const { rows } = await owner.pool.query<{ id: string }>('SELECT id FROM merchants ORDER BY id');
  [one, other] = rows.map(({ id }) => id);
  restoreRows = await saveRows(owner.pool);
});
afterEach(() => restoreRows());
afterAll(async () => {
  await db.close();
  await owner.close();
  await database.drop();
});

const NOTE = 'INSERT INTO audit_records (merchant_id, action, details, at) VALUES ($1, $2, $3, $4) RETURNING id';
const note = async (merchantId: string | null | undefined, action: string, session: pg.Pool | pg.Client = db.pool) => {
  const { rows } = await session.query<{ id: bigint }>(NOTE, [merchantId, action, '{"name": "Caixa"}', NOW]);
  return String(rows[0]?.id);
};

/** Seals all records; it may have to wait for a transaction of another database of the server. */
async function seal(): Promise<void> {
  while ((await sealAudit({ db })) !== 'done');
}

async function links(): Promise<string[]> {
  const { rows } = await db.pool.query<{ text: string }>(
    `SELECT record_id || ' is ' || number || ' of ' || chain AS text FROM audit_links ORDER BY record_id`,
  );
  return rows.map(({ text }) => text);
}

const found = async () => (await checkLedger(owner.pool)).discrepancies;

test('records are chained in their order, in a chain for each merchant and one for the installation, and the check finds nothing', async () => {
  const ids = [await note(one, 'a'), await note(null, 'b'), await note(other, 'c'), await note(one, 'd')];
  await seal();
  const installation = '00000000-0000-0000-0000-000000000000';
  expect(await links()).toEqual([
    `${ids[0]} is 1 of ${one}`,
    `${ids[1]} is 1 of ${installation}`,
    `${ids[2]} is 1 of ${other}`,
    `${ids[3]} is 2 of ${one}`,
  ]);
  expect(await found()).toEqual([]);
  // Batches of two, of which one ends in the middle of the three records.
  ids.push(await note(one, 'e'), await note(one, 'f'), await note(one, 'g'));
  while ((await sealAuditRecords(db.pool, 2)) !== 'done');
  expect((await links()).at(-1)).toBe(`${ids[6]} is 5 of ${one}`);
  expect(await found()).toEqual([]);
});

test('a record that commits after later ones is waited for, and no session that writes one waits', async () => {
  await note(one, 'a');
  await seal();
  const slow = new pg.Client({ connectionString: database.url });
  await slow.connect();
  try {
    await slow.query('BEGIN');
    const late = await note(one, 'late', slow);
    const early = await note(one, 'early');
    expect(Number(late)).toBeLessThan(Number(early));
    for (let steps = 0; steps < 5; steps++) expect(await sealAuditRecords(db.pool, 1_000)).toBe('waiting');
    await slow.query('COMMIT');
    // What is newer than those that were waited for is not sealed with them: it is waited for, too.
    await slow.query('BEGIN');
    const slower = await note(one, 'slower', slow);
    const newest = await note(one, 'newest');
    while ((await sealAuditRecords(db.pool, 1_000)) !== 'sealed');
    const sealed = [`${late} is 2 of ${one}`, `${early} is 3 of ${one}`];
    expect((await links()).slice(1)).toEqual(sealed);
    await slow.query('COMMIT');
    await seal();
    expect((await links()).slice(1)).toEqual([...sealed, `${slower} is 4 of ${one}`, `${newest} is 5 of ${one}`]);
    expect(await found()).toEqual([]);
  } finally {
    await slow.end();
  }
});

test('a transaction has its number before an audit record that it writes has its id', async () => {
  const numbered = () =>
    owner.pool.query<{ action: string }>(
      // Looked up before the row gets its id, which sometimes assigns a number by itself.
      `WITH looked AS MATERIALIZED (SELECT coalesce(pg_current_xact_id_if_assigned()::text, 'none') AS action)
       INSERT INTO audit_records (action, at) SELECT action, now() FROM looked RETURNING action`,
    );
  expect((await numbered()).rows[0]?.action).toMatch(/^\d+$/);
  // Planted: without the trigger there is no number yet.
  await owner.pool.query('ALTER TABLE audit_records DISABLE TRIGGER audit_records_number');
  expect((await numbered()).rows[0]?.action).toBe('none');
  await owner.pool.query('ALTER TABLE audit_records ENABLE TRIGGER audit_records_number');
});

test.each(AUDIT_DISCREPANCIES)(
  'the audit check finds and names a change after sealing: %s',
  async (_, sql, rule, detail) => {
    await note(one, 'first');
    const second = await note(one, 'second');
    await note(one, 'third');
    await note(null, 'installation');
    await seal();
    expect(await found()).toEqual([]);
    const named = (text: string) => text.replaceAll('$second', second).replaceAll('$merchant', one ?? '');
    await plantDiscrepancy(owner.pool, named(sql));
    const expected = { rule, detail: expect.stringContaining(named(detail)) };
    expect(await found()).toEqual(expect.arrayContaining([expected]));
  },
);

test('an incremental check proves the records since the check before, and a full one proves all of them', async () => {
  const early = await note(one, 'early');
  await seal();
  expect((await checkLedgerSince(owner.pool, NOW)).discrepancies).toEqual([]);
  const late = await note(one, 'late');
  await seal();
  await plantDiscrepancy(owner.pool, `UPDATE audit_records SET action = 'other' WHERE id IN (${early}, ${late})`);
  const idsIn = ({ discrepancies }: { discrepancies: { detail: string }[] }) =>
    discrepancies.map(({ detail }) => /^audit record (\d+) /.exec(detail)?.[1]);
  expect(idsIn(await checkLedgerSince(owner.pool, NOW))).toEqual([late]);
  expect(idsIn(await checkLedger(owner.pool))).toEqual([early, late]);
});

test('sealing continues in a restored database that has the barrier of another server', async () => {
  const id = await note(one, 'a');
  expect(await sealAuditRecords(db.pool, 1_000)).toBe('waiting');
  await owner.pool.query('UPDATE audit_sealing SET barrier = 9000000000000');
  await seal();
  expect(await links()).toEqual([`${id} is 1 of ${one}`]);
});

test('the service can’t write chains, and not even the owner of the tables can change them, their records or their heads', async () => {
  await note(one, 'a');
  await seal();
  for (const table of ['audit_links', 'audit_sealing'])
    for (const sql of [`INSERT INTO ${table} SELECT * FROM ${table}`, `DELETE FROM ${table}`])
      await expect(db.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
  for (const [table, column] of [
    ['audit_records', 'at'],
    ['audit_links', 'number'],
    ['audit_heads', 'day'],
  ])
    for (const sql of [`DELETE FROM ${table}`, `UPDATE ${table} SET ${column} = ${column}`, `TRUNCATE ${table}`])
      await expect(owner.pool.query(sql)).rejects.toThrow('append-only');
});

const DAY_MS = 24 * 3_600_000;
const secretBox = createSecretBox(generateMasterKeys());

/** Closes the first days of the ledger, which signs their heads. */
async function closeDays(count: number): Promise<void> {
  await seal();
  await sealFully({ db, secretBox, clock: () => new Date(NOW.getTime() + count * DAY_MS) });
}

test.each(AUDIT_HEAD_DISCREPANCIES)(
  'the audit check finds a change although the chains were recomputed after it: %s',
  async (_, sql, rule, detail) => {
    await note(one, 'first');
    await note(null, 'second');
    await note(one, 'third');
    await closeDays(1);
    await note(other, 'fourth');
    await closeDays(2);
    await note(one, 'fifth');
    await seal();
    const { rows: heads } = await owner.pool.query('SELECT day::text AS day, chains FROM audit_heads ORDER BY day');
    expect(heads).toEqual([
      { day: '2026-11-21', chains: 2 },
      { day: '2026-11-22', chains: 1 },
    ]);
    expect(await found()).toEqual([]);
    await plantDiscrepancy(owner.pool, sql);
    expect(await found()).toContainEqual({ rule, detail: expect.stringContaining(detail) });
  },
);

/** Whether a session of this database waits for a lock of another one. */
async function isAwaited(): Promise<boolean> {
  const { rowCount } = await owner.pool.query(
    `SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE NOT l.granted AND a.datname = current_database()`,
  );
  return rowCount !== 0;
}

test('a day that is closed while another session seals gets its head of the audit, too', async () => {
  await note(one, 'first');
  await seal();
  const later = () => new Date(NOW.getTime() + DAY_MS);
  while ((await sealTransfers(db.pool, later(), 1_000)) !== 'day_over');
  const sealing = new pg.Client({ connectionString: database.ownerUrl });
  await sealing.connect();
  try {
    await sealing.query('BEGIN; SELECT FROM ledger_sealing FOR UPDATE');
    let isOver = false;
    const key = await getSigningKey({ db, secretBox });
    const signed = signAuditHead({ db, clock: later }, '2026-11-21', key).finally(() => {
      isOver = true;
    });
    while (!isOver && !(await isAwaited())) await sleep(5);
    await sealing.query('COMMIT');
    await signed;
  } finally {
    await sealing.end();
  }
  const { rows } = await owner.pool.query('SELECT day::text AS day FROM audit_heads');
  expect(rows).toEqual([{ day: '2026-11-21' }]);
});

test('a head is written for the day that waits for the ledger’s alone, once, after the head before it, of chained records', async () => {
  const first = BigInt(await note(one, 'first'));
  await seal();
  const sign = (day: string, recordId: bigint, previous: string | null) => {
    const hash = day.replaceAll('-', '').repeat(8);
    const head = { day, recordId, previous, chains: 1, root: hash, hash, publicKey: hash, signature: hash };
    return insertAuditHead(db.pool, { ...head, now: NOW });
  };
  const bring = async (days: number, to: SealingStep) => {
    const now = new Date(NOW.getTime() + days * DAY_MS);
    while ((await sealTransfers(db.pool, now, 1_000)) !== to);
  };
  await bring(0, 'done');
  expect(await sign('2026-11-21', first, null), 'the day is not over').toBe(false);
  await bring(1, 'day_over');
  expect(await sign('2026-11-22', first, null), 'another day').toBe(false);
  expect(await sign('2026-11-21', first + 1n, null), 'a record that is in no chain').toBe(false);
  expect(await sign('2026-11-21', first, 'ab'), 'after another head').toBe(false);
  expect([await sign('2026-11-21', first, null), await sign('2026-11-21', first, null)]).toEqual([true, false]);
  const previous = '20261121'.repeat(8);
  expect(await sign('2026-11-21', first, previous), 'the day has one').toBe(false);

  await closeDays(1);
  await bring(2, 'day_over');
  expect(await sign('2026-11-22', first, null), 'after no head').toBe(false);
  expect(await sign('2026-11-22', first - 1n, previous), 'fewer records than before').toBe(false);
  expect(await sign('2026-11-22', first, previous)).toBe(true);
});

test('a head that was signed with another key than the installation’s is found', async () => {
  await note(one, 'first');
  await closeDays(1);
  const publicKey = 'ab'.repeat(32);
  const { discrepancies } = await checkLedger(owner.pool, { publicKey });
  expect(discrepancies.filter(({ rule }) => rule === AUDIT_HEADS_RULE)).toEqual([
    {
      rule: AUDIT_HEADS_RULE,
      detail: expect.stringContaining('the audit’s head of 2026-11-21 is signed with another key'),
    },
  ]);
});

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { sealFully } from '#testing/seal-fully.ts';
import { AUDIT_HEADS_RULE } from '../audit/check-audit-heads.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { fillLedger, type LedgerIds, plantDiscrepancy, withIds } from '../testing/ledger-discrepancies.ts';
import { fund, NOW } from '../testing/ledger-fixture.ts';
import { PROOF_DISCREPANCIES } from '../testing/proof-discrepancies.ts';
import { saveRows } from '../testing/save-rows.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { checkLedger, checkLedgerSince } from './check-ledger.ts';

const DAY_MS = 24 * 3_600_000;
const SECRET_BOX = createSecretBox(generateMasterKeys());

let database: TestDatabase;
let db: Database;
let ids: LedgerIds;
let restoreRows: () => Promise<void>;
const seal = (days: number) => {
  const now = new Date(NOW.getTime() + days * DAY_MS);
  return sealFully({ db, secretBox: SECRET_BOX, clock: () => now });
};
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
  ids = await fillLedger(db.pool);
  await seal(2);
  restoreRows = await saveRows(db.pool);
});
afterEach(() => restoreRows());
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a sealed ledger has no discrepancies', async () => {
  expect((await checkLedger(db.pool)).discrepancies).toEqual([]);
});

test.each(PROOF_DISCREPANCIES)(
  'the ledger check finds and names a discrepancy of the proof: $what',
  async ({ plant, rule, detail }) => {
    await plantDiscrepancy(
      db.pool,
      withIds(plant, ids, (id) => `'${id}'`),
    );
    const { discrepancies } = await checkLedger(db.pool);
    const found = { rule, detail: expect.stringContaining(withIds(detail, ids, String)) };
    expect(discrepancies).toEqual(expect.arrayContaining([found]));

    await db.pool.query(
      `INSERT INTO ledger_checkpoints (transfer_id, entry_id, checked_at) VALUES (0, 0, '2000-01-01')`,
    );
    expect((await checkLedgerSince(db.pool, NOW)).discrepancies).toEqual(expect.arrayContaining([found]));
  },
);

test('a head that is signed with another key is found where the installation’s own is known', async () => {
  const { rows } = await db.pool.query<{ key: string }>(
    `SELECT encode(public_key, 'hex') AS key FROM ledger_heads LIMIT 1`,
  );
  expect((await checkLedger(db.pool, { publicKey: rows[0]?.key ?? '' })).discrepancies).toEqual([]);
  const { discrepancies } = await checkLedger(db.pool, { publicKey: '00'.repeat(32) });
  expect(discrepancies.filter(({ rule }) => rule !== AUDIT_HEADS_RULE)).toEqual(
    ['2026-11-21', '2026-11-22'].map((day) => ({
      rule: 'every day’s head is signed, and is what its chains come to',
      detail: expect.stringContaining(`the head of ${day} is signed with another key`),
    })),
  );
});

test('a check since the one before proves what was sealed and signed since, and a full one the rest', async () => {
  const account = { id: String(ids.account), mode: 'live' as const };
  expect((await checkLedgerSince(db.pool, NOW)).discrepancies).toEqual([]);
  await fund(db.pool, account, 700n);
  await seal(3);
  expect((await checkLedgerSince(db.pool, NOW)).discrepancies).toEqual([]);
  await fund(db.pool, account, 30n);
  await seal(4);
  await plantDiscrepancy(
    db.pool,
    `UPDATE ledger_transfers SET created_at = created_at - interval '1 millisecond'
     WHERE id IN (${ids.chargeTransfer}, (SELECT max(id) FROM ledger_transfers))`,
  );
  const named = ({ discrepancies }: { discrepancies: { detail: string }[] }) =>
    discrepancies.map(({ detail }) => detail.replace(/ \(.*/, ''));
  const since = named(await checkLedgerSince(db.pool, NOW));
  const full = named(await checkLedger(db.pool));
  // Each is in the account's chain and in the platform's, of which the first is named.
  expect([since.length, full.length]).toEqual([2, 3]);
  expect(since).not.toContain(`transfer ${ids.chargeTransfer}`);
  expect(full).toContain(`transfer ${ids.chargeTransfer}`);
});

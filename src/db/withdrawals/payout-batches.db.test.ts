import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { addMemberOf } from '../testing/add-member.ts';
import { askDuring } from '../testing/ask-during.ts';
import { awaitApprovalOfAll } from '../testing/await-approval-of-all.ts';
import { fund, NOW, openTestAccount, type TestAccount } from '../testing/ledger-fixture.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { BY_DAY, newPixOut } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  type BatchDecision,
  decideBatch,
  failBatchRow,
  findBatch,
  listBatchRows,
  makeBatch,
  runBatchRow,
} from './payout-batches.ts';

const LATER = new Date(NOW.getTime() + 60_000);

let database: TestDatabase;
let db: Database;
let account: TestAccount;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: 4 });
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, 100n);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test.each<[string, string, BatchDecision, BatchDecision]>([
  ['approved', 'declined', 'running', 'declined'],
  ['declined', 'approved', 'declined', 'running'],
])('a batch that is being %s is not %s at the same moment', async (_first, _second, first, second) => {
  await awaitApprovalOfAll(db.pool, account);
  const { id } = await batch();
  const memberId = await addMemberOf(db.pool, account.id);
  const decide = (to: BatchDecision, pool = db.pool) =>
    decideBatch(pool, { id, accountId: account.id, memberId, to, now: NOW }, noted());
  const outcome = await askDuring(
    db.pool,
    (session) => decide(first, session),
    () => decide(second),
  );
  expect(outcome).toBe('decided');
  expect(await findBatch(db.pool, id)).toMatchObject({ status: first });
});

test('a row of a batch that is rejected while it is being run keeps no error', async () => {
  const { id, withdrawalId } = await batch();
  const withdrawal = newPixOut(account, { id: withdrawalId, amountCentavos: 60n });
  const row = { batchId: id, number: 1 };
  await askDuring(
    db.pool,
    (session) => runBatchRow(session, { ...row, withdrawal, periods: BY_DAY, approveUntil: LATER }),
    () => failBatchRow(db.pool, { ...row, failure: 'invalid_pix_key' }),
  );
  expect(await listBatchRows(db.pool, id)).toMatchObject([{ failure: null, status: 'pending' }]);
  await expectSound(db.pool);
});

test('a batch is decided about in its own account alone, and an account that is stopped neither makes nor approves one', async () => {
  await awaitApprovalOfAll(db.pool, account);
  const { id } = await batch();
  const other = await openTestAccount(db.pool, 'live');
  const memberId = await addMemberOf(db.pool, other.id);
  const of = { id, accountId: other.id, memberId, now: NOW };
  await expectUnchanged(db.pool, async () => {
    for (const to of ['running', 'declined'] as const)
      expect(await decideBatch(db.pool, { ...of, to }, noted())).toBe('unknown');
  });
  await db.pool.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [account.id, NOW]);
  const own = await addMemberOf(db.pool, account.id);
  expect(await make(own)).toMatchObject({ outcome: 'suspended' });
  const approve = { id, accountId: account.id, memberId: own, to: 'running' as const, now: NOW };
  await expectUnchanged(db.pool, async () => expect(await decideBatch(db.pool, approve, noted())).toBe('suspended'));
  const { rowCount } = await db.pool.query('SELECT FROM payout_batches WHERE account_id = $1', [account.id]);
  expect(rowCount).toBe(1);
});

test('a batch waits for a second person where it is above the threshold alone', async () => {
  await awaitApprovalOfAll(db.pool, account);
  const maker = await addMemberOf(db.pool, account.id);
  for (const [centavos, outcome] of [
    [60, 'running'],
    [59, 'pending_approval'],
  ] as const) {
    await db.pool.query('UPDATE withdrawal_thresholds SET centavos = $2 WHERE account_id = $1', [account.id, centavos]);
    expect(await make(maker)).toMatchObject({ outcome });
  }
});

test('a batch whose maker may send no money for a while is not approved, and can be declined', async () => {
  await awaitApprovalOfAll(db.pool, account);
  const maker = await addMemberOf(db.pool, account.id);
  const { id } = await make(maker);
  await db.pool.query('UPDATE members SET withdrawals_blocked_until = $2 WHERE id = $1', [maker, LATER]);
  const memberId = await addMemberOf(db.pool, account.id);
  const decide = (to: BatchDecision) =>
    decideBatch(db.pool, { id, accountId: account.id, memberId, to, now: NOW }, noted());
  await expectUnchanged(db.pool, async () => expect(await decide('running')).toBe('asker_paused'));
  expect(await decide('declined')).toBe('declined');
});

test('a row of a batch that runs is not sent once its maker, or its account, may send no money', async () => {
  const maker = await addMemberOf(db.pool, account.id);
  const [ofPaused, ofSuspended] = [await make(maker), await make(await addMemberOf(db.pool, account.id))];
  await db.pool.query('UPDATE members SET withdrawals_blocked_until = $2 WHERE id = $1', [maker, LATER]);
  const run = ({ id: batchId, withdrawalId }: typeof ofPaused) => {
    const withdrawal = newPixOut(account, { id: withdrawalId, amountCentavos: 60n });
    return runBatchRow(db.pool, { batchId, number: 1, withdrawal, periods: BY_DAY, approveUntil: LATER });
  };
  expect(await run(ofPaused)).toBe('paused');
  await db.pool.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [account.id, NOW]);
  expect(await run(ofSuspended)).toBe('suspended');
  const failures = [await listBatchRows(db.pool, ofPaused.id), await listBatchRows(db.pool, ofSuspended.id)];
  expect(failures).toMatchObject([
    [{ failure: 'withdrawals_paused', status: null }],
    [{ failure: 'account_suspended', status: null }],
  ]);
  await expectSound(db.pool);
});

/** A batch of one row. */
async function batch(): Promise<{ id: string; withdrawalId: string }> {
  const { outcome, ...ids } = await make(await addMemberOf(db.pool, account.id));
  expect(['running', 'pending_approval']).toContain(outcome);
  return ids;
}

async function make(memberId: string) {
  const [id, withdrawalId] = [uuidv7(NOW), uuidv7(NOW)];
  const rows = [{ withdrawalId, earlierRowNewId: null, centavos: 60n }];
  const made = { id, accountId: account.id, memberId, sealed: 'sealed', rowsIndexes: [randomBytes(32)] as const };
  const outcome = await makeBatch(db.pool, { ...made, rows, decideUntil: LATER, now: NOW }, noted());
  return { id, withdrawalId, outcome };
}

const noted = () => ({
  ...{ merchantId: null, memberId: null, accountId: account.id, action: 'withdrawal.batch_made', details: {} },
  ...{ ipAddress: null, userAgent: null, at: NOW },
});

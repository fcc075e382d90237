import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '#domain/values/uuid.ts';
import { APPROVE_WITHIN_MS } from '#domain/withdrawals/approvals.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { withClient } from '../connection/with-client.ts';
import { findBalances } from '../ledger/ledger.ts';
import { markRestoredPayouts } from '../point-in-time/mark-restored-payouts.ts';
import { failBlockedRefund } from '../refunds/refunds.ts';
import { addMemberOf } from '../testing/add-member.ts';
import { askDuring } from '../testing/ask-during.ts';
import { awaitApprovalOfAll } from '../testing/await-approval-of-all.ts';
import { countLockWaits } from '../testing/count-lock-waits.ts';
import { fund, NOW, openTestAccount, QUOTE, type TestAccount } from '../testing/ledger-fixture.ts';
import { newRefund, refundChanges } from '../testing/ledger-refunds.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { BY_DAY, newCryptoOut, newPixOut, PIX_DESTINATION, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { approveWithdrawal, declineWithdrawal, findApproval, resumeWithdrawal } from './approvals.ts';
import { failBlockedPayout, markUnsentPayoutsUnknown } from './payouts.ts';
import { type NewWithdrawal, requestWithdrawal } from './withdrawals.ts';

/** Real sessions, so that the locks are real; other test files share the server's connections. */
const CONNECTIONS = 8;
const AT_ONCE = 20;
const THRESHOLD = 5_000n;
const IN_TIME = new Date(NOW.getTime() + APPROVE_WITHIN_MS - 1);
const TOO_LATE = new Date(NOW.getTime() + APPROVE_WITHIN_MS);

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let asker: string;
let second: string;
let withdrawals: ReturnType<typeof withdrawalChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: CONNECTIONS });
  withdrawals = withdrawalChanges(db.pool);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
  await fund(db.pool, account, 20_000n);
  await setThreshold(THRESHOLD);
  asker = await newMember();
  second = await newMember();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('a withdrawal above the threshold', () => {
  test('holds its money, waits, and has no task that sends it; one of exactly the threshold is sent', async () => {
    const withdrawal = newPixOut(account, { amountCentavos: THRESHOLD + 1n, feeCentavos: 9n });
    expect(await ask(withdrawal)).toBe('pending_approval');
    expect(await ask(newPixOut(account, { amountCentavos: THRESHOLD }))).toBe('requested');
    expect(await withdrawals.look(withdrawal.id)).toMatchObject({
      status: 'pending',
      payoutStep: null,
      transfers: ['withdrawal_requested'],
      tasks: expect.arrayContaining(['notify_approval', 'expire_approval']),
    });
    expect((await withdrawals.look(withdrawal.id)).tasks).not.toContain('payout');
    expect(await findBalances(db.pool, account.id)).toMatchObject({
      availableCentavos: 20_000n - 2n * THRESHOLD - 10n,
      blockedCentavos: 2n * THRESHOLD + 10n,
    });
    await expectSound(db.pool);
  });

  test('waits over crypto, too, and buys at the quote of its approval', async () => {
    const withdrawal = newCryptoOut(account, { amountCentavos: THRESHOLD + 1n });
    expect(await ask(withdrawal)).toBe('pending_approval');
    await expect(approve(withdrawal.id)).rejects.toMatchObject({ code: 'TR004' });
    const quote = { ...QUOTE, price: 2n * QUOTE.price };
    expect(await approve(withdrawal.id, { requote: { units: 2_500_500_000n, quote } })).toBe('approved');
    const { rows } = await db.pool.query('SELECT units, quote_price AS price FROM transactions WHERE id = $1', [
      withdrawal.id,
    ]);
    expect(rows).toEqual([{ units: 2_500_500_000n, price: quote.price }]);
    await expectSound(db.pool);
  });

  test('uses its limits when it is asked for, and gives them back when it is declined', async () => {
    await db.pool.query(`INSERT INTO account_limits (account_id, name, centavos) VALUES ($1, $2, $3)`, [
      ...[account.id, 'daily_limit_out_pix', THRESHOLD + 1n],
    ]);
    const id = await waiting();
    expect(await ask(newPixOut(account, { amountCentavos: 1n }))).toBe('daily_limit');
    expect(await decline(id)).toBe('declined');
    expect(await ask(newPixOut(account, { amountCentavos: 1n }))).toBe('requested');
  });

  test('can’t be started, stopped or answered by a provider while it waits', async () => {
    const id = await waiting();
    await expectUnchanged(db.pool, async () => {
      expect(await withdrawals.start(id)).toBe('already_started');
      for (const change of [() => withdrawals.accept(id), () => withdrawals.complete(id)]) {
        await expect(change()).rejects.toMatchObject({ code: 'TR004' });
      }
      const stop = { id, sentBefore: null, now: NOW, ...event() };
      expect(await failBlockedPayout(db.pool, stop)).toBe(false);
    });
  });

  test('goes on as one that was sent only while it waits', async () => {
    const approved = await waiting();
    expect(await approve(approved)).toBe('approved');
    const declined = await waiting();
    expect(await decline(declined)).toBe('declined');
    await expectUnchanged(db.pool, async () => {
      for (const id of [approved, declined]) expect(await resumeWithdrawal(db.pool, id, NOW)).toBe(false);
    });
    const id = await waiting();
    expect(await resumeWithdrawal(db.pool, id, NOW)).toBe(true);
    expect(await withdrawals.look(id)).toMatchObject({ status: 'pending', payoutStep: 'unknown', tasks: ['payout'] });
    await expectSound(db.pool);
  });

  test('requested twice under one id waits once', async () => {
    const withdrawal = newPixOut(account, { amountCentavos: THRESHOLD + 1n });
    expect(await Promise.all(times(() => ask(withdrawal)))).toEqual(
      expect.arrayContaining(['pending_approval', 'exists']),
    );
    expect(await findBalances(db.pool, account.id)).toMatchObject({ blockedCentavos: THRESHOLD + 1n });
  });
});

describe('the second person', () => {
  test('is not the member who asked', async () => {
    const id = await waiting();
    await expectUnchanged(db.pool, async () => expect(await approve(id, { memberId: asker })).toBe('own'));
    expect(await approve(id)).toBe('approved');
    expect(await withdrawals.look(id)).toMatchObject({ status: 'pending', tasks: ['payout'] });
    expect(await findApproval(db.pool, id)).toMatchObject({ outcome: 'approved', askerIds: [asker] });
  });

  test('is neither who created nor who rotated the key that asked', async () => {
    const rotator = await newMember();
    const keyId = await newKey(asker, rotator);
    const withdrawal = newPixOut(account, { amountCentavos: THRESHOLD + 1n });
    expect(await requestWithdrawal(db.pool, withdrawal, BY_DAY, { keyId, memberId: null })).toBe('pending_approval');
    for (const memberId of [asker, rotator]) expect(await approve(withdrawal.id, { memberId })).toBe('own');
    expect(await approve(withdrawal.id)).toBe('approved');
  });

  test('may be anybody for a key that the operator created', async () => {
    const keyId = await newKey(null, null);
    const withdrawal = newPixOut(account, { amountCentavos: THRESHOLD + 1n });
    await requestWithdrawal(db.pool, withdrawal, BY_DAY, { keyId, memberId: null });
    expect(await approve(withdrawal.id)).toBe('approved');
  });

  test('sees nothing of another account', async () => {
    const id = await waiting();
    const other = await openTestAccount(db.pool, 'live');
    expect(await approve(id, { accountId: other.id })).toBe('unknown');
    expect(await decline(id, { accountId: other.id })).toBe('unknown');
    expect(await approve(uuidv7(NOW))).toBe('unknown');
  });

  test('planted: the table itself takes no approval by who asked', async () => {
    const id = await waiting();
    const byAsker = `UPDATE withdrawal_approvals SET outcome = 'approved', decided_by_id = $2, decided_at = $3 WHERE transaction_id = $1`;
    await expect(db.pool.query(byAsker, [id, asker, NOW])).rejects.toMatchObject({
      constraint: 'withdrawal_approvals_second_person',
    });
  });
});

describe('a decision', () => {
  test('wins once among 20 approvals at once, and one task sends the withdrawal', async () => {
    const id = await waiting();
    const outcomes = await Promise.all(times(() => approve(id)));
    expect(outcomes.filter((one) => one === 'approved')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['approved', 'decided']));
    expect((await withdrawals.look(id)).tasks).toEqual(['payout']);
  });

  test('wins once among approvals and rejections at once: the withdrawal is sent, or its money is back', async () => {
    const ids = await Promise.all(times(() => waiting(THRESHOLD + 1n), 3));
    for (const id of ids) {
      const outcomes = await Promise.all([approve(id), decline(id), approve(id), decline(id)]);
      expect(outcomes.filter((one) => one !== 'decided')).toHaveLength(1);
      const { status, tasks } = await withdrawals.look(id);
      expect({ status, tasks }).toEqual(
        outcomes.includes('approved') ? { status: 'pending', tasks: ['payout'] } : { status: 'failed', tasks: [] },
      );
    }
    await expectSound(db.pool);
  });

  test('that declines a withdrawal gives its money back, with one event', async () => {
    const id = await waiting();
    expect(await Promise.all(times(() => decline(id), 3))).toEqual(expect.arrayContaining(['declined', 'decided']));
    expect(await withdrawals.look(id)).toMatchObject({
      status: 'failed',
      events: ['pix_out.failed'],
      tasks: [],
      transfers: ['withdrawal_failed', 'withdrawal_requested'],
    });
    expect(await approve(id)).toBe('decided');
    expect(await findBalances(db.pool, account.id)).toMatchObject({ availableCentavos: 20_000n, blockedCentavos: 0n });
    await expectSound(db.pool);
  });

  test('leaves the tasks of other withdrawals that wait', async () => {
    const other = await waiting();
    const resume = (id: string) => resumeWithdrawal(db.pool, id, NOW);
    for (const [decide, outcome] of [
      [decline, 'declined'],
      [approve, 'approved'],
      [resume, true],
    ] as const) {
      expect(await decide(await waiting())).toBe(outcome);
      expect((await withdrawals.look(other)).tasks).toEqual(
        expect.arrayContaining(['expire_approval', 'notify_approval']),
      );
    }
  });

  test('can be made for seven days; then it fails by itself, not before', async () => {
    const [early, late] = [await waiting(), await waiting()];
    expect(await decline(early, { memberId: null, now: IN_TIME })).toBe('waiting');
    expect(await approve(early, { now: IN_TIME })).toBe('approved');
    expect(await approve(late, { now: TOO_LATE })).toBe('decided');
    expect(await decline(late, { memberId: null, now: TOO_LATE })).toBe('declined');
    expect(await findApproval(db.pool, late)).toMatchObject({ outcome: 'expired', decidedBy: null });
    expect(await withdrawals.look(late)).toMatchObject({ status: 'failed', tasks: [] });
    await expectSound(db.pool);
  });
});

describe('a withdrawal that waits while its account or a person is stopped', () => {
  const stops: [what: string, outcome: string, sql: () => [string, unknown[]]][] = [
    [
      'the account is suspended',
      'suspended',
      () => ['UPDATE accounts SET suspended_at = $2 WHERE id = $1', [account.id, NOW]],
    ],
    [
      'the merchant is rejected',
      'kyc',
      () => [
        `UPDATE merchants SET kyc_status = 'rejected' WHERE id = (SELECT merchant_id FROM accounts WHERE id = $1)`,
        [account.id],
      ],
    ],
    ['who approves is paused', 'paused', () => [PAUSE, [second, TOO_LATE]]],
    ['who asked is paused', 'asker_paused', () => [PAUSE, [asker, TOO_LATE]]],
  ];
  const PAUSE = 'UPDATE members SET withdrawals_blocked_until = $2 WHERE id = $1';

  test.each(stops)('is not approved, and keeps waiting: %s', async (_what, outcome, sql) => {
    const id = await waiting();
    await db.pool.query(...sql());
    await expectUnchanged(db.pool, async () => expect(await approve(id)).toBe(outcome));
    expect(await decline(id, { memberId: null, now: TOO_LATE })).toBe('declined');
    await expectSound(db.pool);
  });
});

test('planted: the table rejects the start of a payout by a payout_start that ignores the wait for approval', async () => {
  const forgetful = await createTestDatabase();
  const planted = openDatabase(forgetful.ownerUrl, { max: 2 });
  try {
    const { rows } = await planted.pool.query<{ sql: string }>(
      `SELECT pg_get_functiondef('payout_start'::regproc) AS sql`,
    );
    const guard = 'AND sub_status IS NULL';
    expect(rows[0]?.sql).toContain(guard);
    await planted.pool.query(rows[0]?.sql.replace(guard, '') ?? '');
    const own = await openTestAccount(planted.pool, 'live');
    await fund(planted.pool, own, 20_000n);
    await awaitApprovalOfAll(planted.pool, own);
    const withdrawal = newPixOut(own, { amountCentavos: 1n });
    const changes = withdrawalChanges(planted.pool);
    expect(await changes.request(withdrawal)).toBe('pending_approval');
    await expect(changes.start(withdrawal.id)).rejects.toMatchObject({ constraint: 'transactions_sub_status' });
  } finally {
    await planted.close();
    await forgetful.drop();
  }
});

test('what a database without a replayed commit had not sent may have been sent since its copy was taken', async () => {
  const id = await waiting();
  const copiedAt = new Date(NOW.getTime() + 1_000);
  // This server has replayed nothing, as one that was restored to the end of its copy.
  expect(await withClient(database.ownerUrl, (client) => markRestoredPayouts(client, copiedAt))).toBeNull();
  const { rows } = await db.pool.query('SELECT payout_sent_at AS at FROM transactions WHERE id = $1', [id]);
  expect(rows).toEqual([{ at: copiedAt }]);
});

test('a withdrawal that its PSP has is not sent as well by an approval that comes at once', async () => {
  const id = await waiting();
  const resumed = await askDuring(
    db.pool,
    (session) => approve(id, {}, session),
    () => resumeWithdrawal(db.pool, id, NOW),
  );
  expect(resumed).toBe(false);
  expect(await withdrawals.look(id)).toMatchObject({ payoutStep: null, tasks: ['payout'] });
});

test('whoever holds money or gives it back waits for the balance before they lock the account and its merchant', async () => {
  const charge = await fund(db.pool, account, 1_000n);
  const refunds = refundChanges(db.pool);
  const [refund, payout] = [newRefund(charge, 1n), newPixOut(account, { amountCentavos: 1n })];
  await refunds.request(refund);
  await ask(payout);
  const held = await waiting();
  const suspend = (at: Date | null) =>
    db.pool.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [account.id, at]);
  const asked: [() => Promise<unknown>, outcome: unknown][] = [
    [() => approve(held), 'approved'],
    [() => refunds.request(newRefund(charge, 1n)), 'requested'],
    [() => failBlockedPayout(db.pool, { id: payout.id, sentBefore: null, now: NOW, ...event() }), true],
    [() => failBlockedRefund(db.pool, { id: refund.id, refundedCentavos: 0n, now: NOW, ...event() }), true],
  ];
  for (const [work, outcome] of asked) {
    await suspend(outcome === true ? NOW : null);
    let working: Promise<unknown> | undefined;
    const done = askDuring(
      db.pool,
      async (session) => {
        // It locks the balance, and finds nothing to remove.
        await session.query('SELECT payee_remove($1, $1, $1, $2)', [account.id, NOW]);
        working = work();
        while ((await countLockWaits(db.pool)) === 0) await setImmediate();
        // As whoever changes either does: it would wait, and so would every withdrawal behind it.
        await session.query(
          'SELECT FROM accounts a JOIN merchants m ON m.id = a.merchant_id WHERE a.id = $1 FOR NO KEY UPDATE NOWAIT',
          [account.id],
        );
      },
      async () => working,
    );
    expect(await done).toBe(outcome);
  }
  await expectSound(db.pool);
});

test('a withdrawal that waited in a restored database is only asked about: it may have been approved and sent since', async () => {
  const id = await waiting();
  const client = await db.pool.connect();
  await markUnsentPayoutsUnknown(client, NOW);
  client.release();
  expect(await withdrawals.look(id)).toMatchObject({ status: 'pending', payoutStep: 'unknown', tasks: ['payout'] });
  expect(await approve(id)).toBe('decided');
  expect(await withdrawals.start(id)).toBe('already_started');
  expect(await withdrawals.fail(id)).toBe('pending');
  await expectSound(db.pool);
});

async function setThreshold(centavos: bigint): Promise<void> {
  await db.pool.query(`INSERT INTO withdrawal_thresholds (account_id, kind, centavos) VALUES ($1, 'approval', $2)`, [
    account.id,
    centavos,
  ]);
}

const newMember = () => addMemberOf(db.pool, account.id);

async function newKey(createdBy: string | null, rotatedBy: string | null): Promise<string> {
  const id = uuidv7(NOW);
  await db.pool.query(
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, created_at, created_by_id, rotated_by_id)
     VALUES ($1, $2, 'caixa', uuid_send($1), 'pgw', $3, $4, $5)`,
    [id, account.id, NOW, createdBy, rotatedBy],
  );
  return id;
}

const ask = (withdrawal: NewWithdrawal) =>
  requestWithdrawal(db.pool, withdrawal, BY_DAY, { keyId: null, memberId: asker });

async function waiting(amountCentavos = THRESHOLD + 1n): Promise<string> {
  const withdrawal = newPixOut(account, { amountCentavos });
  expect(await ask(withdrawal)).toBe('pending_approval');
  return withdrawal.id;
}

const approve = (id: string, more: Partial<Parameters<typeof approveWithdrawal>[1]> = {}, pool = db.pool) =>
  approveWithdrawal(pool, {
    ...{ id, accountId: account.id, memberId: second, requote: null, destination: PIX_DESTINATION, now: NOW },
    ...more,
  });

const decline = (id: string, more: Partial<Parameters<typeof declineWithdrawal>[1]> = {}) =>
  declineWithdrawal(db.pool, {
    ...{ id, accountId: account.id, memberId: second, reason: 'sealed', failureCode: 'approval_declined' },
    ...{ now: NOW, ...event(), ...more },
  });

const event = () => ({ eventId: uuidv7(NOW), eventType: 'pix_out.failed', eventBody: '{}' });
const times = <T>(work: () => Promise<T>, count = AT_ONCE): Promise<T>[] => Array.from({ length: count }, work);

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  CHARGE_TRANSITIONS,
  CRYPTO_WITHDRAWAL_TRANSITIONS,
  INVOICE_TRANSITIONS,
  mayWithdrawalBecome,
  PIX_WITHDRAWAL_TRANSITIONS,
  SETTLED_STATUS,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type WithdrawalStatus,
} from '#domain/transactions/transaction-states.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { findBalances } from '../ledger/ledger.ts';
import { askDuring } from '../testing/ask-during.ts';
import { chargeChanges } from '../testing/charge-changes.ts';
import {
  fund,
  insertTransaction,
  NOW,
  newEndToEndId,
  openTestAccount,
  RAIL,
  type TestAccount,
} from '../testing/ledger-fixture.ts';
import { expectSound, expectUnchanged } from '../testing/ledger-state.ts';
import { newCryptoOut, newPixOut, withdrawalChanges } from '../testing/ledger-withdrawals.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  findForeignPayout,
  mayBeWithdrawal,
  recordForeignPayout,
  writeOffForeignPayout,
} from '../unmatched/foreign-payouts.ts';
import { markPayoutUnknown } from './payouts.ts';
import { findWithdrawal } from './withdrawals.ts';

/** Real sessions, so that the locks are real; other test files share the server's connections. */
const CONNECTIONS = 16;
const AT_ONCE = 50;
const LATER = new Date('2026-11-21T12:10:00.000Z');

let database: TestDatabase;
let db: Database;
let account: TestAccount;
let withdrawals: ReturnType<typeof withdrawalChanges>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { max: CONNECTIONS });
  withdrawals = withdrawalChanges(db.pool);
});
beforeEach(async () => {
  account = await openTestAccount(db.pool, 'live');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('of 50 processes that want to send a payout one may', async () => {
  const id = await requested();
  const started = await Promise.all(times(AT_ONCE, () => withdrawals.start(id)));
  expect(started.filter((claim) => claim === 'started')).toHaveLength(1);
  expect(await withdrawals.look(id)).toMatchObject({ status: 'pending', payoutStep: 'sending' });
});

test('the payout of a process that died is taken over by one other, which names the attempt before', async () => {
  const id = await requested();
  await withdrawals.start(id);
  expect(await withdrawals.start(id, LATER, LATER)).toBe('already_started');
  const started = await Promise.all(times(AT_ONCE, () => withdrawals.start(id, NOW, LATER)));
  expect(started.filter((claim) => claim === 'started')).toHaveLength(1);
  expect(await withdrawals.start(id, NOW, LATER)).toBe('already_started');
});

test('a rejection of an attempt that another one has followed releases nothing: the payout may be on its way', async () => {
  await fund(db.pool, account, 100n);
  const id = await requested();
  await withdrawals.start(id);
  await withdrawals.start(id, NOW, LATER);
  await expectUnchanged(db.pool, async () => {
    expect(await withdrawals.fail(id, { sentAt: NOW })).toBeNull();
  });
  expect(await withdrawals.fail(id, { sentAt: LATER })).toBe('pending');
  expect(await withdrawals.look(id)).toMatchObject({ status: 'failed' });
});

test.each(['sending', 'unknown'])(
  'what the sender of a payout (%s) takes for lost or rejected releases nothing once another process has found it',
  async (step) => {
    await fund(db.pool, account, 100n);
    const id = await withdrawals.sent(newCryptoOut(account, { amountCentavos: 60n }));
    if (step === 'unknown') await markPayoutUnknown(db.pool, id, NOW);
    // A crypto payout that its processor has stays pending.
    await withdrawals.accept(id, { to: 'pending', providerId: `found-${id}` });
    await expectUnchanged(db.pool, async () => {
      expect(await withdrawals.fail(id, { sentAt: NOW })).toBeNull();
    });
    // What the processor itself reports counts.
    expect(await withdrawals.fail(id)).toBe('pending');
  },
);

test('a payout of ours that its PSP lists without our id is not booked a second time', async () => {
  await fund(db.pool, account, 100n);
  const id = await withdrawals.sent(newPixOut(account, { amountCentavos: 60n }));
  const endToEndId = newEndToEndId();
  await withdrawals.complete(id, { endToEndId });
  const listed = { id: uuidv7(NOW), rail: RAIL, mode: 'live' as const, accountId: null, centavos: 60n };
  const record = (endToEndId: string) =>
    recordForeignPayout(db.pool, { ...listed, endToEndId, sentAt: NOW, createdAt: NOW });
  await expectUnchanged(db.pool, async () => {
    expect(await record(endToEndId)).toBe(false);
  });
  expect(await record(newEndToEndId())).toBe(true);
});

test('a payout of ours that is written off as money sent at the bank while it is done is in the books once', async () => {
  const [id, foreignId, endToEndId] = [await sent(100n), uuidv7(NOW), newEndToEndId()];
  const foreign = { id: foreignId, rail: RAIL, mode: 'live' as const, accountId: null, endToEndId, centavos: 100n };
  expect(await recordForeignPayout(db.pool, { ...foreign, sentAt: NOW, createdAt: NOW })).toBe(true);
  const by = { name: 'ana', memberId: null, ipAddress: null, userAgent: null };
  const before = await askDuring(
    db.pool,
    (session) => writeOffForeignPayout(session, { id: foreignId, reason: 'unknown', by, now: NOW }),
    () => withdrawals.complete(id, { endToEndId }),
  );
  expect(before).toBe('pending');
  expect(await findForeignPayout(db.pool, foreignId)).toMatchObject({ state: 'written_off', transactionId: null });
  expect((await withdrawals.look(id)).status).toBe('paid');
  await expectSound(db.pool);
});

test('money that a PSP lists without our id may be a payout of ours until the end-to-end id of that is known', async () => {
  await fund(db.pool, account, 1_000n);
  const mayBe = (centavos: bigint, rail = RAIL) => mayBeWithdrawal(db.pool, { rail, centavos });
  await withdrawals.request(newPixOut(account, { amountCentavos: 377n }));
  expect(await mayBe(377n), 'not sent yet').toBe(false);
  const id = await withdrawals.sent(newPixOut(account, { amountCentavos: 377n }));
  expect(await mayBe(377n)).toBe(true);
  expect([await mayBe(376n), await mayBe(377n, 'other')]).toEqual([false, false]);
  await withdrawals.complete(id, { endToEndId: newEndToEndId() });
  expect(await mayBe(377n)).toBe(false);
});

test('a payout that was never started can’t be started as a repetition', async () => {
  const id = await requested();
  expect(await withdrawals.start(id, NOW)).toBe('already_started');
});

test('a payout that got no answer, was accepted or is over is not sent again', async () => {
  const unknown = await sent();
  await markPayoutUnknown(db.pool, unknown, NOW);
  const accepted = await sent();
  await withdrawals.accept(accepted);
  // A crypto payout that its processor has stays pending.
  const processed = await sent();
  await withdrawals.accept(processed, { to: 'pending' });
  const completed = await sent();
  await withdrawals.complete(completed);
  const failed = await sent();
  await withdrawals.fail(failed);
  const unsent = await requested();
  await withdrawals.fail(unsent);
  await expectUnchanged(db.pool, async () => {
    for (const id of [unknown, accepted, processed, completed, failed, unsent]) {
      for (const sentBefore of [null, NOW])
        expect(await withdrawals.start(id, sentBefore, LATER)).toBe('already_started');
    }
  });
});

test('a payout that is done changes status, ledger, event and task together', async () => {
  await fund(db.pool, account, 100n);
  const id = await withdrawals.sent(newPixOut(account, { amountCentavos: 60n, feeCentavos: 2n }));
  expect(await withdrawals.accept(id)).toBe('pending');
  expect(await withdrawals.complete(id, { from: 'processing' })).toBe('processing');
  expect(await withdrawals.look(id)).toEqual({
    status: 'paid',
    payoutStep: 'sent',
    transfers: ['withdrawal_completed', 'withdrawal_requested'],
    events: ['pix_out.paid', 'pix_out.processing'],
    tasks: [],
  });
  expect(await balances()).toEqual({ available: 38n, blocked: 0n });
  await expectSound(db.pool);
});

test('a payout that failed gives everything back, the fee too', async () => {
  await fund(db.pool, account, 100n);
  const id = await withdrawals.sent(newCryptoOut(account, { amountCentavos: 60n, feeCentavos: 2n }));
  expect(await withdrawals.fail(id)).toBe('pending');
  expect(await withdrawals.look(id)).toMatchObject({
    status: 'failed',
    transfers: ['withdrawal_failed', 'withdrawal_requested'],
    tasks: [],
  });
  expect(await balances()).toEqual({ available: 100n, blocked: 0n });
  await expectSound(db.pool);
});

test('a payout that ends leaves the tasks that send other payouts', async () => {
  const other = await requested();
  await withdrawals.complete(await sent());
  expect((await withdrawals.look(other)).tasks).toEqual(['payout']);
  await withdrawals.fail(await sent());
  expect((await withdrawals.look(other)).tasks).toEqual(['payout']);
});

test('a payout whose end is contradicted goes to review, and no money moves', async () => {
  await fund(db.pool, account, 100n);
  const ended = await sent(50n);
  await withdrawals.complete(ended);
  const before = await balances();
  expect(await withdrawals.review(ended, { from: 'paid' })).toBe('paid');
  expect(await withdrawals.look(ended)).toMatchObject({ status: 'review', transfers: { length: 2 } });
  expect(await balances()).toEqual(before);
  await expectSound(db.pool);
});

test('a payout in review gets the ids that its provider names, unless another payout over its rail has them', async () => {
  const ids = { providerId: `provider-${uuidv7(NOW)}`, endToEndId: newEndToEndId() };
  const done = async (rail: string, known = {}) => {
    await fund(db.pool, account, 10n);
    const id = await withdrawals.sent({ ...newPixOut(account, { amountCentavos: 10n }), rail });
    await withdrawals.complete(id, known);
    return id;
  };
  const reviewed = async (id: string) => {
    expect(await withdrawals.review(id, { from: 'paid', ...ids })).toBe('paid');
    return findWithdrawal(db.pool, id);
  };
  // Another rail has its own ids, and who is paid has the same one as who pays.
  await done('other', ids);
  const charge = await insertTransaction(db.pool, { account, amountCentavos: 10n });
  await chargeChanges(db.pool).pay(charge.id, { endToEndId: ids.endToEndId });
  expect(await reviewed(await done(RAIL))).toMatchObject(ids);
  expect(await reviewed(await done(RAIL))).toMatchObject({ providerId: null, endToEndId: null });
});

const TYPES = ['pix_out', 'crypto_out'] as const;
type WithdrawalType = (typeof TYPES)[number];
const CHANGES = ['accept', 'complete', 'fail', 'review'] as const;

/** The states of a withdrawal, and how it gets there. */
const STANDS: readonly {
  name: string;
  types: readonly WithdrawalType[];
  status(type: WithdrawalType): WithdrawalStatus;
  bring(type: WithdrawalType): Promise<string>;
}[] = [
  { name: 'pending and not sent', types: TYPES, status: () => 'pending', bring: (type) => requested(10n, type) },
  { name: 'pending and sent', types: TYPES, status: () => 'pending', bring: (type) => sent(10n, type) },
  { name: 'processing', types: ['pix_out'], status: () => 'processing', bring: (type) => after('accept', type) },
  { name: 'done', types: TYPES, status: (type) => SETTLED_STATUS[type], bring: (type) => after('complete', type) },
  { name: 'failed', types: TYPES, status: () => 'failed', bring: (type) => after('fail', type) },
  {
    name: 'in review',
    types: TYPES,
    status: () => 'review',
    async bring(type) {
      const id = await after('complete', type);
      await withdrawals.review(id, { from: SETTLED_STATUS[type] });
      return id;
    },
  },
];
const CASES = STANDS.flatMap((stand) => stand.types.map((type) => ({ ...stand, type })));

test.each(CASES)(
  'a withdrawal ($type) that is $name changes as the table of states says, not otherwise',
  async ({ name, type, status, bring }) => {
    const from = status(type);
    const ends = { accept: 'processing', complete: SETTLED_STATUS[type], fail: 'failed', review: 'review' } as const;
    for (const change of CHANGES) {
      const id = await bring(type);
      // A review is ended by payout_resolve alone.
      const isLegal = name !== 'in review' && mayWithdrawalBecome(type, from, ends[change]);
      // A payout that was never started can't be done or processing.
      if (isLegal && !(name === 'pending and not sent' && change !== 'fail')) {
        expect(await withdrawals[change](id, { from })).toBe(from);
        expect(await withdrawals.look(id)).toMatchObject({ status: ends[change] });
      } else {
        await expectUnchanged(db.pool, () =>
          expect(withdrawals[change](id, { from })).rejects.toMatchObject({
            code: expect.stringMatching(/^(TR004|23514)$/),
          }),
        );
      }
    }
    await expectSound(db.pool);
  },
);

test.each(CASES)(
  'a withdrawal ($type) that is $name returns that status to a caller that expects another, and nothing is done',
  async ({ type, status, bring }) => {
    const id = await bring(type);
    await expectUnchanged(db.pool, async () => {
      for (const from of [...STATES[type], null].filter((other) => other !== status(type))) {
        for (const change of CHANGES) {
          expect(await withdrawals[change](id, { from: from as WithdrawalStatus })).toBe(status(type));
        }
      }
    });
  },
);

const STATES: Record<(typeof TRANSACTION_TYPES)[number], readonly string[]> = {
  pix_in: Object.keys(CHARGE_TRANSITIONS),
  pix_out: Object.keys(PIX_WITHDRAWAL_TRANSITIONS),
  crypto_in: Object.keys(INVOICE_TRANSITIONS),
  crypto_out: Object.keys(CRYPTO_WITHDRAWAL_TRANSITIONS),
};

test('the database knows of each type of transaction the states of its table, and the status for money that moved', async () => {
  const { rows } = await db.pool.query<{ type: keyof typeof STATES; settled: string }>(
    'SELECT type, settled_status(type) AS settled FROM unnest(enum_range(NULL::transaction_type)) AS type',
  );
  expect(Object.fromEntries(rows.map(({ type, settled }) => [type, settled]))).toEqual(SETTLED_STATUS);
  for (const type of TRANSACTION_TYPES) {
    const known = await db.pool.query<{ status: string }>(
      `SELECT status FROM unnest(enum_range(NULL::transaction_status)) AS status
       WHERE transaction_has_status($1, status)`,
      [type],
    );
    expect(known.rows.map(({ status }) => status).sort()).toEqual([...STATES[type]].sort());
  }
  expect([...TRANSACTION_STATUSES].sort()).toEqual([...new Set(Object.values(STATES).flat())].sort());
});

test('an error while a payout changes leaves nothing: neither status nor money nor event', async () => {
  const first = await sent();
  const eventId = uuidv7(NOW);
  await withdrawals.complete(first, { eventId, providerId: 'taken', endToEndId: `E${first}` });
  const second = await sent();
  await expectUnchanged(db.pool, async () => {
    for (const taken of [{ eventId }, { providerId: 'taken' }, { endToEndId: `E${first}` }]) {
      for (const change of ['accept', 'complete', 'fail'] as const) {
        await expect(withdrawals[change](second, taken)).rejects.toMatchObject({ code: '23505' });
      }
    }
    await expect(withdrawals.review(first, { from: 'paid', eventId })).rejects.toMatchObject({ code: '23505' });
  });
  expect(await withdrawals.complete(second)).toBe('pending');
});

test('a payout that is reported done and failed at once ends one way, and emits one event', async () => {
  for (let race = 0; race < 10; race++) {
    const id = await sent();
    const answers = await Promise.all(times(5, () => [withdrawals.complete(id), withdrawals.fail(id)]).flat());
    expect(answers.filter((status) => status === 'pending')).toHaveLength(1);
    const { status, transfers, events } = await withdrawals.look(id);
    expect(transfers).toEqual([`withdrawal_${status === 'paid' ? 'completed' : status}`, 'withdrawal_requested']);
    expect(events).toEqual([`pix_out.${status}`]);
  }
  await expectSound(db.pool);
});

async function requested(amountCentavos = 10n, type: WithdrawalType = 'pix_out'): Promise<string> {
  await fund(db.pool, account, amountCentavos);
  const withdrawal = (type === 'pix_out' ? newPixOut : newCryptoOut)(account, { amountCentavos });
  expect(await withdrawals.request(withdrawal)).toBe('requested');
  return withdrawal.id;
}

async function sent(amountCentavos?: bigint, type?: WithdrawalType): Promise<string> {
  const id = await requested(amountCentavos, type);
  expect(await withdrawals.start(id)).toBe('started');
  return id;
}

async function after(change: 'accept' | 'complete' | 'fail', type: WithdrawalType): Promise<string> {
  const id = await sent(10n, type);
  await withdrawals[change](id);
  return id;
}

async function balances() {
  const found = await findBalances(db.pool, account.id);
  return { available: found?.availableCentavos, blocked: found?.blockedCentavos };
}

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WITHDRAWAL_TRANSITIONS, type WithdrawalStatus } from '#domain/transaction-states.ts';
import { uuidv7 } from '#domain/uuid.ts';
import { type Database, openDatabase } from './database.ts';
import { findBalances } from './ledger.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';
import { fund, NOW, openTestAccount, type TestAccount } from './testing/ledger-fixture.ts';
import { expectSound, expectUnchanged } from './testing/ledger-state.ts';
import { newCryptoOut, newPixOut, withdrawalChanges } from './testing/ledger-withdrawals.ts';
import { markPayoutUnknown } from './withdrawals.ts';

/** Real sessions, so that the locks are real; other test files share the server's hundred. */
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

test('of 50 who want to send a payout one may', async () => {
  const id = await requested();
  const begun = await Promise.all(times(AT_ONCE, () => withdrawals.begin(id)));
  expect(begun.filter((claim) => claim === 'begun')).toHaveLength(1);
  expect(await withdrawals.look(id)).toMatchObject({ status: 'pending', payoutStep: 'sending' });
});

test('the payout of a process that died is taken over by one, who names the attempt before', async () => {
  const id = await requested();
  await withdrawals.begin(id);
  expect(await withdrawals.begin(id, LATER, LATER)).toBe('taken');
  const begun = await Promise.all(times(AT_ONCE, () => withdrawals.begin(id, NOW, LATER)));
  expect(begun.filter((claim) => claim === 'begun')).toHaveLength(1);
  expect(await withdrawals.begin(id, NOW, LATER)).toBe('taken');
});

test('a refusal of an attempt that another one has followed releases nothing: the payout may be on its way', async () => {
  await fund(db.pool, account, 100n);
  const id = await requested();
  await withdrawals.begin(id);
  await withdrawals.begin(id, NOW, LATER);
  await expectUnchanged(db.pool, async () => {
    expect(await withdrawals.fail(id, { sentAt: NOW })).toBeNull();
  });
  expect(await withdrawals.fail(id, { sentAt: LATER })).toBe('pending');
  expect(await withdrawals.look(id)).toMatchObject({ status: 'failed' });
});

test('nobody begins a payout that was never begun as if it were another’s', async () => {
  const id = await requested();
  expect(await withdrawals.begin(id, NOW)).toBe('taken');
});

test('what got no answer, was accepted or is over is not sent again', async () => {
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
  await expectUnchanged(db.pool, async () => {
    for (const id of [unknown, accepted, processed, completed, failed]) {
      for (const sentBefore of [null, NOW]) expect(await withdrawals.begin(id, sentBefore, LATER)).toBe('taken');
    }
  });
});

test('a payout that is done changes status, ledger, event and task together', async () => {
  await fund(db.pool, account, 100n);
  const id = await withdrawals.sent(newPixOut(account, { amountCentavos: 60n, feeCentavos: 2n }));
  expect(await withdrawals.accept(id)).toBe('pending');
  expect(await withdrawals.complete(id, { from: 'processing' })).toBe('processing');
  expect(await withdrawals.look(id)).toEqual({
    status: 'completed',
    payoutStep: 'sent',
    transfers: ['withdrawal_completed', 'withdrawal_requested'],
    events: ['pix_out.completed', 'pix_out.processing'],
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

test('an end that is contradicted goes to review, and no money moves', async () => {
  await fund(db.pool, account, 100n);
  const ended = await sent(50n);
  await withdrawals.complete(ended);
  const before = await balances();
  expect(await withdrawals.review(ended, { from: 'completed' })).toBe('completed');
  expect(await withdrawals.look(ended)).toMatchObject({ status: 'review', transfers: { length: 2 } });
  expect(await balances()).toEqual(before);
  await expectSound(db.pool);
});

/** Where a withdrawal can stand, and how it gets there. */
const STANDS: Record<string, { status: WithdrawalStatus; bring(): Promise<string> }> = {
  'pending and not sent': { status: 'pending', bring: () => requested() },
  'pending and sent': { status: 'pending', bring: () => sent() },
  processing: { status: 'processing', bring: () => after('accept') },
  completed: { status: 'completed', bring: () => after('complete') },
  failed: { status: 'failed', bring: () => after('fail') },
  review: {
    status: 'review',
    async bring() {
      const id = await after('complete');
      await withdrawals.review(id, { from: 'completed' });
      return id;
    },
  },
};

const CHANGES = { accept: 'processing', complete: 'completed', fail: 'failed', review: 'review' } as const;

test.each(Object.keys(STANDS))(
  'a withdrawal that is %s changes as the table of states says, not otherwise',
  async (name) => {
    const { status, bring } = STANDS[name] as (typeof STANDS)[string];
    for (const [change, to] of Object.entries(CHANGES) as [keyof typeof CHANGES, WithdrawalStatus][]) {
      const id = await bring();
      const isLegal = WITHDRAWAL_TRANSITIONS[status].includes(to);
      // Nothing can be done, or be in the making, that nobody has begun to send.
      if (isLegal && !(name === 'pending and not sent' && change !== 'fail')) {
        expect(await withdrawals[change](id, { from: status })).toBe(status);
        expect(await withdrawals.look(id)).toMatchObject({ status: to });
      } else {
        await expectUnchanged(db.pool, () =>
          expect(withdrawals[change](id, { from: status })).rejects.toMatchObject({ code: 'TR004' }),
        );
      }
    }
    await expectSound(db.pool);
  },
);

test.each(Object.keys(STANDS))(
  'a withdrawal that is %s tells so to whoever expects something else, and nothing is done',
  async (name) => {
    const { status, bring } = STANDS[name] as (typeof STANDS)[string];
    const id = await bring();
    const others = [...(Object.keys(WITHDRAWAL_TRANSITIONS) as WithdrawalStatus[]), null as never];
    await expectUnchanged(db.pool, async () => {
      for (const from of others.filter((other) => other !== status)) {
        for (const change of Object.keys(CHANGES) as (keyof typeof CHANGES)[]) {
          expect(await withdrawals[change](id, { from })).toBe(status);
        }
      }
    });
  },
);

test('an error in the middle leaves nothing: neither status nor money nor event', async () => {
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
    await expect(withdrawals.review(first, { from: 'completed', eventId })).rejects.toMatchObject({ code: '23505' });
  });
  expect(await withdrawals.complete(second)).toBe('pending');
});

test('a payout that is told done and failed at once does one of both, and tells of it once', async () => {
  for (let race = 0; race < 10; race++) {
    const id = await sent();
    const answers = await Promise.all(times(5, () => [withdrawals.complete(id), withdrawals.fail(id)]).flat());
    expect(answers.filter((status) => status === 'pending')).toHaveLength(1);
    const { status, transfers, events } = await withdrawals.look(id);
    expect(transfers).toEqual([`withdrawal_${status}`, 'withdrawal_requested']);
    expect(events).toEqual([`pix_out.${status}`]);
  }
  await expectSound(db.pool);
});

async function requested(amountCentavos = 10n): Promise<string> {
  await fund(db.pool, account, amountCentavos);
  const withdrawal = newPixOut(account, { amountCentavos });
  expect(await withdrawals.request(withdrawal)).toBe('requested');
  return withdrawal.id;
}

async function sent(amountCentavos?: bigint): Promise<string> {
  const id = await requested(amountCentavos);
  expect(await withdrawals.begin(id)).toBe('begun');
  return id;
}

async function after(change: 'accept' | 'complete' | 'fail'): Promise<string> {
  const id = await sent();
  await withdrawals[change](id);
  return id;
}

async function balances() {
  const found = await findBalances(db.pool, account.id);
  return { available: found?.availableCentavos, blocked: found?.blockedCentavos };
}

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

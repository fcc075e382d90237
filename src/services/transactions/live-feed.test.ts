import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveFeed } from './live-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ACCOUNT = '01a1fc74-0489-79b5-9c67-000000000001';

/** A feed over a database that a test takes away; `written` stands there before. */
function feedOf(options: { written?: string[]; isMember?: boolean } = {}) {
  const { written = [], isMember = true } = options;
  const database = { isAway: false, changes: written.map((id) => ({ id, updatedAt: new Date() })) };
  const query = async ({ name, values }: { name: string; values: [unknown, Date] }) => {
    if (database.isAway) throw new Error('Connection terminated');
    if (name !== 'find-changed-transactions') return { rows: [] };
    const found = database.changes.filter(({ updatedAt }) => updatedAt > values[1]);
    return { rows: found.map((change) => ({ ...change, accountId: ACCOUNT, version: '1' })) };
  };
  const parts = { db: { pool: { query } }, clock: () => new Date(), log: { warn: () => {} } };
  const feed = createLiveFeed(parts as never);
  const received: string[] = [];
  void (async () => {
    const subscription = { accountId: ACCOUNT, memberId: 'm', merchantId: 'b', after: null, signal: undefined };
    for await (const event of feed.subscribe({ ...subscription, stillAllowed: async () => isMember }))
      received.push(event.kind === 'transaction' ? event.transaction.id : event.kind);
  })().catch(() => {});
  const write = (id: string) => void database.changes.push({ id, updatedAt: new Date() });
  return { feed, database, write, received };
}

test('an open stream gets what was written while its process could not read, however long that took', async () => {
  const { feed, database, write, received } = feedOf();
  await vi.advanceTimersByTimeAsync(2_000);
  database.isAway = true;
  write('first');
  await vi.advanceTimersByTimeAsync(60_000);
  write('second');
  await vi.advanceTimersByTimeAsync(60_000);
  database.isAway = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(received).toEqual(['first', 'second']);
  feed.stop();
});

test('a member who was removed while their stream was opened is not shown what was written before', async () => {
  const there = feedOf({ written: ['first'] });
  const removed = feedOf({ written: ['first'], isMember: false });
  await vi.advanceTimersByTimeAsync(0);
  expect([there.received, removed.received]).toEqual([['first'], []]);
  for (const { feed } of [there, removed]) feed.stop();
});

test('a member has eight streams, and the members of an account 64: one more ends the oldest', async () => {
  const { feed } = feedOf();
  const ended: number[] = [];
  let opened = 0;
  const open = (memberId: string) => {
    const number = ++opened;
    const subscription = { accountId: ACCOUNT, memberId, merchantId: 'b', after: null, signal: undefined };
    void (async () => {
      for await (const _ of feed.subscribe({ ...subscription, stillAllowed: async () => true }));
    })().catch(({ code }) => code === 'invalid_state' && ended.push(number));
  };
  // The account has one already, of another member.
  for (let member = 1; member <= 7; member++) for (let n = 0; n < 8; n++) open(`member ${member}`);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([]);
  open('member 1');
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([1]);
  for (let n = 0; n < 7; n++) open('member 8');
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([1]);
  for (let n = 0; n < 3; n++) open(`member ${9 + n}`);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([1, 2, 3]);
  feed.stop();
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { AccountGates } from '../http/account-gates.ts';
import type { Context } from '../procedures/context.ts';
import { prefetchFor, publicPrefetchFor } from './prefetch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const member = { principal: { accountId: 'a1' } } as Context;
const gate = (run: () => Promise<unknown>) => ({ run }) as unknown as AccountGates;

test('a page reads nothing for a visitor without an account', async () => {
  const asked = vi.fn(async () => ({}));
  expect(await prefetchFor({ principal: null } as Context, gate(asked))('terms.get', undefined)).toEqual({
    errorCode: null,
  });
  expect(asked).not.toHaveBeenCalled();
});

test('a read goes through the account’s gate; what is rejected there is left to the page itself', async () => {
  const full = gate(async () => Promise.reject(new DomainError('rate_limited')));
  expect(await prefetchFor(member, full)('terms.get', undefined)).toEqual({ errorCode: null });
  expect(
    await prefetchFor(
      member,
      gate(async () => ({ fees: [] })),
    )('terms.get', undefined),
  ).toEqual({ data: { fees: [] } });
});

test('a page waits a second at most for what it reads', async () => {
  const slow = prefetchFor(
    member,
    gate(() => new Promise((resolve) => setTimeout(() => resolve('late'), 5_000))),
  );
  const answer = slow('overview.get', { period: '30d' });
  await vi.advanceTimersByTimeAsync(999);
  const early = await Promise.race([answer, Promise.resolve('not yet')]);
  await vi.advanceTimersByTimeAsync(1);
  expect([early, await answer]).toEqual(['not yet', { errorCode: null }]);
  expect(vi.getTimerCount()).toBe(1);
});

test.each(['keys.create', 'charges.createPix', 'no.such', 'terms', '__proto__.get', 'constructor.name'])(
  'a page that reads what is no query gets an error that is thrown: %s',
  async (query) => {
    const asked = vi.fn(async () => ({}));
    await expect(prefetchFor(member, gate(asked))(query, undefined)).rejects.toThrow(`There is no query "${query}".`);
    expect(asked).not.toHaveBeenCalled();
  },
);

test('a public page reads what is public, and otherwise gets the code of the error', async () => {
  const database = { pool: { query: async () => ({ rows: [] }) } };
  const visitor = { principal: null, panel: { member: null }, deps: { db: database } } as unknown as Context;
  const read = publicPrefetchFor(visitor);
  const transactionId = '01a1fc74-0489-79b5-9c67-000000000000';
  expect(await read('payment.get', { transactionId })).toEqual({ errorCode: 'transaction_not_found' });
  expect(await read('terms.get', undefined)).toEqual({ errorCode: 'not_signed_in' });
  const broken = { ...visitor, deps: { db: null } } as unknown as Context;
  expect(await publicPrefetchFor(broken)('payment.get', { transactionId })).toEqual({ errorCode: null });
});

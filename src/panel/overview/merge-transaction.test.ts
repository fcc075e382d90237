import { expect, test } from 'vitest';
import type { ListedTransaction } from '#contract/transactions/transactions.ts';
import { mergeTransaction } from './merge-transaction.ts';

const transaction = (n: number, status: ListedTransaction['status'] = 'pending') =>
  ({ transaction_id: `01a1fdab-37e2-736a-adcd-30f787d9222${n}`, status }) as ListedTransaction;
const shown = [transaction(5), transaction(4), transaction(2)];
const ids = (list: ListedTransaction[]) => list.map(({ transaction_id: id }) => Number(id.at(-1)));

test('a new transaction comes to the top, and the oldest leaves', () => {
  expect(ids(mergeTransaction(shown, transaction(6), 3))).toEqual([6, 5, 4]);
});

test('a changed transaction stays in its place', () => {
  const merged = mergeTransaction(shown, transaction(4, 'paid'), 3);
  expect(ids(merged)).toEqual([5, 4, 2]);
  expect(merged[1]?.status).toBe('paid');
});

test('a transaction that is reported late is in its place by time; one that is older than all is not shown', () => {
  expect(ids(mergeTransaction(shown, transaction(3), 3))).toEqual([5, 4, 3]);
  expect(ids(mergeTransaction(shown, transaction(1), 3))).toEqual([5, 4, 2]);
  expect(ids(mergeTransaction([], transaction(1), 3))).toEqual([1]);
});

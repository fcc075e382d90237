import { expect, test } from 'vitest';
import { restProcedures } from './openapi/document.ts';
import { listParametersOf, readQuery } from './read-query.ts';

test('the parameters that are lists in the document are lists when they are read', () => {
  const lists = restProcedures().map(({ name, inputSchema }) => [name, [...listParametersOf(inputSchema)]] as const);
  expect(Object.fromEntries(lists.filter(([, names]) => names.length > 0))).toEqual({
    'transactions.list': ['type', 'status', 'display_status'],
    'disputes.list': ['state'],
    'events.list': ['status', 'type'],
  });
});

test.each([
  ['type=a&type=b', { type: 'a,b' }],
  ['type=a,b&limit=1&type=c', { type: 'a,b,c', limit: '1' }],
  ['limit=1&limit=2', { limit: '1' }],
  ['toString=a&type=b', { toString: 'a', type: 'b' }],
  ['', {}],
])('of %s a list has all values, and any other parameter its first', (query, input) => {
  expect(readQuery(query, new Set(['type']))).toEqual(input);
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { optional } from '#contract/codecs.ts';
import { restProcedures } from './openapi/document.ts';
import { optionalNullsOf, withoutNulls } from './optional-nulls.ts';

const namesOf = (name: string) => {
  const { inputSchema } = restProcedures().find((one) => one.name === name) ?? {};
  return [...optionalNullsOf(inputSchema).keys()].sort();
};

test('a null is an absent field where the operation reads them alike', () => {
  expect(namesOf('withdrawals.crypto')).toEqual(['currency', 'memo', 'metadata', 'reference', 'referenceUnique']);
  expect(namesOf('transactions.refund')).toEqual(['amount', 'description', 'metadata', 'reference', 'referenceUnique']);
});

test('a null is no absent field where it changes something, or is rejected', () => {
  expect(namesOf('endpoints.change')).toEqual([]);
  expect(namesOf('endpoints.rotateSecret')).toEqual([]);
});

test('only such nulls are left out, also inside of objects', () => {
  const input = z
    .object({
      a: optional(z.string()),
      b: z.string().nullable(),
      c: optional(z.object({ d: optional(z.string()), e: z.string().nullable() })),
      f: z.unknown(),
    })
    .transform((value) => value);
  const nulls = optionalNullsOf(input);
  const sent = { a: null, b: null, c: { d: null, e: null }, f: { d: null }, g: null };
  expect(withoutNulls(sent, nulls)).toEqual({ b: null, c: { e: null }, f: { d: null }, g: null });
  expect(withoutNulls({ c: null, a: 'x' }, nulls)).toEqual({ a: 'x' });
  expect(withoutNulls({ c: [null] }, nulls)).toEqual({ c: [null] });
});

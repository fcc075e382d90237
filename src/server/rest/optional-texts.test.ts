import { expect, test } from 'vitest';
import type { z } from 'zod';
import { restProcedures } from './openapi/document.ts';
import { optionalTextsOf, withoutEmptyTexts } from './optional-texts.ts';

const OPTIONAL = Object.fromEntries(
  restProcedures().map(({ name, inputSchema }) => [name, [...optionalTextsOf(inputSchema)].sort()]),
);
const isPost = (name: string) =>
  restProcedures().some((one) => one.name === name && one.meta.openapi.method === 'POST');

/** Decided field by field: an empty amount of a refund, taken for none, would refund everything. */
test('an empty text of a body is an absent one where a text is optional, and nowhere else', () => {
  const found = Object.entries(OPTIONAL).filter(([name, fields]) => isPost(name) && fields.length > 0);
  expect(Object.fromEntries(found), 'List a new optional text here, where an empty one may count as absent').toEqual({
    'charges.create': [
      'callbackUrl',
      'customerDocument',
      'customerDocumentType',
      'customerEmail',
      'customerName',
      'customerPhone',
      'description',
      'reference',
      'splitReceiverEmail',
      'splitReceiverUserId',
    ],
    'endpoints.change': ['description', 'url'],
    'endpoints.create': ['description'],
    'events.replay': ['cursor', 'endpoint_id', 'until'],
    'events.resend': ['endpoint_id'],
    'transactions.refund': ['description', 'reference'],
    'disputes.answer': ['text'],
    // Not scheduledFor: without a date the money would leave at once.
    'withdrawals.pix': ['description', 'ifMissed', 'reference'],
    'withdrawals.crypto': ['currency', 'memo', 'reference'],
    'deposits.crypto': [
      'callbackUrl',
      'currency',
      'customerDocument',
      'customerDocumentType',
      'customerEmail',
      'customerName',
      'customerPhone',
      'description',
      'reference',
    ],
    'account.create': ['currency', 'phone', 'webhookUrl'],
  });
});

test('every optional parameter of a query is a text, which may be empty', () => {
  for (const { name, inputSchema } of restProcedures().filter((one) => !isPost(one.name))) {
    const fields = Object.entries((inputSchema as z.ZodObject).shape);
    const optional = fields.filter(([, field]) => (field as z.ZodType).safeParse(undefined).success);
    expect(OPTIONAL[name]).toEqual(optional.map(([field]) => field).sort());
  }
});

test('the optional texts of every operation are accepted empty, and are then not there', () => {
  for (const { name, inputSchema } of restProcedures()) {
    const optional = new Set(OPTIONAL[name]);
    const sent = Object.fromEntries([...optional].map((field) => [field, '']));
    expect(withoutEmptyTexts({ amount: 1, wallet: '', ...sent }, optional)).toEqual({
      ...(optional.has('amount') ? {} : { amount: 1 }),
      wallet: '',
    });
    const issues = inputSchema.safeParse(withoutEmptyTexts(sent, optional)).error?.issues ?? [];
    expect(issues.filter(({ path }) => optional.has(String(path[0])))).toEqual([]);
  }
});

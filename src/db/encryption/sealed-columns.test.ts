import { expect, test } from 'vitest';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { BETTER_AUTH_COLUMNS, BLIND_INDEXES, SEALED_COLUMNS, sealContext } from './sealed-columns.ts';

test('the context of a sealed column names its row', () => {
  expect(sealContext('accounts.webhook_secret', { id: 'a' })).toBe('webhook-secret:a');
  expect(sealContext('kyc_documents.sealed', { merchant_id: 'm' })).toBe('kyc-document:m');
  expect(() => sealContext('mails.sealed', {})).toThrow('needs the row');
});

// ASVS 6.5.2, 11.1.2, 14.1.1, 14.1.2
test('a blind index is made of sealed columns of its own table', () => {
  for (const [name, { sources }] of Object.entries(BLIND_INDEXES)) {
    for (const source of sources) expect(source.split('.')[0]).toBe(name.split('.')[0]);
  }
  const box = createSecretBox(generateMasterKeys());
  const { compute } = BLIND_INDEXES['transactions.customer_document_index'] ?? {};
  expect(compute?.(box, { 'transactions.customer_document': null }, {})).toBeNull();
});

test('no column is sealed both by the secret box and by better-auth', () => {
  for (const name of Object.keys(BETTER_AUTH_COLUMNS)) expect(Object.keys(SEALED_COLUMNS)).not.toContain(name);
});

/** Columns that are bound to something else than their primary key, and why. */
const NOT_BY_KEY: Record<string, string> = {
  'attempts.response_body': 'which attempt of its delivery it is the database counts',
  'kyc_documents.file_name': 'as the file itself',
  'kyc_documents.sealed': 'a copy of the file for a later submission of the merchant opens',
  'provider_calls.request_body': 'the database gives the id of a call',
  'provider_calls.response_body': 'the database gives the id of a call',
  'request_records.request_body': 'the database gives the id; the request has one of its own',
  'request_records.response_body': 'the database gives the id; the request has one of its own',
  'login_tokens.value': 'its id is chosen when it is written',
};

test('every context names the row, so that a sealed value that is copied into another row does not open there', () => {
  const box = createSecretBox(generateMasterKeys());
  const contexts = Object.entries(SEALED_COLUMNS).map(([name, { key, context }]) => {
    for (const column of NOT_BY_KEY[name] ? [] : key)
      expect([name, context]).toEqual([name, expect.stringContaining(`{${column}}`)]);
    expect(context).toMatch(/\{\w+\}/);
    const row = (value: string) =>
      Object.fromEntries([...context.matchAll(/\{(\w+)\}/g)].map(([, one]) => [one, value]));
    const sealed = box.seal('x', sealContext(name as keyof typeof SEALED_COLUMNS, row('a')));
    expect(() => box.open(sealed, sealContext(name as keyof typeof SEALED_COLUMNS, row('b')))).toThrow();
    return context;
  });
  // The two secrets of an account, and those of an endpoint, share a context, because one moves to
  // the other's column when it is replaced; no other columns do.
  expect(new Set(contexts).size).toBe(contexts.length - 2);
});

import { expect, test } from 'vitest';
import { createSecretBox, generateMasterKeys } from '#domain/secret-box.ts';
import { BETTER_AUTH_COLUMNS, BLIND_INDEXES, SEALED_COLUMNS, sealContext } from './sealed-columns.ts';

test('the context of a sealed column names its row', () => {
  expect(sealContext('accounts.webhook_secret', { id: 'a' })).toBe('webhook-secret:a');
  expect(sealContext('kyc_documents.sealed', { merchant_id: 'm' })).toBe('kyc-document:m');
  expect(() => sealContext('mails.sealed', {})).toThrow('needs the row');
});

test('a blind index is made of sealed columns of its own table', () => {
  for (const [name, { sources }] of Object.entries(BLIND_INDEXES)) {
    for (const source of sources) expect(source.split('.')[0]).toBe(name.split('.')[0]);
  }
  const box = createSecretBox(generateMasterKeys());
  const { compute } = BLIND_INDEXES['transactions.customer_document_index'] ?? {};
  expect(compute?.(box, { 'transactions.customer_document': null }, {})).toBeNull();
});

test('no column is sealed twice', () => {
  for (const name of Object.keys(BETTER_AUTH_COLUMNS)) expect(Object.keys(SEALED_COLUMNS)).not.toContain(name);
});

import { expect, test } from 'vitest';
import { chargeTxid, idAtPsp } from './id-at-psp.ts';

const OWN_ID = '01a22438-7e67-762a-a43d-6571948ee9d2';
const transaction = (type: string, pix: object | null) => ({ type, transaction_id: OWN_ID, pix }) as never;

test('a receipt names the txid of a charge, and none of a payment that came without one or of a withdrawal', () => {
  const txidOf = (type: string, pix: object | null) => chargeTxid(transaction(type, pix));
  expect(txidOf('pix_in', { qr_code: '000201' })).toBe('01a224387e67762aa43d6571948ee9d2');
  expect([
    txidOf('pix_in', { qr_code: null }),
    txidOf('pix_out', { qr_code: null }),
    txidOf('crypto_in', null),
  ]).toEqual([null, null, null]);
});

test('a payout has an id at the PSP, and one that was made in the bank’s application has none', () => {
  expect(idAtPsp(transaction('pix_out', { pix_key: 'ana@example.com' }))).toBe('01a224387e67762aa43d6571948ee9d2');
  expect(idAtPsp(transaction('pix_out', { pix_key: null }))).toBeNull();
  expect(idAtPsp(transaction('crypto_out', null))).toBeNull();
});

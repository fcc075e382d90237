import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parsePlisioCallback } from './parse-plisio-callback.ts';
import { API_KEY } from './testing/examples.ts';

/**
 * The body of Plisio/nodejs-api-client, test/ResponseValidator.test.ts, whose fields are sorted by
 * name.
 */
const FIELDS = {
  amount: '15.300000',
  comment: 'Invoice details: https://plisio.loc/account/transactions/61b19fd3f609ba61f4282547',
  confirmations: '0',
  currency: 'USDT',
  ipn_type: 'invoice',
  merchant: 'Test shop',
  merchant_id: '5d09fcd84f1e66138d706ed8',
  order_name: 'test USDT',
  order_number: '21120906',
  psys_cid: 'USDT',
  source_amount: '15.00',
  source_currency: 'USD',
  source_rate: '1.000000',
  status: 'completed',
  txn_id: '61b19fd3f609ba61f4282547',
};
const HASH = '6c53ff3472d694bfa13851ef266ec67389d25e2f';
const NOTICE = { providerId: '61b19fd3f609ba61f4282547', orderNumber: '21120906' };

const parse = (fields: object) => parsePlisioCallback(JSON.stringify(fields), API_KEY);
/** Signs exactly this JSON, as a sender does that keeps the order of the fields. */
const signed = (fields: object) => ({
  ...fields,
  verify_hash: createHmac('sha1', API_KEY).update(JSON.stringify(fields)).digest('hex'),
});

describe('a callback is taken when its hash is that of', () => {
  test("Plisio's own test", () => {
    expect(parse({ ...FIELDS, verify_hash: HASH })).toEqual(NOTICE);
  });
  test('the fields sorted by name, in whatever order they come', () => {
    expect(parse(Object.fromEntries(Object.entries({ ...FIELDS, verify_hash: HASH }).reverse()))).toEqual(NOTICE);
  });
  test('the values as texts, though they come as numbers', () => {
    expect(parse({ ...FIELDS, confirmations: 0, verify_hash: HASH })).toEqual(NOTICE);
  });
  test('the fields in the order received, as Python and the documentation have it', () => {
    const body =
      '{"txn_id":"txn-1","order_number":"intent-1","status":"completed","source_currency":"GBP","source_amount":"6.00"';
    const hash = '4ca68d28b4ee3a3ad231f9aa1293ebeb41b998b5';
    expect(parsePlisioCallback(`${body},"verify_hash":"${hash}"}`, 'merchant-secret-for-smoke')).toEqual({
      providerId: 'txn-1',
      orderNumber: 'intent-1',
    });
  });
  test('values that are no texts, as they came', () => {
    expect(parse(signed({ txn_id: 'a1', tx_urls: ['https://bscscan.com/tx/1'], expire_utc: 1, x: null }))).toEqual({
      providerId: 'a1',
      orderNumber: null,
    });
  });
});

describe('a callback is rejected when', () => {
  const body = JSON.stringify({ ...FIELDS, verify_hash: HASH });
  test.each<[string, string]>([
    ['a field was changed', JSON.stringify({ ...FIELDS, txn_id: `${FIELDS.txn_id.slice(0, -1)}8`, verify_hash: HASH })],
    ['a field was added', JSON.stringify({ ...FIELDS, more: '1', verify_hash: HASH })],
    ['a field was taken away', JSON.stringify({ ...FIELDS, status: undefined, verify_hash: HASH })],
    ['the hash is missing', JSON.stringify(FIELDS)],
    ['the hash is empty', JSON.stringify({ ...FIELDS, verify_hash: '' })],
    ['the hash is wrong', JSON.stringify({ ...FIELDS, verify_hash: `${HASH.slice(0, -1)}e` })],
    ['the hash is cut', JSON.stringify({ ...FIELDS, verify_hash: HASH.slice(0, 38) })],
    ['the hash is not hex', JSON.stringify({ ...FIELDS, verify_hash: `${HASH.slice(0, -1)}g` })],
    ['the hash is a list', JSON.stringify({ ...FIELDS, verify_hash: [HASH] })],
    ['there are two hashes', `{"verify_hash":"${'0'.repeat(40)}",${body.slice(1)}`],
    ['it is twice the same hash', `{"verify_hash":"${HASH}",${body.slice(1)}`],
    ['it is a form', new URLSearchParams({ ...FIELDS, verify_hash: HASH }).toString()],
    ['it is a list', `[${body}]`],
    ['it is null', 'null'],
    ['it is empty', ''],
    ['it is cut', body.slice(0, -1)],
    ['a value is nested deeper than the stack', `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)},${body.slice(1)}`],
    ['a value can’t be made a text', `{"x":{"toString":1,"valueOf":1},${body.slice(1)}`],
    ['it names no invoice', JSON.stringify(signed({ order_number: '1' }))],
    ['it names a route as the invoice', JSON.stringify(signed({ txn_id: 'withdraw' }))],
    ['it has a path as the invoice', JSON.stringify(signed({ txn_id: '../1' }))],
  ])('%s', (_, forged) => {
    expect(parsePlisioCallback(forged, API_KEY)).toBeNull();
  });

  test('it was signed with another key', () => {
    expect(parsePlisioCallback(body, `${API_KEY}x`)).toBeNull();
  });
  test('a field would change the prototype of objects', () => {
    expect(parsePlisioCallback(`{"__proto__":{"txn_id":"a1"},"verify_hash":"${HASH}"}`, API_KEY)).toBeNull();
  });
});

test('an order number that is not ours is left out', () => {
  expect(parse(signed({ txn_id: 'a1', order_number: 5 }))).toEqual({ providerId: 'a1', orderNumber: null });
});

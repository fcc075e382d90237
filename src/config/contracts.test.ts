import { expect, test } from 'vitest';
import { apiPixContract, PLISIO_BASE_URL, plisioContract } from './contracts.ts';

const PIX = {
  baseUrl: 'https://psp.example.com/api/',
  clientId: 'id',
  clientSecret: 'secret',
  pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  tls: { cert: 'PEM', key: 'PEM' },
};

test('a contract is read as an adapter takes it', () => {
  expect(apiPixContract.parse(PIX)).toEqual({ ...PIX, baseUrl: 'https://psp.example.com/api' });
  expect(plisioContract.parse({ apiKey: 'key' })).toEqual({ apiKey: 'key', baseUrl: PLISIO_BASE_URL });
});

test.each([
  ['without TLS', { ...PIX, tls: undefined }],
  ['over http', { ...PIX, baseUrl: 'http://psp.example.com' }],
  ['with a secret that is empty', { ...PIX, clientSecret: '' }],
  ['with a member that nobody reads, which may be a misspelled one', { ...PIX, payoutURL: 'https://psp.example.com' }],
])('a contract %s is refused', (_, contract) => {
  expect(apiPixContract.safeParse(contract).success).toBe(false);
});

import { expect, test } from 'vitest';
import { apiPixCredentials, PLISIO_BASE_URL, plisioCredentials } from './provider-credentials.ts';

const PIX = {
  baseUrl: 'https://psp.example.com/api/',
  clientId: 'id',
  clientSecret: 'secret',
  pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  tls: { cert: 'PEM', key: 'PEM' },
};

test('provider credentials are read as an adapter takes them', () => {
  expect(apiPixCredentials.parse(PIX)).toEqual({ ...PIX, baseUrl: 'https://psp.example.com/api' });
  expect(plisioCredentials.parse({ apiKey: 'key' })).toEqual({ apiKey: 'key', baseUrl: PLISIO_BASE_URL });
});

test.each([
  ['without TLS', { ...PIX, tls: undefined }],
  ['over http', { ...PIX, baseUrl: 'http://psp.example.com' }],
  ['with a secret that is empty', { ...PIX, clientSecret: '' }],
  ['with an unknown member, which may be a misspelled one', { ...PIX, payoutURL: 'https://psp.example.com' }],
])('provider credentials %s are rejected', (_, credentials) => {
  expect(apiPixCredentials.safeParse(credentials).success).toBe(false);
});

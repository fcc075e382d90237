import { describe, expect, test } from 'vitest';
import { PLISIO_BASE_URL } from '#domain/providers/plisio-base-url.ts';
import { PSPS } from '#domain/providers/providers.ts';
import {
  fillProfile,
  isSameContract,
  isSameRail,
  type OwnCredentials,
  parseGivenCredentials,
  providerOf,
  readOwnCredentials,
} from './own-credentials.ts';

const PIX = {
  baseUrl: 'https://psp.example.com/api/',
  clientId: 'id',
  clientSecret: 'secret',
  pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  tls: { cert: 'PEM', key: 'PEM' },
};
const FORM = {
  ...{ clientId: 'id', clientSecret: 's', pixKey: 'loja@example.com' },
  ...{ tls: PIX.tls, appKey: null, accountNumber: null },
};

const pix = (value: object) => readOwnCredentials('api_pix', { ...PIX, ...value });
const plisio = (apiKey: string): OwnCredentials => readOwnCredentials('plisio', { apiKey });

test('provider credentials are read as an adapter takes them', () => {
  expect(parseGivenCredentials('api_pix', PIX)).toEqual({
    ok: true,
    value: { ...PIX, baseUrl: 'https://psp.example.com/api' },
  });
  expect(parseGivenCredentials('plisio', { apiKey: 'key' })).toEqual({
    ok: true,
    value: { apiKey: 'key', baseUrl: PLISIO_BASE_URL },
  });
});

test.each([
  ['without TLS', { ...PIX, tls: undefined }],
  ['over http', { ...PIX, baseUrl: 'http://psp.example.com' }],
  ['with a secret that is empty', { ...PIX, clientSecret: '' }],
  ['with an unknown member, which may be a misspelled one', { ...PIX, payoutURL: 'https://psp.example.com' }],
  ['of the sandbox, which gives out its own', { sandbox: true, clientId: 'a', clientSecret: 'b', pixKey: 'c' }],
])('provider credentials %s are rejected from an operator’s file', (_, credentials) => {
  expect(parseGivenCredentials('api_pix', credentials).ok).toBe(false);
});

test('stored credentials that can’t be read are not quoted', () => {
  expect(() => readOwnCredentials('plisio', { apiKey: '', secret: 'hidden' })).toThrow(/^[^h]*can’t be read\.$/);
});

test.each(PSPS)('the addresses of %s come from its profile, whatever a member types', (psp) => {
  const typed = { pixKey: 'https://evil.example/', appKey: 'a&b=https://evil.example', accountNumber: '1&c=d' };
  const value = fillProfile(psp, { ...FORM, ...typed });
  expect(providerOf({ kind: 'api_pix', value })).toBe(psp);
  expect(readOwnCredentials('api_pix', value).value).toMatchObject({ baseUrl: expect.stringMatching(/^https:/) });
  const { host } = new URL('baseUrl' in value ? value.baseUrl : '');
  expect(host).not.toContain('evil');
  const query = 'baseUrl' in value ? new URL(value.baseUrl).searchParams : null;
  expect([...(query ?? [])]).toEqual([
    ['gw-dev-app-key', typed.appKey],
    ['x-conta-corrente', typed.accountNumber],
  ]);
});

test('only Efí’s credentials send PIX, over the host of its profile', () => {
  expect(PSPS.map((psp) => [psp, (fillProfile(psp, FORM) as { payoutUrl?: string }).payoutUrl ?? null])).toEqual([
    ['efi', 'https://pix.api.efipay.com.br'],
    ['sicredi', null],
    ['inter', null],
    ['bb', null],
    ['itau', null],
    ['bradesco', null],
    ['santander', null],
    ['sicoob', null],
  ]);
});

describe('the rail of replaced credentials', () => {
  test('stays the same for another secret of the same key at the same PSP', () => {
    expect(isSameRail(pix({}), pix({ clientId: 'new', clientSecret: 'new', tls: { pfx: 'P12' } }))).toBe(true);
  });
  test.each([
    ['another key', { pixKey: 'loja@example.com' }],
    ['another PSP', { baseUrl: 'https://other.example.com/api' }],
  ])('is another one for %s', (_, value) => {
    expect(isSameRail(pix({}), pix(value))).toBe(false);
  });
  test('is the same for every key of the crypto processor', () => {
    expect(isSameRail(plisio('one'), plisio('other'))).toBe(true);
    expect(isSameContract(plisio('one'), plisio('other'))).toBe(false);
    expect(isSameRail(plisio('one'), pix({}))).toBe(false);
  });
});

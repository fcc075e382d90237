import { expect, test } from 'vitest';
import { parseExactJson } from '#domain/values/parse-exact-json.ts';
import { restDocument } from '#server/rest/openapi/document.ts';
import { inlined } from '#server/rest/openapi/testing/document-checks.ts';
import { maskBody, maskPath } from './mask-request.ts';

const masked = (body: unknown) => JSON.parse(maskBody(body) ?? 'null');

test('a charge is recognised by its amounts, ids and states, and its payer is not shown', () => {
  expect(
    masked({
      amount: 100.5,
      customerName: 'Maria da Silva',
      customerEmail: 'maria@example.com',
      customerDocument: '123.456.789-09',
      customerDocumentType: 'cpf',
      customerPhone: '11987654321',
      description: 'Pedido 42 de joao@example.com, CPF 12345678909',
      callbackUrl: 'https://user:pw@shop.example.com/hook?token=s3cr3t#x',
      splitReceiverUserId: '0191f3c2-0000-7000-8000-000000000000',
    }),
  ).toEqual({
    amount: 100.5,
    customerName: 'M***',
    customerEmail: 'm***@example.com',
    customerDocument: '***.456.789-**',
    customerDocumentType: 'cpf',
    customerPhone: '+55 11 *****-4321',
    description: 'Pedido 42 de [e-mail], CPF 0',
    callbackUrl: 'https://shop.example.com/hook?***',
    splitReceiverUserId: '0191f3c2-0000-7000-8000-000000000000',
  });
});

test('a number of more decimals than a double has is shown as it was sent, where its field is shown', () => {
  const body = parseExactJson('{"amount":10.00000000000000001,"customerPhone":11987654321.0000000000001}');
  expect(masked(body)).toEqual({ amount: '10.00000000000000001', customerPhone: '***' });
});

test('a path that is no operation’s keeps its words and ids, and nothing that could be personal data', () => {
  const unknown = (path: string, query = '') => maskPath({ path, query, template: 'unmatched' });
  expect(unknown('/payments/transaction')).toBe('/payments/transaction');
  expect(unknown('/api/v2/payments//')).toBe('/api/v2/payments//');
  expect(unknown('/payments/0191f3c2-0000-7000-8000-000000000000/pay')).toBe(
    '/payments/0191f3c2-0000-7000-8000-000000000000/pay',
  );
  for (const secret of ['52998224725', 'maria@example.com', `tr_live_${'a1B2'.repeat(9)}`, '%00', '+5511987654321'])
    expect(unknown(`/payments/${secret}`, `key=${secret}`)).toBe('/payments/***?key=***');
});

test('a destination of money is shown enough to be recognised, and not enough to be used', () => {
  expect(masked({ pixKey: 'maria@example.com' })).toEqual({ pixKey: 'm***@example.com' });
  expect(masked({ pixKey: '+5511987654321' })).toEqual({ pixKey: '+55 11 *****-4321' });
  expect(masked({ pixKey: '12345678909' })).toEqual({ pixKey: '***.456.789-**' });
  expect(masked({ pixKey: '123e4567-e12b-12d1-a456-426655440000' })).toEqual({ pixKey: '123e45…0000' });
  expect(masked({ wallet: '0x52908400098527886E0F7030069857D2E4169EE7', memo: '104-555' })).toEqual({
    wallet: '0x5290…9EE7',
    memo: '***',
  });
});

test('keys and secrets are hidden, also in unexpected places', () => {
  const key = `tr_live_${'a1B2'.repeat(9)}`;
  const text = maskBody({
    data: { api_key: key, secret_key: 'whsec_c2VjcmV0c2VjcmV0', account_id: '0191f3c2-0000-7000-8000-000000000000' },
    description: `a chave é ${key}`,
    [key]: 1,
    currency: key,
    whsec_c2VjcmV0: true,
    constructor: 'x',
    toString: 'y',
    later: { unknown: 'z' },
  });
  expect(text).not.toMatch(/a1B2|c2Vj|"[xyz]"/);
  expect(text).toContain('"account_id":"0191f3c2-0000-7000-8000-000000000000"');
});

test('a value of another type than it should have is masked no less', () => {
  expect(masked({ customerDocument: 12345678909 })).toEqual({ customerDocument: '***.456.789-**' });
  expect(masked({ customerEmail: ['maria@example.com'], customerName: { first: 'Maria' } })).toEqual({
    customerEmail: ['m***@example.com'],
    customerName: { first: '***' },
  });
  expect(masked('no JSON {')).toBe('***');
  expect(masked([1, 'two'])).toEqual(['***', '***']);
  expect(maskBody(undefined)).toBeNull();
});

test('a long list keeps its first items, and a masked body never exceeds its maximum', () => {
  expect(masked({ data: Array.from({ length: 100 }, () => ({ status: 'paid' })) }).data).toEqual([
    ...Array.from({ length: 5 }, () => ({ status: 'paid' })),
    '… +95',
  ]);
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`name_${n}`, 'x'.repeat(5_000)]));
  const shown = { data: [1, 2, 3, 4, 5].map(() => ({ description: 'é'.repeat(9_000), message: '"'.repeat(9_000) })) };
  for (const body of [wide, shown]) expect(maskBody(body)?.length).toBeLessThanOrEqual(4_097);
  let deep: object = {};
  for (let n = 0; n < 1_000; n++) deep = { data: deep };
  expect(maskBody(deep)?.length).toBeLessThan(100);
});

test('a path keeps its ids, and a query the values that are not about people', () => {
  const template = '/payments/transactions/{transactionId}';
  const id = '0191f3c2-0000-7000-8000-000000000000';
  expect(maskPath({ path: `/payments/transactions/${id}`, query: '', template })).toBe(`/payments/transactions/${id}`);
  expect(maskPath({ path: '/payments/transactions/maria%40example.com', query: '', template })).toBe(
    '/payments/transactions/***',
  );
  const list = { path: '/payments/transactions', template: '/payments/transactions' };
  expect(maskPath({ ...list, query: 'status=paid,expired&limit=20&text=Maria&api_key=abc' })).toBe(
    '/payments/transactions?status=paid,expired&limit=20&text=***&api_key=***',
  );
  expect(maskPath({ ...list, query: `limit=${'9'.repeat(9_000)}` }).length).toBeLessThan(400);
});

test('every member of the API’s bodies is shown, masked, or listed here as hidden', () => {
  const names = new Set<string>();
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('properties' in schema) for (const name of Object.keys(schema.properties as object)) names.add(name);
    for (const part of Object.values(schema)) walk(part);
  };
  const document = restDocument();
  walk(inlined(document, document.paths));
  expect(names.size).toBeGreaterThan(80);
  const hidden = [...names].filter((name) => masked({ [name]: 'um texto qualquer' })[name] === '***');
  const masksOfItsOwn = /email|document$|phone|wallet|pix_?key$|qr_code|url|destination/i;
  expect(hidden.filter((name) => !masksOfItsOwn.test(name)).sort()).toEqual(HIDDEN);
});

/**
 * Secrets, an exchange's customer number, the bodies of webhooks and of their responses, texts
 * about a dispute, booleans (a text in their place is a mistake), and containers, of which only the
 * members count.
 */
const HIDDEN = [
  ...[
    'answer',
    'answer_rejection',
    'answer_text',
    'api_key',
    'attempts',
    'body',
    'crypto',
    'customer',
    'deliveries',
    'enabled',
    'entries',
    'history',
    'last_attempt',
    'limits',
    'memo',
    'metadata',
    'night',
    'overlap',
    'payment_data',
    'pix',
    'quote',
    'rails',
  ],
  ...[
    'refunds',
    'repeat',
    'reserve',
    'reviews',
    'secret',
    'secret_key',
    'settled',
    'sources',
    'summary',
    'text',
    'transaction',
    'waits',
    'webhooks',
  ],
];

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** Warnings about fields that an operation does not have, over HTTP. */

let trilho: TestService;
let apiKey: string;
beforeAll(async () => {
  trilho = await startTestService();
  apiKey = (await trilho.openAccount({ currency: 'USDT_BSC' })).apiKey;
});
afterAll(() => trilho.stop());

const CHARGE = '/payments/transactions';
const unknown = (field: string, suggestion?: string) => ({
  ...{ field, code: 'unknown_field', message: expect.stringContaining('foi ignorado') },
  ...(suggestion !== undefined && { suggestion }),
});

describe('a charge', () => {
  test('with an unknown field is made, and its answer names the field and the likely one', async () => {
    const answer = await trilho.post(CHARGE, apiKey, { amount: 10, callbackURL: 'https://shop.example.com/x' });
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { callback_url: null } } });
    expect(answer.body.warnings).toEqual([unknown('callbackURL', 'callbackUrl')]);
    expect(answer.text).not.toContain('shop.example.com');
  });

  test('without one has no warnings', async () => {
    const { body } = await trilho.post(CHARGE, apiKey, { amount: 10 });
    expect(Object.keys(body)).toEqual(['success', 'message', 'data']);
  });

  test('that is rejected because a field is missing names the one that was sent instead', async () => {
    const { status, body } = await trilho.post(CHARGE, apiKey, { ammount: 10 });
    expect([status, body.code, body.warnings]).toEqual([400, 'invalid_amount', [unknown('ammount', 'amount')]]);
  });

  test('that is rejected for another reason has no warnings', async () => {
    const { status, body } = await trilho.post(CHARGE, apiKey, { amount: 2_000_000, colour: 'red' });
    expect([status, body.code, body.warnings]).toEqual([400, 'above_maximum', undefined]);
  });

  test('that is sent again under its Idempotency-Key is answered with the same warnings', async () => {
    const again = { 'idempotency-key': 'com-aviso' };
    const first = await trilho.post(CHARGE, apiKey, { amount: 10, colour: 'red' }, again);
    expect(first.body.warnings).toEqual([unknown('colour')]);
    const second = await trilho.post(CHARGE, apiKey, { amount: 10, colour: 'red' }, again);
    expect([second.headers.get('idempotent-replayed'), second.text]).toEqual(['true', first.text]);
  });

  test('with parameters in its address has warnings that say to send them in the body', async () => {
    const { body } = await trilho.post(`${CHARGE}?amount=10`, apiKey, {});
    expect(body).toMatchObject({ code: 'invalid_amount', warnings: [unknown('amount')] });
    const both = await trilho.post(`${CHARGE}?a=1&b=2`, apiKey, { amount: 10, c: 3 });
    expect(both.body.warnings).toEqual([unknown('c'), unknown('a'), unknown('b')]);
  });
});

test('a crypto withdrawal that lacks its wallet names the field, and the one that was sent instead', async () => {
  const { status, body } = await trilho.post('/payments/transfers/crypto', apiKey, { amount: 10, walet: '0x1' });
  expect([status, body]).toEqual([
    400,
    {
      ...{ success: false, message: 'Carteira de destino é obrigatória', code: 'wallet_required' },
      details: [{ field: 'wallet', message: 'É obrigatório.', code: 'required' }],
      warnings: [unknown('walet', 'wallet')],
    },
  ]);
});

test('a list is warned of a parameter that it does not have, whether others are right or wrong', async () => {
  const right = await trilho.get('/payments/transactions?stauts=paid&limit=1', apiKey);
  expect([right.status, right.body.warnings]).toEqual([200, [unknown('stauts', 'status')]]);
  const wrong = await trilho.get('/payments/transactions?stauts=paid&limit=x', apiKey);
  expect([wrong.status, wrong.body.warnings]).toEqual([400, [unknown('stauts', 'status')]]);
  const balance = await trilho.get('/payments/balance?account=1', apiKey);
  expect([balance.status, balance.body.warnings]).toEqual([200, [unknown('account')]]);
});

test('who may not use an operation learns nothing of its fields', async () => {
  const { status, body } = await trilho.post(CHARGE, 'no key', { callbackURL: 'x' });
  expect([status, body.warnings]).toEqual([401, undefined]);
});

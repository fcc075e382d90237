import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { setBrCode } from '#db/charges/charges.ts';
import { NO_MERCHANT_FIELDS } from '#domain/transactions/merchant-fields.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { PixRail } from '#rails/ports.ts';
import { type Answer, startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { createCharge } from './create-charge.ts';
import { NO_CUSTOMER } from './seal-texts.ts';

/** The `expiresIn` of a charge and of an invoice. */

const START = Date.parse('2026-11-20T12:00:00.000Z');
const DAY_S = 86_400;
let now = START;
let trilho: TestService;
let apiKey: string;
let accountId: string;
beforeAll(async () => {
  trilho = await startTestService({ clock: () => new Date(now) });
  ({ apiKey, accountId } = await trilho.openAccount({ currency: 'USDT_BSC' }));
});
afterAll(() => trilho.stop());

const charge = (body: object) => trilho.post('/payments/transactions', apiKey, { amount: 10, ...body });
const deposit = (body: object) => trilho.post('/payments/deposits/crypto', apiKey, { amount: 108, ...body });
const details = async (id: string) =>
  (await trilho.get(`/payments/transactions/${id}`, apiKey)).body.data as { status: string; expires_at: string };
const becomes = (id: string, status: string) =>
  trilho.until(`${id} is ${status}`, async () => ((await details(id)).status === status ? true : null));
const secondsLeft = async (answer: Answer) =>
  (Date.parse((await details(transactionIdOf(answer))).expires_at) - now) / 1000;

test('a charge that can be paid for a minute has expired after it, at the PSP and here', async () => {
  const created = await charge({ expiresIn: 60 });
  const { payment_data } = created.body.data as { payment_data: { expiration_date: string } };
  expect(payment_data.expiration_date).toBe(new Date(now + 60_000).toISOString());
  now += 61_000;
  await expect(trilho.pay(transactionIdOf(created))).rejects.toThrow();
  now += 600_000;
  await becomes(transactionIdOf(created), 'expired');
});

test('a charge that can be paid for 90 days can be paid on the last day', async () => {
  const created = await charge({ expiresIn: 90 * DAY_S });
  expect(await secondsLeft(created)).toBe(90 * DAY_S);
  now += 89 * DAY_S * 1000;
  await trilho.pay(transactionIdOf(created));
  await becomes(transactionIdOf(created), 'paid');
});

test('a charge and an invoice without an expiry of their own have the installation’s', async () => {
  expect(await secondsLeft(await charge({}))).toBe(DAY_S);
  expect(await secondsLeft(await charge({ expiresIn: null }))).toBe(DAY_S);
  expect(await secondsLeft(await deposit({}))).toBe(3600);
});

test('an invoice holds its quote for the time that it asks for, rounded up to the processor’s whole minutes', async () => {
  const created = await deposit({ expiresIn: 90 });
  expect(created.status).toBe(201);
  expect(await secondsLeft(created)).toBe(120);
  expect(await secondsLeft(await deposit({ expiresIn: 3600 }))).toBe(3600);
});

test.each([
  { what: 'a charge of less than a minute', create: charge, expiresIn: 59, text: 'de 60 a 7776000' },
  { what: 'a charge of more than 90 days', create: charge, expiresIn: 90 * DAY_S + 1, text: 'de 60 a 7776000' },
  { what: 'a charge of 60.5 seconds', create: charge, expiresIn: 60.5, text: 'inteiro' },
  { what: 'a charge whose time is a text', create: charge, expiresIn: '3600', text: 'inteiro' },
  { what: 'an invoice of less than a minute', create: deposit, expiresIn: 59, text: 'inteiro' },
  {
    what: 'an invoice whose quote is held longer than the installation says',
    create: deposit,
    expiresIn: 3601,
    text: 'de 60 a 3600',
  },
])('$what is rejected', async ({ create, expiresIn, text }) => {
  const { status, body } = await create({ expiresIn });
  expect(status).toBe(400);
  expect(body.details).toEqual([
    expect.objectContaining({ field: 'expiresIn', message: expect.stringContaining(text) }),
  ]);
});

test('another expiry under the same Idempotency-Key is rejected as another request', async () => {
  const headers = { 'idempotency-key': 'prazo' };
  const send = (expiresIn: number) => trilho.post('/payments/transactions', apiKey, { amount: 10, expiresIn }, headers);
  const first = await send(600);
  expect(transactionIdOf(await send(600))).toBe(transactionIdOf(first));
  expect((await send(601)).status).toBe(422);
});

test('an attempt to create a charge that died can be continued for what is left of its time, or cancelled', async () => {
  const { deps } = trilho;
  const terms = await findAccountTerms(deps.db.pool, accountId, new Date(now));
  if (!terms) throw new Error('The account is not there.');
  const attempt = (id: string, createOver: (rail: PixRail) => PixRail['createCharge']) => {
    const change = (rail: PixRail | null) => rail && { ...rail, createCharge: createOver(rail) };
    const pixFor: typeof deps.rails.pixFor = async (choice) => change(await deps.rails.pixFor(choice));
    const pixNamed: typeof deps.rails.pixNamed = async (name) => change(await deps.rails.pixNamed(name));
    return createCharge({ ...deps, rails: { ...deps.rails, pixFor, pixNamed } }, terms, {
      ...{ id, amountCentavos: 1000n, customer: NO_CUSTOMER, description: null, callbackUrl: null },
      ...{ expiresInSeconds: 3600, merchantFields: NO_MERCHANT_FIELDS, split: null },
    });
  };
  const asked: number[] = [];
  const recorded = (rail: PixRail) => (request: Parameters<PixRail['createCharge']>[0]) => {
    asked.push(request.expiresInSeconds);
    return rail.createCharge(request);
  };
  const dead = () => () => Promise.reject(new Error('killed'));
  const ids = [0, 1, 2, 3].map((ms) => uuidv7(new Date(now + ms))) as [string, string, string, string];
  const [first, second, third, shown] = ids;
  const end = new Date(now + 3_600_000);
  for (const id of ids) await expect(attempt(id, dead)).rejects.toThrow('killed');
  const cancel = (id: string) => trilho.post(`/payments/transactions/${id}/cancel`, apiKey, {});
  now += 59_000;
  expect((await cancel(third)).status).toBe(400);
  now += 2_941_000;
  // The PSP knows no such charge, so it can't be paid.
  expect((await cancel(third)).status).toBe(200);
  // A code that somebody may hold was made by a PSP that can't have lost it for good.
  await setBrCode(deps.db.pool, shown, 'a code');
  expect((await cancel(shown)).status).toBe(400);
  expect(await details(shown)).toMatchObject({ status: 'pending' });
  await expect(attempt(third, recorded)).rejects.toMatchObject({ code: 'charge_not_created' });
  expect(await attempt(first, recorded)).toMatchObject({ expiresAt: end });
  now += 600_000;
  await expect(attempt(second, recorded)).rejects.toMatchObject({ code: 'charge_not_created' });
  expect(asked).toEqual([600]);
  expect(await details(second)).toMatchObject({ status: expect.stringMatching(/^(failed|expired)$/) });
});

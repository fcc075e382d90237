import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Psp } from '#domain/providers/providers.ts';
import { createSandboxSetup, type RunningSandbox, type SandboxSetup, SHOP } from '#sandbox/testing/running-sandbox.ts';
import { checkPsp, type PspCheck } from './check-psp.ts';

let setup: SandboxSetup;
let psp: RunningSandbox;

beforeAll(async () => {
  setup = await createSandboxSetup();
  psp = await setup.startSandbox();
});
afterAll(() => setup.close());

const check = (options: Partial<Parameters<typeof checkPsp>[0]> = {}, name?: Psp) =>
  checkPsp({ ...SHOP, baseUrl: psp.url, payoutUrl: psp.url, disputesUrl: psp.url, clock: setup.now, ...options }, name);

const answersOf = ({ findings }: PspCheck) =>
  Object.fromEntries(findings.map((finding) => [finding.name, finding.answer]));

test('a check finds at the wire what the sandbox has and what it lacks', async () => {
  const found = await check();
  expect(answersOf(found)).toMatchObject({
    cob: 'can',
    refunds: 'can',
    list: 'can',
    webhook: 'can',
    cobv: 'cannot',
    lotecobv: 'cannot',
    rec: 'cannot',
    cobr: 'cannot',
    solicrec: 'cannot',
    payouts: 'can',
    disputes: 'can',
    balance: 'can',
    webhookMtls: 'not_asked',
  });
  expect(found).toMatchObject({ profile: null, otherAddress: null });
});

test('an answer that contradicts the profile is marked, and one that no document is about is not', async () => {
  const { profile, otherAddress, findings } = await check({}, 'inter');
  expect(profile?.name).toBe('Inter');
  const of = (name: string) => findings.find((finding) => finding.name === name);
  // The sandbox is not where Inter is.
  expect(otherAddress?.value).toBe('https://cdpj.partners.bancointer.com.br/pix/v2');
  expect(of('cobv')).toMatchObject({ answer: 'cannot', differs: true, documented: { value: true } });
  expect(of('payouts')).toMatchObject({ answer: 'can', differs: false });
  expect(of('disputes')).toMatchObject({ answer: 'can', differs: false, documented: null });
});

test('with wrong credentials nothing is allowed, and the PSP can’t be used', async () => {
  const found = await check({ clientSecret: 'wrong' });
  expect(found.isUsable).toBe(false);
  expect(answersOf(found)).toMatchObject({ cob: 'not_allowed', refunds: 'not_allowed', webhook: 'not_allowed' });
});

test('a PSP that fails counts as not having answered, and can’t be used', async () => {
  await psp.control('PUT', '/switches', { name: 'pix.query', value: 'error' });
  const found = await check();
  await psp.control('PUT', '/switches', { name: 'pix.query', value: 'ok' });
  expect(answersOf(found)).toMatchObject({ cob: 'no_answer', refunds: 'no_answer', webhook: 'can' });
  expect(found.isUsable).toBe(false);
});

test('a check changes nothing at the PSP', async () => {
  const count = async () => {
    const tables = ['cobs', 'payments', 'refunds', 'payouts', 'disputes', 'webhooks', 'callbacks', 'due_steps'];
    const sql = tables.map((table) => `(SELECT count(*) FROM sandbox.${table})`).join(' + ');
    return (await setup.pool.query(`SELECT ${sql} AS rows`)).rows;
  };
  const before = await count();
  await check();
  expect(await count()).toEqual(before);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewWithdrawal } from '#services/withdrawals/preview-withdrawal.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { setSignUpPolicy } from '../members/sign-up-policy.ts';
import { listRails, switchRail } from './switch-rail.ts';

let first: TestService;
/** Another process of the same installation. */
let second: TestService;
let accountId: string;
let apiKey: string;

beforeAll(async () => {
  first = await startTestService();
  second = await startTestService({ beside: first });
  ({ accountId, apiKey } = await first.openAccount({ currency: 'USDT_BSC' }));
  await pay(await charge(first, 100));
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const operator = () => ({ ...first.deps, operator: 'ana' });
const send = (process: TestService, body: object, key = String(Math.random())) =>
  process.post('/payments/transfers/pix', apiKey, body, { 'idempotency-key': key });
const WITHDRAWAL = { amount: 10, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
const charge = async (process: TestService, amount: number) =>
  transactionIdOf(await process.post('/payments/transactions', apiKey, { amount }));
const statusOf = async (id: string) =>
  ((await first.get(`/payments/transactions/${id}`, apiKey)).body.data as { status: string }).status;
const reaches = (id: string, status: string) =>
  first.until(`${id} is ${status}`, async () => (await statusOf(id)) === status || null);
async function pay(id: string): Promise<void> {
  await first.pay(id);
  await reaches(id, 'paid');
}
const heldCentavos = async () => {
  const { rows } = await first.deps.db.pool.query(
    "SELECT balance_centavos AS held FROM ledger_accounts WHERE account_id = $1 AND kind = 'blocked'",
    [accountId],
  );
  return rows[0].held as bigint;
};

test('a rail that is off accepts no new request in any process, and the rejected request executes once it is on', async () => {
  await switchRail(operator(), { rail: 'pix_out', reason: 'Banco fora do ar' });
  const held = await heldCentavos();
  for (const process of [first, second]) {
    const answer = await send(process, WITHDRAWAL, 'again');
    expect([answer.status, answer.body.message]).toEqual([503, expect.stringContaining('Banco fora do ar')]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await heldCentavos()).toBe(held);
  const plan = { type: 'pix_out', amountCentavos: 1_000n } as const;
  expect((await previewWithdrawal(first.deps, accountId, plan)).errors).toEqual(['rail_closed']);
  // The others are on.
  expect((await first.post('/payments/transactions', apiKey, { amount: 5 })).status).toBe(200);
  const metrics = await (await fetch(`${first.operationsUrl}/metrics`)).text();
  expect(metrics).toContain('trilho_rail_closed{rail="pix_out"} 1');
  // Apart from the other 503s, of which there is an alert.
  expect(metrics).toMatch(/^trilho_rail_closed_rejections_total 1$/m);

  expect(await switchRail(operator(), { rail: 'pix_out', reason: 'de novo' })).toBe(false);
  expect(await switchRail(operator(), { rail: 'pix_out', reason: null })).toBe(true);
  const answer = await send(second, WITHDRAWAL, 'again');
  expect(answer.status).toBe(200);
  await reaches(transactionIdOf(answer), 'paid');
});

test('an earlier charge is credited, and a withdrawal that holds money is sent, while their rails are off', async () => {
  const id = await charge(first, 20);
  await first.setSwitch('pix.payout', 'silent_done');
  const withdrawal = transactionIdOf(await send(first, WITHDRAWAL));
  for (const rail of ['pix_in', 'pix_out'] as const) await switchRail(operator(), { rail, reason: 'Manutenção' });
  // A cached key is looked up again.
  for (const process of [first, second]) {
    await process.until('charges are off', async () => {
      const { status } = await process.post('/payments/transactions', apiKey, { amount: 5 });
      return status === 503 || null;
    });
  }
  await first.setSwitch('pix.payout', 'done');
  await pay(id);
  await reaches(withdrawal, 'paid');
  for (const rail of ['pix_in', 'pix_out'] as const) await switchRail(operator(), { rail, reason: null });
});

test('the audit has who switched a rail and why, and a change that can’t be audited is not made', async () => {
  const { rows } = await first.deps.db.pool.query(
    "SELECT merchant_id, action, details FROM audit_records WHERE action LIKE 'rail.%' ORDER BY id LIMIT 2",
  );
  expect(rows).toEqual([
    {
      merchant_id: null,
      action: 'rail.closed',
      details: { subject: 'pix_out', reason: 'Banco fora do ar', operator: 'ana' },
    },
    { merchant_id: null, action: 'rail.opened', details: { subject: 'pix_out', operator: 'ana' } },
  ]);
  await first.asOwner('ALTER TABLE audit_records ADD CONSTRAINT no_more CHECK (false) NOT VALID');
  try {
    await expect(switchRail(operator(), { rail: 'crypto_in', reason: 'x' })).rejects.toThrow();
    await expect(setSignUpPolicy(operator(), 'closed')).rejects.toThrow();
  } finally {
    await first.asOwner('ALTER TABLE audit_records DROP CONSTRAINT no_more');
  }
  expect((await listRails(first.deps)).filter(({ closed }) => closed)).toEqual([]);
});

import { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectOwn, fundOver } from '#db/testing/ledger-fixture.ts';
import { payeeOf } from '#sandbox/pix/payee-of.ts';
import { onTestClock } from '#services/accounts/on-test-clock.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

let service: TestService;
/** By day in São Paulo, then moved. */
let now = new Date('2026-11-20T15:00:00.000Z');

beforeAll(async () => {
  service = await startTestService({ clock: () => now });
});
afterAll(() => service.stop());

/** An account with R$ 1.000,00 and a panel to read it. */
async function merchant(input: Parameters<TestService['openAccount']>[0] = {}) {
  const { accountId, apiKey } = await service.openAccount({ currency: 'USDT_BSC', ...input });
  await makePaidCharge(service, apiKey, { amount: 1000 });
  return { accountId, panel: await panelCaller(service.deps, accountId) };
}

describe('what a PIX withdrawal would cost', () => {
  test('the fee comes on top, and the sums are those of the withdrawal itself', async () => {
    const { panel } = await merchant({ fees: [{ type: 'pix_out', fee: { bps: 50, fixedCentavos: 100n } }] });
    const preview = await panel.withdrawalPreview.get({ kind: 'pix', amount: 400.1 });
    expect(preview).toMatchObject({
      received: 400.1,
      fee: { percent: 0.5, fixed: 1, amount: 3 },
      total: 403.1,
      available: 1000,
      remaining: 596.9,
      errors: [],
      quote: null,
    });
    const sent = await panel.withdrawals.pix({ amount: 400.1, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' });
    expect(sent.data).toMatchObject({ amount_fees: preview.fee.amount, amount_total: preview.total });
    expect((await panel.balance.get({})).data.available_balance).toBe(preview.remaining);
  });

  test('without an amount it shows what applies to any', async () => {
    const { panel } = await merchant({ limits: [{ name: 'maximal_value_out_pix', centavos: 500_00n }] });
    expect(await panel.withdrawalPreview.get({ kind: 'pix', amount: null })).toMatchObject({
      received: null,
      total: null,
      remaining: null,
      available: 1000,
      minimum: 1,
      maximum: 500,
      errors: [],
    });
  });

  test('limits are shown with what is used, and by night the night’s own', async () => {
    const { panel } = await merchant({
      limits: [
        { name: 'daily_limit_out_pix', centavos: 600_00n },
        { name: 'night_limit_out_pix', centavos: 100_00n },
      ],
    });
    await panel.withdrawals.pix({ amount: 350, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' });
    const byDay = await panel.withdrawalPreview.get({ kind: 'pix', amount: 250 });
    expect(byDay.errors).toEqual([]);
    expect(byDay.limits).toEqual([
      { name: 'daily', limit: 600, used: 350, left: 250, counts_now: true, ends_at: '2026-11-21T03:00:00.000Z' },
      { name: 'night', limit: 100, used: 0, left: 100, counts_now: false, ends_at: null },
    ]);
    expect((await panel.withdrawalPreview.get({ kind: 'pix', amount: 250.01 })).errors).toEqual([
      'daily_limit_reached',
    ]);
    now = new Date('2026-11-20T23:30:00.000Z');
    const byNight = await panel.withdrawalPreview.get({ kind: 'pix', amount: 250 });
    expect(byNight.errors).toEqual(['night_limit_reached']);
    expect(byNight.limits[1]).toMatchObject({ counts_now: true, ends_at: '2026-11-21T09:00:00.000Z' });
    now = new Date('2026-11-20T23:40:00.000Z');
  });

  test.each([
    ['more than there is', {}, 1000.01],
    ['below the minimum', { limits: [{ name: 'minimal_value_out_pix', centavos: 50_00n }] }, 49.99],
    ['above the maximum', { limits: [{ name: 'maximal_value_out_pix', centavos: 50_00n }] }, 50.01],
    ['a rail that is off', { inactiveRails: ['pix_out' as const] }, 10],
    ['not verified', { kycStatus: 'pending' as const, mode: 'live' as const }, 10],
  ])('%s: it says beforehand what the withdrawal would be rejected for', async (_what, input, amount) => {
    const { accountId, panel } = await merchant({ ...input, kycStatus: 'approved' });
    if ('kycStatus' in input) {
      await service.deps.db.pool.query(
        `UPDATE merchants SET kyc_status = 'pending' WHERE id = (SELECT merchant_id FROM accounts WHERE id = $1)`,
        [accountId],
      );
    }
    const { errors } = await panel.withdrawalPreview.get({ kind: 'pix', amount });
    const rejected = await panel.withdrawals
      .pix({ amount, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' })
      .catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(TRPCError);
    expect(errors[0]).toBe(((rejected as TRPCError).cause as unknown as { code: string }).code);
  });

  test('a member whose withdrawals are paused sees until when', async () => {
    const { accountId } = await merchant();
    const until = new Date(now.getTime() + 3_600_000);
    const panel = await panelCaller(service.deps, accountId, { withdrawalsBlockedUntil: until });
    expect(await panel.withdrawalPreview.get({ kind: 'pix', amount: 10 })).toMatchObject({
      errors: ['withdrawals_paused'],
      paused_until: until.toISOString(),
    });
    // The pause is of a person: the clock of a test account does not end it.
    const ahead = onTestClock(service.deps, { accountId, aheadMs: 7_200_000 });
    const moved = await panelCaller(ahead, accountId, { withdrawalsBlockedUntil: until });
    expect((await moved.withdrawalPreview.get({ kind: 'pix', amount: 10 })).errors).toEqual(['withdrawals_paused']);
    const later = await panelCaller(service.deps, accountId, { withdrawalsBlockedUntil: now });
    expect((await later.withdrawalPreview.get({ kind: 'pix', amount: 10 })).errors).toEqual([]);
  });
});

describe('what a crypto withdrawal would bring', () => {
  test('the fee is taken out of the amount, the rest is bought at the quote', async () => {
    const { panel } = await merchant({ fees: [{ type: 'crypto_out', fee: { bps: 150, fixedCentavos: 0n } }] });
    const preview = await panel.withdrawalPreview.get({ kind: 'crypto', amount: 540, currency: 'USDT_BSC' });
    expect(preview).toMatchObject({
      received: 531.9,
      fee: { percent: 1.5, fixed: 0, amount: 8.1 },
      total: 540,
      remaining: 460,
      quote: { currency: 'USDT_BSC', price: 5.4, crypto_amount: '98.5' },
      memo: 'none',
      errors: [],
    });
    expect(preview.quote?.sources).toHaveLength(3);
    const sent = await panel.withdrawals.crypto({ amount: 540, wallet: WALLET, currency: 'USDT_BSC' });
    expect(sent.data).toMatchObject({ crypto_amount: 98.5, net_amount_brl: preview.received });
  });

  test('a currency whose memo the provider can’t send is marked', async () => {
    const { panel } = await merchant();
    const { memo } = await panel.withdrawalPreview.get({ kind: 'crypto', amount: 540, currency: 'TON' });
    expect(memo).toBe('not_sent');
  });

  test('without a quote it says so, and shows everything else', async () => {
    const { panel } = await merchant();
    now = new Date(now.getTime() + 600_000);
    await service.setSwitch('quotes', 'down');
    const preview = await panel.withdrawalPreview.get({ kind: 'crypto', amount: 100, currency: 'USDT_BSC' });
    await service.setSwitch('quotes', 'ok');
    expect(preview).toMatchObject({ quote: null, errors: ['quote_unavailable'], total: 100, remaining: 900 });
  });

  test('what came over credentials of the account’s own is named apart, and is not available', async () => {
    const { accountId, panel } = await merchant();
    const { pool } = service.deps.db;
    const account = { id: accountId, mode: 'test' } as const;
    await fundOver(pool, account, await connectOwn(pool, account), 300_00n);
    const figures = { available: 1000, at_own_provider: 300 };
    expect(await panel.withdrawalPreview.get({ kind: 'pix', amount: 1000 })).toMatchObject({ ...figures, errors: [] });
    expect(await panel.withdrawalPreview.get({ kind: 'pix', amount: 1000.01 })).toMatchObject({
      ...figures,
      remaining: -0.01,
      errors: ['insufficient_funds'],
    });
    const file = 'valor;chave;tipo_chave;descricao\n1200,00;maria@example.com;EMAIL;';
    expect(await panel.batches.preview({ file })).toMatchObject({ ...figures, total: 1200 });
  });

  test('another account’s balance is never in it', async () => {
    await merchant();
    const { accountId } = await service.openAccount();
    const panel = await panelCaller(service.deps, accountId);
    expect(await panel.withdrawalPreview.get({ kind: 'pix', amount: 10 })).toMatchObject({
      available: 0,
      errors: ['insufficient_funds'],
    });
  });
});

/** How far the clock moves with each poll, so that the provider finishes and is asked about it. */
const LOOK_MS = 500;

describe('who received the last PIX to a key', () => {
  const key = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' } as const;
  const receiver = { name: payeeOf(key.pixKey).nome, document: expect.stringMatching(/^\*{3}\./) };
  type Panel = Awaited<ReturnType<typeof merchant>>['panel'];
  const send = async (
    panel: Panel,
    status: string,
    amount = 10,
    to: typeof key | { pixKey: string; pixKeyType: string } = key,
  ) => {
    const { data } = await panel.withdrawals.pix({ amount, ...to });
    return service.until(`the withdrawal is ${status}`, async () => {
      now = new Date(now.getTime() + LOOK_MS);
      const found = await panel.detail.get({ transaction_id: data.transaction_id });
      return found.transaction.status === status ? found : null;
    });
  };

  test('is read from the account’s own paid withdrawals, however the key is written, and never from another’s', async () => {
    const [own, other] = [await merchant(), await merchant()];
    expect(await own.panel.withdrawalPreview.lastReceiver(key)).toEqual({ receiver: null });
    const sent = await send(own.panel, 'paid');
    expect(sent.receiver).toEqual(receiver);
    expect(
      await own.panel.withdrawalPreview.lastReceiver({ pixKey: ' Maria@Example.com ', pixKeyType: 'email' }),
    ).toEqual({ receiver: { ...receiver, paid_at: sent.transaction.paid_at } });
    expect(await other.panel.withdrawalPreview.lastReceiver(key)).toEqual({ receiver: null });
    const { rows } = await service.deps.db.pool.query<{ name: string; indexes: string }>(
      `SELECT receiver_name AS name, (SELECT count(DISTINCT pix_key_index)::text FROM transactions) AS indexes
       FROM transactions WHERE id = $1`,
      [sent.transaction.transaction_id],
    );
    expect(rows[0]?.name).toMatch(/^v1\./);

    // What the other account sends to the same key is found by that account alone, by another
    // index.
    await send(other.panel, 'paid');
    const { rows: after } = await service.deps.db.pool.query<{ indexes: string }>(
      'SELECT count(DISTINCT pix_key_index)::text AS indexes FROM transactions',
    );
    expect(Number(after[0]?.indexes)).toBe(Number(rows[0]?.indexes) + 1);
    expect((await other.panel.withdrawalPreview.lastReceiver(key)).receiver).toMatchObject(receiver);
  });

  test('is null where the last one failed, though its detail names the key’s owner', async () => {
    const { panel } = await merchant();
    await service.setSwitch('pix.payout', 'refused');
    const failed = await send(panel, 'failed', 10, { pixKey: '12345678909', pixKeyType: 'CPF' });
    await service.setSwitch('pix.payout', 'done');
    expect(failed.receiver).toEqual({ name: payeeOf('12345678909').nome, document: '***.456.789-**' });
    expect(await panel.withdrawalPreview.lastReceiver({ pixKey: '123.456.789-09', pixKeyType: 'CPF' })).toEqual({
      receiver: null,
    });
  });
});

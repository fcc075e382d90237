import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxCommand } from '#domain/sandbox/sandbox-commands.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';

/**
 * The sandbox's controls in the panel, from the procedure to the status of the transaction, with
 * callbacks and workers in between.
 */

let aheadMs = 0;
let demo: TestService;
/** A real installation, where merchants share the sandbox. */
let shared: TestService;
beforeAll(async () => {
  demo = await startTestService({ clock: () => new Date(Date.now() + aheadMs), variables: { DEMO: 'true' } });
  shared = await startTestService({ variables: { DEMO: 'false' } });
});
afterAll(async () => {
  await demo.stop();
  await shared.stop();
});
afterEach(() => demo.setSwitch('pix.callback', 'once'));

async function merchant(service: TestService, mode: 'live' | 'test' = 'test') {
  const account = await service.openAccount({ mode, currency: 'USDT_BSC' });
  const panel = await panelCaller(service.deps, account.accountId);
  const create = async (path: string, body: object) => {
    const answer = await service.post(path, account.apiKey, body);
    expect(answer.status).toBeLessThan(300);
    return transactionIdOf(answer);
  };
  return {
    ...account,
    panel,
    charge: (amount = 37) => create('/payments/transactions', { amount }),
    /** R$ 108.00 are 20 USDT. */
    invoice: () => create('/payments/deposits/crypto', { amount: 108 }),
    command: (
      transaction_id: string,
      command: SandboxCommand,
      more: { amount?: number; share_percent?: number } = {},
    ) => panel.sandbox.command({ transaction_id, command, ...more }),
    becomes: (transaction_id: string, status: string, subStatus: string | null = null) =>
      service.until(`${transaction_id} is ${status} ${subStatus ?? ''}`, async () => {
        const found = await panel.sandbox.subject({ transaction_id });
        return found.status === status && found.sub_status === subStatus ? found : null;
      }),
  };
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error) => ({ code: error.cause?.code, why: error.cause?.params?.why }),
  );

describe('a PIX charge', () => {
  test('is paid, and paid a second time', async () => {
    const shop = await merchant(demo);
    const id = await shop.charge();
    expect((await shop.panel.sandbox.subjects()).subjects.map((one) => one.transaction_id)).toEqual([id]);
    await shop.command(id, 'pay');
    expect((await shop.becomes(id, 'paid')).commands).toEqual(['pay_again']);
    expect((await shop.panel.sandbox.subjects()).subjects).toEqual([]);
    await shop.command(id, 'pay_again');
    await demo.until('the second payment waits in review', async () => {
      const { transaction } = await shop.panel.detail.get({ transaction_id: id });
      return transaction.reviews.find(({ reason }) => reason === 'second_payment');
    });
  });

  test('that is paid with another amount goes to review', async () => {
    const shop = await merchant(demo);
    const id = await shop.charge();
    await shop.command(id, 'pay_other', { amount: 18.5 });
    await shop.becomes(id, 'review');
    expect((await shop.panel.detail.get({ transaction_id: id })).transaction.reviews).toMatchObject([
      { reason: 'amount_differs', expected_amount: 37, received_amount: 18.5 },
    ]);
  });

  test('is not paid with another amount when none is given', async () => {
    const shop = await merchant(demo);
    expect(await errorOf(shop.command(await shop.charge(), 'pay_other'))).toMatchObject({ code: 'invalid_input' });
  });

  test('expires after its grace period, can’t be paid before that, and is paid late after it', async () => {
    const shop = await merchant(demo);
    const id = await shop.charge();
    const { expires_at } = await shop.command(id, 'expire');
    expect(Date.parse(expires_at ?? '')).toBeLessThanOrEqual(demo.deps.clock().getTime());
    expect(await errorOf(shop.command(id, 'pay'))).toEqual({ code: 'invalid_state', why: 'expired' });
    expect((await shop.panel.sandbox.subject({ transaction_id: id })).status).toBe('pending');
    aheadMs += 10_000;
    expect((await shop.becomes(id, 'expired')).commands).toEqual(['pay_late']);
    await shop.command(id, 'pay_late');
    await shop.becomes(id, 'paid');
  });

  test('that the PSP removes is cancelled without a callback', async () => {
    const shop = await merchant(demo);
    const id = await shop.charge();
    await shop.command(id, 'remove');
    expect((await shop.becomes(id, 'cancelled')).commands).toEqual([]);
    expect(await errorOf(shop.command(id, 'pay'))).toEqual({ code: 'invalid_state', why: 'removed' });
  });

  test('whose cents say that it can’t be paid is rejected with the reason', async () => {
    const shop = await merchant(demo);
    expect(await errorOf(shop.command(await shop.charge(37.02), 'pay'))).toEqual({
      code: 'invalid_state',
      why: 'never_paid',
    });
  });

  test('of a live account of a demonstration is controlled too', async () => {
    const shop = await merchant(demo, 'live');
    const id = await shop.charge();
    await shop.command(id, 'pay');
    await shop.becomes(id, 'paid');
  });
});

describe('a crypto invoice', () => {
  test('is paid in part, then the rest unconfirmed, then confirmed', async () => {
    const shop = await merchant(demo);
    const id = await shop.invoice();
    await shop.command(id, 'pay_part', { share_percent: 25 });
    await shop.becomes(id, 'pending', 'partial');
    await shop.command(id, 'pay_unconfirmed');
    expect((await shop.becomes(id, 'pending', 'detected')).commands).toEqual(['confirm']);
    await shop.command(id, 'confirm');
    await shop.becomes(id, 'completed');
    expect(await errorOf(shop.command(id, 'confirm'))).toEqual({ code: 'invalid_state', why: 'nothing_waits' });
  });

  test('expires at once, and is paid late', async () => {
    const shop = await merchant(demo);
    const id = await shop.invoice();
    await shop.command(id, 'expire');
    await shop.becomes(id, 'expired');
    await shop.command(id, 'pay_late');
    await shop.becomes(id, 'completed', 'late');
  });
});

describe('the controls reach no further than they may', () => {
  test('another account’s transaction is not found, like one that does not exist', async () => {
    const [shop, other] = [await merchant(demo), await merchant(demo)];
    const id = await shop.charge();
    for (const wanted of [id, '0191f3c2-0000-7000-8000-000000000000', 'x']) {
      expect(await errorOf(other.command(wanted, 'pay'))).toMatchObject({ code: 'not_found' });
      expect(await errorOf(other.command(wanted, 'expire'))).toMatchObject({ code: 'not_found' });
      expect(await errorOf(other.panel.sandbox.subject({ transaction_id: wanted }))).toMatchObject({
        code: 'not_found',
      });
    }
    expect((await other.panel.sandbox.subjects()).subjects).toEqual([]);
    expect((await shop.panel.sandbox.subject({ transaction_id: id })).status).toBe('pending');
  });

  test('a transaction of a real provider is left alone, whatever the command', async () => {
    const shop = await merchant(demo);
    for (const rail of ['psp', 'plisio', 'own-sandbox', 'sandboxed']) {
      const id = await shop.charge();
      const before = (await shop.panel.sandbox.subject({ transaction_id: id })).expires_at;
      await demo.deps.db.pool.query('UPDATE transactions SET rail = $2 WHERE id = $1', [id, rail]);
      expect((await shop.panel.sandbox.subject({ transaction_id: id })).commands).toEqual([]);
      for (const command of ['pay', 'expire', 'remove', 'pay_again'] as const) {
        expect(await errorOf(shop.command(id, command))).toEqual({ code: 'invalid_state', why: 'not_sandbox' });
      }
      expect(await shop.panel.sandbox.subject({ transaction_id: id })).toMatchObject({
        status: 'pending',
        expires_at: before,
      });
    }
    expect((await shop.panel.sandbox.subjects()).subjects).toEqual([]);
  });

  test('a live account of a real installation has no sandbox at all', async () => {
    const shop = await merchant(shared, 'live');
    expect(await shop.panel.sandbox.state()).toEqual({ available: false, switches: null, may_switch: false });
    expect((await shop.panel.sandbox.subjects()).subjects).toEqual([]);
  });
});

describe('the switches of the whole sandbox', () => {
  test('may be set by members in test mode of a demonstration, and the audit has the change', async () => {
    const shop = await merchant(demo);
    const state = await shop.panel.sandbox.setSwitch({ name: 'pix.callback', value: 'never' });
    expect(state).toMatchObject({ available: true, may_switch: true, switches: { 'pix.callback': 'never' } });
    const { rows } = await demo.deps.db.pool.query('SELECT action, details FROM audit_records WHERE account_id = $1', [
      shop.accountId,
    ]);
    expect(rows).toEqual([{ action: 'sandbox.switch_set', details: { name: 'pix.callback', value: 'never' } }]);
  });

  test.each([
    { name: 'pix.callback', value: 'sometimes' },
    { name: 'pix.nothing', value: 'ok' },
  ])('reject %o', async (wrong) => {
    const shop = await merchant(demo);
    expect(await errorOf(shop.panel.sandbox.setSwitch(wrong))).toMatchObject({ code: 'invalid_input' });
  });

  test('can’t be set for live accounts, nor where merchants share them', async () => {
    const change = { name: 'pix.callback', value: 'never' };
    for (const shop of [await merchant(demo, 'live'), await merchant(shared)]) {
      expect((await shop.panel.sandbox.state()).may_switch).toBe(false);
      expect(await errorOf(shop.panel.sandbox.setSwitch(change))).toEqual({ code: 'invalid_state', why: 'shared' });
    }
    const shop = await merchant(shared);
    expect((await shop.panel.sandbox.state()).switches).toMatchObject({ 'pix.callback': 'once' });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#services/manage-api-keys.ts';
import { linkIn, messagesOf, openMember, PASSWORD, type PanelBrowser } from '../../testing/panel-browser.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { panelRouter } from '../procedures/panel-router.ts';
import type { ProcedureMeta } from '../procedures/procedure.ts';

const DAY_MS = 24 * 3_600_000;
const NEW_PASSWORD = 'uma outra frase, bem diferente';

let aheadMs = 0;
let service: TestService;
/** Another process of the same installation. */
let other: TestService;
beforeAll(async () => {
  const clock = () => new Date(Date.now() + aheadMs);
  service = await startTestService({ clock });
  other = await startTestService({
    clock,
    beside: service,
    variables: { ROLE: 'web', SANDBOX_URL: `${service.url}/sandbox` },
  });
});
afterAll(async () => {
  await other?.stop();
  await service?.stop();
});

let people = 0;

/** A verified merchant with R$ 100 in its test account, its member, and a charge that can be given back. */
async function merchant() {
  const email = `pausada-${++people}@example.com`;
  const { browser } = await openMember(service, email);
  const { account_id: accountId } = (await browser.ask('session.me')).data as { account_id: string };
  await service.deps.db.pool.query(
    `UPDATE merchants SET kyc_status = 'approved' WHERE id = (SELECT merchant_id FROM accounts WHERE id = $1)`,
    [accountId],
  );
  const operatorKey = await operatorsKey(accountId);
  const created = await service.post('/payments/transactions', operatorKey, { amount: 100 });
  const { transaction_id: chargeId } = created.body.data as { transaction_id: string };
  await service.pay(chargeId);
  await service.until('the money is there', async () =>
    (await service.get('/payments/balance', operatorKey)).text.includes('"available_balance":100') ? true : null,
  );
  return { email, browser, accountId, chargeId, operatorKey };
}

async function operatorsKey(accountId: string): Promise<string> {
  const made = await createApiKey(service.deps, { accountId, name: 'Operador' });
  if (!made) throw new Error(`There is no account ${accountId}.`);
  return made.apiKey;
}

const keyInput = {
  name: 'ERP',
  permissions: ['withdrawals:write', 'refunds:write'],
  allowed_ips: [],
  expires_at: null,
};

async function confirmed(browser: PanelBrowser, password = PASSWORD): Promise<void> {
  expect((await browser.call('session.confirm', { password })).status).toBe(200);
}

/** What whoever has the mailbox does first. */
async function resetPassword(browser: PanelBrowser, email: string): Promise<void> {
  await browser.post('/api/auth/request-password-reset', { email });
  const link = await service.until('the link', async () => {
    const message = messagesOf(service).find((text) => text.includes(`To: ${email}`) && text.includes('/senha/nova'));
    return message ? linkIn(message) : null;
  });
  const token = new URL(link, service.url).searchParams.get('token');
  const reset = await browser.post('/api/auth/reset-password', { token, newPassword: NEW_PASSWORD });
  expect([reset.status, (await browser.signIn(email, NEW_PASSWORD)).status]).toEqual([200, 200]);
}

/** What a key gets for money out of each kind, from a process. */
async function moneyOut(process: TestService, key: string, chargeId: string) {
  const answers = [
    await process.post('/payments/transfers/pix', key, { amount: 1, pixKey: 'a@example.com', pixKeyType: 'EMAIL' }),
    await process.post('/payments/transfers/crypto', key, {
      amount: 20,
      wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
      currency: 'USDT_BSC',
    }),
    await process.post(`/payments/transactions/${chargeId}/refund`, key, { amount: 1 }),
  ];
  return answers.map(({ status, body }) => ({ status, body }));
}

describe('after a new password by mail', () => {
  test('a member makes, shows and changes nothing that moves money or protects it, and may still secure himself', async () => {
    const { email, browser } = await merchant();
    await confirmed(browser);
    const made = (await browser.call('keys.create', keyInput)).data as { key: { key_id: string } };
    await resetPassword(browser, email);
    await confirmed(browser, NEW_PASSWORD);

    const procedures = Object.entries(
      panelRouter._def.procedures as unknown as Record<string, { _def: { meta?: ProcedureMeta } }>,
    );
    const guarded = procedures.flatMap(([name, { _def }]) => (_def.meta?.confirm ? [name] : []));
    expect(guarded).toEqual(expect.arrayContaining(['keys.create', 'webhooks.setEndpoint', 'transactions.refund']));
    for (const name of guarded) {
      expect([name, (await browser.call(name, {})).reason]).toEqual([name, 'withdrawals_paused']);
    }
    const posts = [
      ['/two-factor/enable', { password: NEW_PASSWORD }],
      ['/two-factor/disable', { password: NEW_PASSWORD }],
      ['/two-factor/verify-totp', { code: '123456' }],
      ['/two-factor/generate-backup-codes', { password: NEW_PASSWORD }],
      ['/passkey/verify-registration', { response: {} }],
      ['/passkey/delete-passkey', { id: 'x' }],
    ] as const;
    for (const [path, body] of posts) {
      const { status, body: answer } = await browser.post(`/api/auth${path}`, body);
      expect([path, status, answer.data]).toEqual([
        path,
        403,
        expect.objectContaining({ reason: 'withdrawals_paused' }),
      ]);
    }
    expect((await browser.get('/api/auth/passkey/generate-register-options')).status).toBe(403);

    expect((await browser.call('keys.revoke', { key_id: made.key.key_id })).status).toBe(200);
    expect((await browser.call('security.endOtherSessions')).status).toBe(200);
    const change = { currentPassword: NEW_PASSWORD, newPassword: 'a terceira frase, só minha' };
    expect((await browser.post('/api/auth/change-password', change)).status).toBe(200);
  });

  test('the keys of his making send no money in any process, the operator’s do, and all do a day later', async () => {
    const { email, browser, accountId, chargeId, operatorKey } = await merchant();
    const rotatedFrom = await operatorsKey(accountId);
    await confirmed(browser);
    const { api_key: own } = (await browser.call('keys.create', keyInput)).data as { api_key: string };
    const { keys } = (await browser.ask('keys.list')).data as { keys: { key_id: string; last_four: string }[] };
    const rotatedId = keys.find(({ last_four }) => rotatedFrom.endsWith(last_four))?.key_id;
    const rotation = await browser.call('keys.rotate', { key_id: rotatedId, overlap_hours: 1 });
    const { api_key: rotated } = rotation.data as { api_key: string };
    // Every process knows the keys from now on.
    for (const process of [service, other])
      for (const key of [own, rotated, operatorKey]) await process.get('/payments/limits', key);

    await resetPassword(browser, email);
    const { withdrawals_paused_until: until } = (await browser.ask('session.me')).data as {
      withdrawals_paused_until: string;
    };
    for (const process of [service, other]) {
      for (const key of [own, rotated]) {
        const [pix, crypto, refund] = await moneyOut(process, key, chargeId);
        const message = expect.stringContaining(until);
        const body = { success: false, error: 'Saques e devoluções pausados', message, paused_until: until };
        expect([pix, refund]).toEqual([
          { status: 403, body },
          { status: 403, body },
        ]);
        expect(crypto).toEqual({ status: 403, body: { success: false, message: body.error, paused_until: until } });
        // Anything else goes on.
        expect((await process.post('/payments/transactions', rotated, { amount: 5 })).status).toBe(200);
      }
    }
    const refused = await service.deps.db.pool.query(
      `SELECT FROM transactions WHERE account_id = $1 AND type IN ('pix_out', 'crypto_out')`,
      [accountId],
    );
    expect(refused.rowCount).toBe(0);
    expect((await moneyOut(other, operatorKey, chargeId)).map(({ status }) => status)).toEqual([200, 200, 200]);

    aheadMs += DAY_MS + 1_000;
    expect((await moneyOut(service, own, chargeId)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

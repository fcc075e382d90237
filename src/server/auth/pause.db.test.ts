import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '#db/testing/add-member.ts';
import { setAccount } from '#services/accounts/set-account.ts';
import { resumeAccount, suspendAccount } from '#services/accounts/suspend-account.ts';
import { createApiKey } from '#services/api-keys/manage-api-keys.ts';
import { messagesOf } from '../../testing/mails.ts';
import { makePaidCharge } from '../../testing/paid-charge.ts';
import {
  linkIn,
  newEmail,
  openMember,
  PASSWORD,
  type PanelBrowser,
  setUpAuthenticator,
} from '../../testing/panel-browser.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { transactionIdOf } from '../../testing/transaction-id-of.ts';
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
  service = await startTestService({ clock, variables: { DEMO: 'true' } });
  other = await startTestService({
    clock,
    beside: service,
    variables: { DEMO: 'true', ROLE: 'web', SANDBOX_URL: `${service.url}/sandbox` },
  });
});
afterAll(async () => {
  await other?.stop();
  await service?.stop();
});

/**
 * A verified merchant with R$ 100 in one of its accounts, its member, and a charge that can be
 * refunded.
 */
async function merchant(mode: 'live' | 'test' = 'test') {
  const email = newEmail();
  const { browser } = await openMember(service, email);
  const { account_id: accountId } = (await browser.ask('session.me', undefined, mode)).data as { account_id: string };
  await service.deps.db.pool.query(
    `UPDATE merchants SET kyc_status = 'approved' WHERE id = (SELECT merchant_id FROM accounts WHERE id = $1)`,
    [accountId],
  );
  const operatorKey = await operatorsKey(accountId);
  const chargeId = await makePaidCharge(service, operatorKey, { amount: 100 });
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

/** Resets the password by mail and signs in, as an intruder in the mailbox would. */
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

/** Asks a process for each kind of money out with a key; returns the answers. */
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
  test('a paused member makes, shows and changes nothing that moves money or protects it, and may still secure their login', async () => {
    const { email, browser, accountId } = await merchant();
    // Everything is permitted: a missing permission would be another reason for a rejection.
    await service.deps.db.pool.query(
      `UPDATE merchants SET can_create_accounts = true WHERE id = (SELECT merchant_id FROM accounts WHERE id = $1)`,
      [accountId],
    );
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

  test('the keys a paused member made send no money in any process, the operator’s do, and all do a day later', async () => {
    const { email, browser, accountId, chargeId, operatorKey } = await merchant();
    const rotatedFrom = await operatorsKey(accountId);
    await confirmed(browser);
    const { api_key: own } = (await browser.call('keys.create', keyInput)).data as { api_key: string };
    const { keys } = (await browser.ask('keys.list')).data as { keys: { key_id: string; last_four: string }[] };
    const rotatedId = keys.find(({ last_four }) => rotatedFrom.endsWith(last_four))?.key_id;
    const rotation = await browser.call('keys.rotate', { key_id: rotatedId, overlap_hours: 1 });
    const { api_key: rotated } = rotation.data as { api_key: string };
    // Every process has cached the keys from now on.
    for (const process of [service, other])
      for (const key of [own, rotated, operatorKey]) await process.get('/payments/limits', key);

    const before = service.deps.clock().getTime();
    await resetPassword(browser, email);
    const { withdrawals_paused_until: until } = (await browser.ask('session.me')).data as {
      withdrawals_paused_until: string;
    };
    expect(Date.parse(until)).toBeGreaterThanOrEqual(before + DAY_MS);
    for (const process of [service, other]) {
      for (const key of [own, rotated]) {
        const [pix, crypto, refund] = await moneyOut(process, key, chargeId);
        const message = expect.stringContaining(until);
        const code = 'withdrawals_paused';
        const body = { success: false, error: 'Saques e devoluções pausados', message, code, paused_until: until };
        expect([pix, refund]).toEqual([
          { status: 403, body },
          { status: 403, body },
        ]);
        expect(crypto).toEqual({
          status: 403,
          body: { success: false, message: body.error, code, paused_until: until },
        });
        // Everything else continues.
        expect((await process.post('/payments/transactions', rotated, { amount: 5 })).status).toBe(200);
      }
    }
    const rejected = await service.deps.db.pool.query(
      `SELECT FROM transactions WHERE account_id = $1 AND type IN ('pix_out', 'crypto_out')`,
      [accountId],
    );
    expect(rejected.rowCount).toBe(0);
    expect((await moneyOut(other, operatorKey, chargeId)).map(({ status }) => status)).toEqual([200, 200, 200]);

    aheadMs += DAY_MS + 1_000;
    expect((await moneyOut(service, own, chargeId)).map(({ status }) => status)).toEqual([200, 200, 200]);
    // Links to a new password end by the machine's own clock.
    aheadMs = 0;
  });
});

test('removing the last passkey pauses withdrawals, as removing the authenticator does, also where it can’t be noted', async () => {
  const { browser, email } = await merchant();
  await confirmed(browser);
  // A passkey is made by a browser's authenticator, which is not here.
  const { rows } = await service.deps.db.pool.query(
    `INSERT INTO passkeys (id, member_id, public_key, credential_id, counter, device_type, backed_up)
     SELECT n || id::text, id, 'x', n || id::text, 0, 'singleDevice', false FROM members, unnest(ARRAY['a', 'b']) n
     WHERE email = $1 RETURNING id`,
    [email],
  );
  const pausedAfter = async (id: string, status = 200) => {
    expect((await browser.post('/api/auth/passkey/delete-passkey', { id })).status).toBe(status);
    return ((await browser.ask('session.me')).data as { withdrawals_paused_until: string | null })
      .withdrawals_paused_until;
  };
  expect(await pausedAfter(rows[0].id)).toBeNull();
  await service.asOwner(
    "ALTER TABLE audit_records ADD CONSTRAINT no_removal CHECK (action <> 'passkey.removed') NOT VALID",
  );
  try {
    expect(await pausedAfter(rows[1].id, 500)).toEqual(expect.any(String));
  } finally {
    await service.asOwner('ALTER TABLE audit_records DROP CONSTRAINT no_removal');
  }
});

test('a last second factor is not removed where the pause can’t be written, and pauses where what comes after it fails', async () => {
  const { clock: now } = service.deps;
  const { browser, email } = await openMember(service, 'sem-segundo-fator@example.com');
  const { code } = await setUpAuthenticator(browser, now);
  await browser.call('session.confirm', { code: await code(1) });
  await service.asOwner('CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$');
  const removal = async (write: string) => {
    await service.asOwner(`CREATE TRIGGER fails BEFORE ${write} EXECUTE FUNCTION fails()`);
    const { status } = await browser.post('/api/auth/two-factor/disable', { password: PASSWORD });
    await service.asOwner(`DROP TRIGGER fails ${write.slice(write.indexOf('ON'))}`);
    const { rows } = await service.deps.db.pool.query(
      `SELECT count(f.id)::int AS authenticators, bool_or(withdrawals_blocked_until > $2) AS paused
       FROM members m LEFT JOIN two_factors f ON f.member_id = m.id WHERE email = $1`,
      [email, now()],
    );
    return [status, rows[0]];
  };
  expect(await removal('UPDATE OF withdrawals_blocked_until ON members')).toEqual([
    503,
    { authenticators: 1, paused: null },
  ]);
  expect(await removal('INSERT ON sessions')).toEqual([503, { authenticators: 0, paused: true }]);
});

describe('every member of a merchant gets a mail in their language that says who acted, when and from where', () => {
  test('about keys, rotations, endpoints, webhook secrets and a new password, without a secret', async () => {
    const { browser, email, accountId } = await merchant();
    const colleague = `colega-de-${email}`;
    const { rows } = await service.deps.db.pool.query<{ merchantId: string }>(
      'SELECT merchant_id AS "merchantId" FROM accounts WHERE id = $1',
      [accountId],
    );
    await addMember(service.deps.db.pool, {
      id: randomUUID(),
      merchantId: rows[0]?.merchantId ?? '',
      name: 'Mary',
      email: colleague,
      language: 'en',
      notifications: { withdrawal_failed: false, webhook_failing: false, verification_decided: false },
    });
    await confirmed(browser);
    const made = (await browser.call('keys.create', keyInput)).data as { key: { key_id: string }; api_key: string };
    const rotation = await browser.call('keys.rotate', { key_id: made.key.key_id, overlap_hours: 0 });
    const { api_key: rotated } = rotation.data as { api_key: string };
    const topic = { topic: 'deposit' };
    const url = 'http://127.0.0.1:8999/hook?token=canary';
    const { secret } = (await browser.call('webhooks.revealSecret')).data as { secret: string };
    const statuses = [
      await browser.call('webhooks.setEndpoint', { ...topic, url }),
      await browser.call('webhooks.removeEndpoint', topic),
      await browser.call('webhooks.rotateSecret'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    await resetPassword(browser, email);

    const mails = await service.until('the messages', async () => {
      const mine = messagesOf(service).filter((text) => text.includes(`To: ${colleague}`));
      return mine.length >= 7 ? mine : null;
    });
    const all = mails.join('\n');
    for (const what of [
      'An API key was made.',
      'An API key was replaced by a new one.',
      'The secret that signs webhooks was shown.',
      'The address of a webhook was set.',
      'A webhook was removed.',
      'The secret that signs webhooks was replaced.',
      'A password was reset by e-mail.',
    ]) {
      expect(mails.filter((text) => text.includes(what))).toHaveLength(1);
    }
    for (const text of mails) {
      expect(text).toContain('From: 127.0.0.1');
      expect(text).toMatch(/When: [A-Z][a-z]+ \d/);
      expect(text).toContain('Who: Jo');
    }
    for (const hidden of [made.api_key, rotated, secret, 'canary']) expect(all).not.toContain(hidden);
    const own = messagesOf(service).filter((text) => text.includes(`To: ${email}`));
    expect(own.join('\n')).toContain('Uma chave de API foi criada.');
  });
});

describe('a suspended account', () => {
  test('is rejected in every process at once, still receives, is read by its members, and is as before when it is resumed', async () => {
    const { browser, accountId, chargeId, operatorKey, email } = await merchant();
    const open = await service.post('/payments/transactions', operatorKey, { amount: 7 });
    const openId = transactionIdOf(open);
    for (const process of [service, other]) await process.get('/payments/balance', operatorKey);
    const reason = 'Documento vencido.';
    expect(await suspendAccount(service.deps, { accountId, reason })).toBe(true);
    expect(await suspendAccount(service.deps, { accountId, reason })).toBe(false);

    for (const process of [service, other]) {
      await service.until('the process has heard of it', async () =>
        (await process.get('/payments/balance', operatorKey)).status === 403 ? true : null,
      );
      const answer = await process.get('/payments/limits', operatorKey);
      expect([answer.status, answer.body.error]).toEqual([403, 'Conta suspensa']);
      const rejected = await moneyOut(process, operatorKey, chargeId);
      expect(rejected.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(rejected[1]?.body).toEqual({ success: false, message: 'Conta suspensa', code: 'account_suspended' });
    }
    expect((await browser.ask('session.me')).data).toMatchObject({ suspension_reason: reason });
    expect((await browser.ask('transactions.list', {})).status).toBe(200);
    await confirmed(browser);
    for (const name of [
      'charges.create',
      'keys.create',
      'withdrawals.pix',
      'webhooks.setEndpoint',
      'webhooks.sendTest',
    ]) {
      expect([name, (await browser.call(name, {})).reason]).toEqual([name, 'account_suspended']);
    }
    // The merchant's other account is not suspended.
    expect((await browser.ask('session.me', undefined, 'live')).data).toMatchObject({ suspension_reason: null });

    await service.pay(openId);
    await service.until('the payment is credited', async () =>
      ((await browser.ask('balance.get', {})).data as { data: { available_balance: number } }).data
        .available_balance === 107
        ? true
        : null,
    );
    const { rows } = await service.deps.db.pool.query(
      "SELECT details FROM audit_records WHERE account_id = $1 AND action = 'account.suspended'",
      [accountId],
    );
    // Requests that were rejected meanwhile are noted under actions of their own.
    expect(rows).toEqual([{ details: { reason } }]);
    await service.until('its members are notified', async () =>
      messagesOf(service).some((text) => text.includes(`To: ${email}`) && text.includes('A conta foi suspensa'))
        ? true
        : null,
    );

    expect(await resumeAccount(service.deps, accountId)).toBe(true);
    for (const process of [service, other]) {
      await service.until('the process has heard of it', async () =>
        (await process.get('/payments/balance', operatorKey)).status === 200 ? true : null,
      );
    }
    expect((await moneyOut(other, operatorKey, chargeId)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await resumeAccount(service.deps, accountId)).toBe(false);
    expect(await suspendAccount(service.deps, { accountId: 'unknown', reason })).toBeNull();
  });
});

test('a merchant that is rejected sends no money from any process from then on, nor refunds any', async () => {
  const { accountId, chargeId, operatorKey } = await merchant('live');
  for (const process of [service, other]) await process.get('/payments/balance', operatorKey);
  const nothingElse = { account: {}, fees: [], limits: [], rails: [], webhookUrl: undefined, credentials: [] };
  await setAccount(service.deps, { accountId, merchant: { kycStatus: 'rejected' }, ...nothingElse });
  for (const process of [service, other]) {
    const rejected = await moneyOut(process, operatorKey, chargeId);
    expect(rejected.map(({ status, body }) => [status, body.kyc_status])).toEqual([
      [403, 'rejected'],
      [403, 'rejected'],
      [403, 'rejected'],
    ]);
  }
});

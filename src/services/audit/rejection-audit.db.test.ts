import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { openBrowser, openMember, PASSWORD, type PanelBrowser, setUpAuthenticator } from '#testing/panel-browser.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { suspendAccount } from '../accounts/suspend-account.ts';
import { createApiKey } from '../api-keys/manage-api-keys.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ variables: { RATE_LIMIT_ANONYMOUS: '10000000' } });
});
afterAll(() => trilho.stop());

type Row = { action: string; member: boolean; address: string; agent: string; details: Record<string, unknown> };

/**
 * Waits for `count` audit records of the merchant, or of one action, and returns them, oldest
 * first; they are written after the answer.
 */
async function audit(merchantId: string, count: number, action?: string): Promise<Row[]> {
  return trilho.until(`${count} rows of the audit`, async () => {
    const { rows } = await trilho.deps.db.pool.query<Row>(
      `SELECT action, member_id IS NOT NULL AS member, ip_address AS address, user_agent AS agent, details
       FROM audit_records WHERE merchant_id = $1 AND user_agent IN ('vitest', 'loja/1.0') AND action = coalesce($2, action)
       ORDER BY id`,
      [merchantId, action],
    );
    return rows.length >= count ? rows : null;
  });
}

const WITHDRAWAL = { amount: 1, pixKey: 'a@b.co', pixKeyType: 'EMAIL' };

test('a key’s call that is rejected for permissions, address, suspension or verification is recorded with operation, address and user agent', async () => {
  const { accountId, merchantId } = await trilho.openAccount();
  const unverified = await trilho.openAccount({ kycStatus: 'pending', mode: 'live' });
  const keyOf = async (input: object) =>
    (await createApiKey(trilho.deps, { accountId, name: 'x', ...input }))?.apiKey ?? '';
  const ask = async (key: string, path: string, body: object) =>
    (await trilho.post(path, key, body, { 'user-agent': 'loja/1.0' })).status;
  const reader = await keyOf({ permissions: ['transactions:read'] });
  const fenced = await keyOf({ allowedIps: ['203.0.113.0/24'] });
  const all = await keyOf({});
  expect(await ask(reader, '/payments/transfers/pix', WITHDRAWAL)).toBe(403);
  expect(await ask(reader, '/payments/transactions', { amount: 1 })).toBe(403);
  expect(await ask(fenced, '/payments/transfers/pix', WITHDRAWAL)).toBe(403);
  await suspendAccount(trilho.deps, { accountId, reason: 'Fraude' });
  await trilho.until('the suspension is known', async () =>
    (await ask(all, '/payments/transfers/pix', WITHDRAWAL)) === 403 ? true : null,
  );
  expect(await ask(unverified.apiKey, '/payments/transfers/pix', WITHDRAWAL)).toBe(403);

  const pix = 'POST /payments/transfers/pix';
  const noted = await audit(merchantId, 4);
  const said = noted.map(({ action, details }) => [action, details.operation, details.why]);
  // Each is written after its answer: their order may differ from that of the calls.
  expect(said.sort()).toEqual([
    ['api_key.rejected', 'POST /payments/transactions', 'permission_denied'],
    ['withdrawal.rejected', pix, 'account_suspended'],
    ['withdrawal.rejected', pix, 'ip_not_allowed'],
    ['withdrawal.rejected', pix, 'permission_denied'],
  ]);
  expect(noted[0]).toMatchObject({ member: false, address: '127.0.0.1', details: { key_id: expect.any(String) } });
  expect((await audit(unverified.merchantId, 1)).map(({ details }) => details.why)).toEqual(['kyc_not_approved']);
  for (const secret of [reader, fenced, all, WITHDRAWAL.pixKey]) expect(JSON.stringify(noted)).not.toContain(secret);
});

test('a change that a member’s role may not make is recorded with the member, and answered as nothing', async () => {
  const { merchantId } = await trilho.openAccount();
  const { browser } = await openMember(trilho, 'so-leitura@example.com', { merchantId, role: 'viewer' });
  const nothing = await browser.call('withdrawals.nothing', WITHDRAWAL);
  expect(await browser.call('withdrawals.pix', WITHDRAWAL)).toEqual(nothing);
  expect(await browser.call('keys.create', {}, 'test', { 'idempotency-key': 'chave' })).toEqual(nothing);
  // Reading is tried by pages that were open before a role was changed.
  expect((await browser.ask('keys.list')).status).toBe(404);
  for (const file of ['kyc', 'dispute', 'nothing'])
    expect((await browser.post(`/upload/test/${file}?name=a.pdf`, {})).status).toBe(404);
  const noted = [
    ...(await audit(merchantId, 3, 'member.rejected')),
    ...(await audit(merchantId, 1, 'withdrawal.rejected')),
  ];
  expect(noted.map(({ member, details }) => [member, details.operation, details.why])).toEqual([
    [true, 'keys.create', 'permission_denied'],
    [true, 'upload/kyc', 'permission_denied'],
    [true, 'upload/dispute', 'permission_denied'],
    [true, 'withdrawals.pix', 'permission_denied'],
  ]);
});

// ASVS 16.3.1, 16.3.3
test('every failed proof of a member is recorded with its address: passwords, codes, recovery codes, confirmations', async () => {
  const { merchantId } = await trilho.openAccount();
  const email = 'dona@example.com';
  const { browser } = await openMember(trilho, email, { merchantId });
  const { code } = await setUpAuthenticator(browser);
  const other = openBrowser(trilho);
  const wrong = 'uma senha errada qualquer';
  const before = (await audit(merchantId, 1)).length;

  await other.signIn(email, wrong);
  await other.signIn('ninguem@example.com', wrong);
  await other.signIn(email, PASSWORD);
  await other.post('/api/auth/two-factor/verify-totp', { code: '000000' });
  await other.post('/api/auth/two-factor/verify-backup-code', { code: 'aaaaa-bbbbb' });
  await browser.call('session.confirm', { code: '000000' });
  await browser.call('session.confirm', { recovery_code: 'aaaaa-bbbbb' });
  expect((await browser.call('session.confirm', { code: await code(1) })).status).toBe(200);
  await changePassword(browser, wrong);
  await browser.post('/api/auth/request-password-reset', { email });

  // A change of password is recorded before it is tried, and so before it is rejected.
  const all = (await audit(merchantId, before + 8)).slice(before);
  const noted = all.filter(({ action }) => action !== 'sign_in.change_begun');
  expect(all).toHaveLength(noted.length + 1);
  expect(noted.map(({ action, details }) => [action, details.path ?? details.operation]).sort()).toEqual(
    [
      ['sign_in.failed', '/sign-in/email'],
      ['second_factor.failed', '/two-factor/verify-totp'],
      ['second_factor.failed', '/two-factor/verify-backup-code'],
      ['confirmation.failed', 'session.confirm'],
      ['confirmation.failed', 'session.confirm'],
      ['confirmation.failed', '/change-password'],
      ['password.reset_requested', '/request-password-reset'],
    ].sort(),
  );
  for (const row of noted) expect(row).toMatchObject({ member: true, address: '127.0.0.1', agent: 'vitest' });
  for (const secret of [wrong, PASSWORD, '000000', 'aaaaa-bbbbb', email])
    expect(JSON.stringify(noted)).not.toContain(secret);
});

const changePassword = (browser: PanelBrowser, currentPassword: string) =>
  browser.post('/api/auth/change-password', { currentPassword, newPassword: 'outra frase bem diferente daquela' });

// ASVS 6.2.3
test('the current password can be guessed ten times at most, wherever it is required, even with a second factor confirmed', async () => {
  const { merchantId } = await trilho.openAccount();
  const { browser } = await openMember(trilho, 'dono@example.com', { merchantId });
  const { code } = await setUpAuthenticator(browser);
  expect((await browser.call('session.confirm', { code: await code(1) })).status).toBe(200);
  const guesses: (() => Promise<{ status: number }>)[] = [
    () => changePassword(browser, 'errada'),
    ...['enable', 'disable', 'generate-backup-codes'].map(
      (path) => () => browser.post(`/api/auth/two-factor/${path}`, { password: 'errada' }),
    ),
  ];
  const answers: number[] = [];
  for (let i = 0; i < 12; i++) answers.push((await (guesses[i % guesses.length] as (typeof guesses)[number])()).status);
  expect(answers).toEqual([...Array(10).fill(400), 429, 429]);
  // Right or wrong: the password is not checked any more.
  expect((await changePassword(browser, PASSWORD)).status).toBe(429);
  await audit(merchantId, 1, 'confirmation.locked');
  expect(await audit(merchantId, 10, 'confirmation.failed')).toHaveLength(10);
});

test('a member’s withdrawal is recorded with the member and their address, and a rejected one with its error, too', async () => {
  const { merchantId, apiKey } = await trilho.openAccount({ mode: 'live' });
  const { browser } = await openMember(trilho, 'caixa@example.com', { merchantId });
  await makePaidCharge(trilho, apiKey, { amount: 50 });
  await browser.call('session.confirm', { password: PASSWORD });
  expect((await browser.call('withdrawals.pix', WITHDRAWAL, 'live')).status).toBe(200);
  await trilho.deps.db.pool.query(`UPDATE merchants SET kyc_status = 'rejected' WHERE id = $1`, [merchantId]);
  await browser.call('session.confirm', { password: PASSWORD });
  expect((await browser.call('withdrawals.pix', WITHDRAWAL, 'live')).reason).toBe('kyc_not_approved');
  const noted = (await audit(merchantId, 4)).filter(({ action }) => action.startsWith('withdrawal.'));
  expect(noted.map(({ action, member, address, details }) => [action, member, address, details.why])).toEqual([
    ['withdrawal.requested', true, '127.0.0.1', undefined],
    ['withdrawal.rejected', true, '127.0.0.1', 'kyc_not_approved'],
  ]);
});

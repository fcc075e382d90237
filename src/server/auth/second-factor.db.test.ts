import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askDuring } from '#db/testing/ask-during.ts';
import { createPasskey } from '../../testing/create-passkey.ts';
import { messagesOf } from '../../testing/mails.ts';
import {
  codesOf,
  mailTo,
  me,
  newEmail,
  openBrowser,
  openMember,
  PASSWORD,
  type PanelBrowser,
  setUpAuthenticator,
  tokenIn,
} from '../../testing/panel-browser.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('a second factor', () => {
  test('is asked for at sign-in once it is set up, and its code works once', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { code, used } = await setUpAuthenticator(browser);
    const other = openBrowser(service);
    const answer = await other.signIn(email, PASSWORD);
    expect(answer.body.twoFactorRedirect).toBe(true);
    expect((await me(other)).reason).toBe('not_signed_in');
    // The code that set it up is used, though its 30 seconds are not over.
    const again = await other.post('/api/auth/two-factor/verify-totp', { code: used });
    expect([again.status, again.headers.getSetCookie()]).toEqual([403, []]);
    expect((await me(other)).reason).toBe('not_signed_in');
    await other.signIn(email, PASSWORD);
    const typed = { code: await code(1), trustDevice: true };
    expect((await other.post('/api/auth/two-factor/verify-totp', typed)).status).toBe(200);
    expect((await me(other)).data).toMatchObject({ has_second_factor: true });
    // No browser is trusted for later, even where it asks for that.
    expect((await other.signIn(email, PASSWORD)).body.twoFactorRedirect).toBe(true);
  });

  // ASVS 6.4.3
  test('is asked for also after a new password by e-mail', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { code, backupCodes } = await setUpAuthenticator(browser);
    const visitor = openBrowser(service);
    await visitor.post('/api/auth/request-password-reset', { email });
    const token = tokenIn((await mailTo(service, email, 3)).at(-1));
    const newPassword = 'uma outra frase, bem diferente';
    const halfway = openBrowser(service);
    expect((await halfway.signIn(email, PASSWORD)).body.twoFactorRedirect).toBe(true);
    expect((await visitor.post('/api/auth/reset-password', { token, newPassword })).status).toBe(200);
    expect((await me(visitor)).reason).toBe('not_signed_in');
    // A sign-in that has got half way by the old password ends there.
    for (const [path, given] of [
      ['verify-totp', await code(1)],
      ['verify-backup-code', backupCodes[0]],
    ] as const) {
      const rejected = await halfway.post(`/api/auth/two-factor/${path}`, { code: given });
      expect([path, rejected.status, rejected.body.code]).toEqual([path, 401, 'INVALID_TWO_FACTOR_COOKIE']);
    }
    expect((await visitor.signIn(email, newPassword)).body.twoFactorRedirect).toBe(true);
    expect((await me(visitor)).reason).toBe('not_signed_in');
    expect((await visitor.post('/api/auth/two-factor/verify-totp', { code: await code(1) })).status).toBe(200);
    expect((await me(visitor)).data).toMatchObject({ has_second_factor: true });
  });

  test('is required before each withdrawal, and the password does not replace it', async () => {
    const { email, browser } = await openMember(service, newEmail());
    await service.deps.db.pool.query('UPDATE merchants SET kyc_status = $2::kyc_status WHERE email = $1', [
      email,
      'approved',
    ]);
    const { code } = await setUpAuthenticator(browser);
    const withdraw = () =>
      browser
        .call('withdrawals.pix', { amount: 10, pixKey: 'a@b.co', pixKeyType: 'EMAIL' })
        .then(({ reason }) => reason);
    expect(await withdraw()).toBe('confirmation_required');
    expect((await browser.call('session.confirm', { password: PASSWORD })).reason).toBe('confirmation_failed');
    expect((await browser.call('session.confirm', { code: '000000' })).reason).toBe('confirmation_failed');
    expect(await withdraw()).toBe('confirmation_required');
    const fresh = await code(1);
    expect((await browser.call('session.confirm', { code: fresh })).status).toBe(200);
    expect((await browser.call('session.confirm', { code: fresh })).reason).toBe('confirmation_failed');
    // There is no money yet: insufficient_funds shows that the request passed the confirmation,
    // once.
    expect(await withdraw()).toBe('insufficient_funds');
    expect(await withdraw()).toBe('confirmation_required');
  });

  test('is not tried any more in a session where it was guessed ten times', async () => {
    const { browser } = await openMember(service, newEmail());
    await setUpAuthenticator(browser);
    const tries = await Promise.all(
      Array.from({ length: 14 }, () => browser.call('session.confirm', { code: '123456' })),
    );
    const reasons = tries.map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'too_many_attempts').length).toBeGreaterThanOrEqual(4);
    expect(reasons).not.toContain(null);
  });

  // ASVS 6.6.3
  test('is guessed ten times at most in a quarter of an hour, however many come at once and wherever they are tried', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { code } = await setUpAuthenticator(browser);
    const steps = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const thief = openBrowser(service);
        expect((await thief.signIn(email, PASSWORD)).body.twoFactorRedirect).toBe(true);
        return thief;
      }),
    );
    const tries = await Promise.all(
      Array.from({ length: 200 }, (_, at) => {
        const thief = steps[at % steps.length] ?? browser;
        if (at % 3 === 0) return browser.call('session.confirm', { code: '000000' });
        const path = `/api/auth/two-factor/${at % 3 === 1 ? 'verify-totp' : 'verify-backup-code'}`;
        return thief.post(path, { code: `${at}`.padStart(6, '0') });
      }),
    );
    expect(tries.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(10);
    expect(tries.filter(({ status }) => status === 200)).toEqual([]);
    // Nor does the right one get through now, at any of the places.
    const right = await code(1);
    expect((await browser.call('session.confirm', { code: right })).reason).toBe('too_many_attempts');
    const late = await steps[0]?.post('/api/auth/two-factor/verify-totp', { code: right });
    expect(late?.status).toBe(429);
  });

  test('has recovery codes that work once each, at sign-in and in the dialog', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { backupCodes } = await setUpAuthenticator(browser);
    const [first = '', second = ''] = backupCodes;
    const other = openBrowser(service);
    await other.signIn(email, PASSWORD);
    expect((await other.post('/api/auth/two-factor/verify-backup-code', { code: first })).status).toBe(200);
    expect((await me(other)).status).toBe(200);
    expect((await browser.call('session.confirm', { recovery_code: first })).reason).toBe('confirmation_failed');
    // In a session the dialog alone takes one: this endpoint would not note that it confirmed.
    const inSession = await browser.post('/api/auth/two-factor/verify-backup-code', { code: second });
    expect([inSession.status, inSession.headers.getSetCookie()]).toEqual([409, []]);
    expect((await browser.call('session.confirm', { recovery_code: second })).status).toBe(200);
    expect((await browser.call('session.confirm', { recovery_code: second })).reason).toBe('confirmation_failed');
  });

  test('is turned off only after it was used, which pauses withdrawals and is reported by e-mail', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { code } = await setUpAuthenticator(browser);
    const off = () => browser.post('/api/auth/two-factor/disable', { password: PASSWORD });
    expect((await off()).status).toBe(403);
    await browser.call('session.confirm', { code: await code(1) });
    expect((await off()).status).toBe(200);
    expect((await me(browser)).data).toMatchObject({
      has_second_factor: false,
      withdrawals_paused_until: expect.any(String),
    });
    await service.until('the message', async () =>
      messagesOf(service).some((text) => text.includes(`To: ${email}`) && text.includes('foi desativada'))
        ? true
        : null,
    );
    const { entries } = (await browser.ask('security.activity', {})).data as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['two_factor.enabled', 'two_factor.disabled', 'session.started']),
    );
  });

  test('is left where a passkey is: taking the authenticator away pauses nothing, and the e-mail says so', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { code } = await setUpAuthenticator(browser);
    await service.deps.db.pool.query(
      `INSERT INTO passkeys (id, member_id, public_key, credential_id, counter, device_type, backed_up)
       SELECT id::text, id, 'x', id::text, 0, 'singleDevice', false FROM members WHERE email = $1`,
      [email],
    );
    await browser.call('session.confirm', { code: await code(1) });
    expect((await browser.post('/api/auth/two-factor/disable', { password: PASSWORD })).status).toBe(200);
    expect((await me(browser)).data).toMatchObject({ has_second_factor: true, withdrawals_paused_until: null });
    await service.until('the message', async () =>
      messagesOf(service).some((text) => text.includes(`To: ${email}`) && text.includes('autenticador foi removido'))
        ? true
        : null,
    );
  });

  test('is noted as set up once, not whenever a code is right', async () => {
    const { browser } = await openMember(service, newEmail());
    const { code } = await setUpAuthenticator(browser);
    expect((await browser.post('/api/auth/two-factor/verify-totp', { code: await code(1) })).status).toBe(200);
    const { entries } = (await browser.ask('security.activity', {})).data as { entries: { action: string }[] };
    expect(entries.filter(({ action }) => action === 'two_factor.enabled')).toHaveLength(1);
  });

  test('is set up once where two tabs do at once: the one that is kept lets its member in', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { pool } = service.deps.db;
    const mine = 'member_id = (SELECT id FROM members WHERE email = $1)';
    const inOtherTab = [
      `INSERT INTO two_factors (id, member_id, secret, backup_codes, verified)
       SELECT 'of another tab', id, '', '', false FROM members WHERE email = $1`,
      `UPDATE two_factors SET verified = true WHERE ${mine}`,
    ];
    for (const change of inOtherTab) {
      const late = await askDuring(
        pool,
        (session) => session.query(change, [email]),
        () => browser.post('/api/auth/two-factor/enable', { password: PASSWORD }),
      );
      expect([late.status, late.body]).toMatchObject([409, { data: { reason: 'invalid_state' } }]);
    }
    await pool.query(`UPDATE two_factors SET verified = false WHERE ${mine}`, [email]);

    // Another tab ends it, or begins again, while this one completes it: nobody is locked out.
    for (const change of ['DELETE FROM two_factors', "UPDATE two_factors SET secret = 'of another tab'"]) {
      const begun = await browser.post('/api/auth/two-factor/enable', { password: PASSWORD });
      const secret = new URL(String(begun.body.totpURI)).searchParams.get('secret') ?? '';
      const code = await codesOf(secret, () => new Date())();
      const late = await askDuring(
        pool,
        (session) => session.query(`${change} WHERE ${mine}`, [email]),
        () => browser.post('/api/auth/two-factor/verify-totp', { code }),
      );
      expect([late.status, late.body]).toMatchObject([409, { data: { reason: 'invalid_state' } }]);
      expect((await openBrowser(service).signIn(email, PASSWORD)).body).not.toHaveProperty('twoFactorRedirect');
    }
    // What is only being set up is not removed, nor recorded as removed.
    await browser.post('/api/auth/two-factor/enable', { password: PASSWORD });
    await browser.call('session.confirm', { password: PASSWORD });
    expect((await browser.post('/api/auth/two-factor/disable', { password: PASSWORD })).status).toBe(409);
    const { code } = await setUpAuthenticator(browser);
    const other = openBrowser(service);
    await other.signIn(email, PASSWORD);
    expect((await other.post('/api/auth/two-factor/verify-totp', { code: await code(1) })).status).toBe(200);
  });

  test('that is removed twice at once is removed by one request, which alone is recorded', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { code } = await setUpAuthenticator(browser);
    const { pool } = service.deps.db;
    await pool.query(
      `INSERT INTO passkeys (id, member_id, public_key, credential_id, counter, device_type, backed_up)
       SELECT $1, id, 'key', $1, 0, 'singleDevice', false FROM members WHERE email = $1`,
      [email],
    );
    await browser.call('session.confirm', { code: await code(1) });
    const removals = [
      ['passkeys', '/api/auth/passkey/delete-passkey', { id: email }],
      ['two_factors', '/api/auth/two-factor/disable', { password: PASSWORD }],
    ] as const;
    for (const [table, path, body] of removals) {
      const mine = `DELETE FROM ${table} WHERE member_id = (SELECT id FROM members WHERE email = $1)`;
      const late = await askDuring(
        pool,
        (session) => session.query(mine, [email]),
        () => browser.post(path, body),
      );
      expect([late.status, late.body]).toMatchObject([409, { data: { reason: 'invalid_state' } }]);
    }
    const { entries } = (await browser.ask('security.activity', {})).data as { entries: { action: string }[] };
    expect(entries.filter(({ action }) => /removed|disabled/.test(action))).toEqual([]);
  });

  /** Opens a member who has a passkey. */
  async function openWithPasskey() {
    const { email, browser } = await openMember(service, newEmail());
    const id = Buffer.from(email).toString('base64url');
    const passkey = createPasskey(service.deps.settings.publicUrl, id);
    await service.deps.db.pool.query(
      `INSERT INTO passkeys (id, member_id, public_key, credential_id, counter, device_type, backed_up)
       SELECT $2, id, $3, $2, 0, 'singleDevice', false FROM members WHERE email = $1`,
      [email, id, passkey.publicKey],
    );
    const use = async (there: PanelBrowser, headers: Record<string, string> = {}) => {
      const { challenge } = (await there.get('/api/auth/passkey/generate-authenticate-options')).body;
      const body = { response: passkey.answer(challenge) };
      return there.post('/api/auth/passkey/verify-authentication', body, headers);
    };
    return { id, email, browser, use };
  }

  test('that is a passkey begins no session where it is removed while it signs in', async () => {
    const { id, use } = await openWithPasskey();
    const { pool } = service.deps.db;
    const signIn = async () => {
      const browser = openBrowser(service);
      const { status } = await use(browser);
      return [status, (await me(browser)).status];
    };
    expect(await signIn()).toEqual([200, 200]);
    const removal = (session: Pick<typeof pool, 'query'>) => session.query('DELETE FROM passkeys WHERE id = $1', [id]);
    expect(await askDuring(pool, removal, signIn)).toEqual([400, 401]);
  });

  test('that is a passkey confirms in a session of its own member alone, and begins none by that', async () => {
    const { email, browser, use } = await openWithPasskey();
    const other = await openWithPasskey();
    const confirming = { 'x-trilho-confirm': '1' };
    const withdraw = async () =>
      (await browser.call('withdrawals.pix', { amount: 10, pixKey: 'a@b.co', pixKeyType: 'EMAIL' })).reason;
    const rejected = await other.use(browser, confirming);
    expect(rejected.body).toMatchObject({ data: { reason: 'confirmation_failed' } });
    expect(await withdraw()).toBe('confirmation_required');
    expect((await use(browser, confirming)).body).toEqual({ confirmed: true });
    expect(await withdraw()).toBe('insufficient_funds');
    const { rows } = await service.deps.db.pool.query(
      'SELECT count(*)::int AS sessions FROM sessions s JOIN members m ON m.id = s.member_id WHERE m.email = ANY ($1)',
      [[email, other.email]],
    );
    expect(rows).toEqual([{ sessions: 2 }]);
  });

  test('is never blamed for a database that is unavailable, nor is a session taken for ended: each is 503, and works again', async () => {
    const { email, browser, use } = await openWithPasskey();
    const member = await openMember(service, newEmail());
    const { code } = await setUpAuthenticator(member.browser);
    const late = await code(1);
    const there = openBrowser(service);
    await there.signIn(member.email, PASSWORD);
    const key = openBrowser(service);
    const acts = {
      'UPDATE ON passkeys': () => use(key),
      'INSERT ON sessions': () => use(key),
      'DELETE ON login_tokens': () => there.post('/api/auth/two-factor/verify-totp', { code: late }),
      'INSERT ON mails': () => there.post('/api/auth/request-password-reset', { email }),
      'DELETE ON sessions': () => browser.post('/api/auth/sign-out', {}),
    };
    await service.asOwner(
      'CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$',
    );
    for (const [write, act] of Object.entries(acts)) {
      await service.asOwner(`CREATE TRIGGER fails BEFORE ${write} EXECUTE FUNCTION fails()`);
      const answer = await act();
      await service.asOwner(`DROP TRIGGER fails ${write.slice(write.indexOf('ON'))}`);
      expect([write, answer.status, answer.headers.get('retry-after')]).toEqual([write, 503, '5']);
      if (write === 'DELETE ON sessions') expect((await me(browser)).status).toBe(200);
      expect([write, (await act()).status]).toEqual([write, 200]);
    }
  });

  test('is replaced by the password where a member has none', async () => {
    const { browser } = await openMember(service, newEmail());
    const withdraw = () => browser.call('withdrawals.pix', { amount: 10, pixKey: 'a@b.co', pixKeyType: 'EMAIL' });
    const rejected = await withdraw();
    expect([rejected.reason, rejected.params]).toEqual(['confirmation_required', { factor: 'password' }]);
    expect((await browser.call('session.confirm', { password: PASSWORD })).status).toBe(200);
    // Test mode does not wait for the verification.
    expect((await withdraw()).reason).toBe('insufficient_funds');
  });
});

test('the codes of these tests are those of an authenticator app', async () => {
  // RFC 6238, appendix B, the secret of its SHA-1 vectors, six digits.
  const code = codesOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', () => new Date(59_000));
  expect(await code()).toBe('287082');
});

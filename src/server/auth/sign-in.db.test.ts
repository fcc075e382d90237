import { hashPassword } from '@better-auth/utils/password';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { replacePasswordHash } from '#db/members/members.ts';
import { askDuring } from '#db/testing/ask-during.ts';
import { PASSWORD_LENGTH_MAX } from '#domain/members/password.ts';
import { HASHES_WAITING_MAX, passwordHashing } from '#services/members/password-hashing.ts';
import { createPasskey } from '../../testing/create-passkey.ts';
import { messagesOf } from '../../testing/mails.ts';
import {
  codesOf,
  linkIn,
  mailTo,
  openBrowser,
  openMember,
  PASSWORD,
  type PanelBrowser,
  setUpAuthenticator,
  tokenIn,
} from '../../testing/panel-browser.ts';
import { atFullCost } from '../../testing/password-cost.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let people = 0;
const newEmail = () => `pessoa-${++people}@example.com`;
const me = (browser: ReturnType<typeof openBrowser>) => browser.ask('session.me');

test('a member can’t reach another member’s account: the mode chooses between their own two', async () => {
  const one = await openMember(service, newEmail());
  const two = await openMember(service, newEmail());
  const foreign = (await me(two.browser)).data as { account_id: string };
  const own = await one.browser.ask('session.me', { account_id: foreign.account_id });
  expect((own.data as { account_id: string }).account_id).not.toBe(foreign.account_id);
  expect((await one.browser.get(`/api/trpc/${foreign.account_id}/session.me`)).status).toBe(404);
  expect((await openBrowser(service).ask('session.me')).reason).toBe('not_signed_in');
});

describe('what was not sent by our pages', () => {
  const sent = async (headers: Record<string, string>, body = '{}') => {
    const { browser } = await openMember(service, newEmail());
    const answer = await browser.post('/api/trpc/test/security.endOtherSessions', body, headers);
    return answer.status;
  };

  test('is rejected: another origin, a sibling, null, none, and what is no JSON', async () => {
    const { host, port } = new URL(service.url);
    expect(await sent({})).toBe(200);
    expect(await sent({ origin: 'https://evil.example' })).toBe(403);
    expect(await sent({ origin: `http://panel.${host}` })).toBe(403);
    expect(await sent({ origin: `http://127.0.0.1:${Number(port) + 1}` })).toBe(403);
    expect(await sent({ origin: 'null' })).toBe(403);
    expect(await sent({ origin: '' })).toBe(403);
    expect(await sent({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await sent({ 'content-type': 'text/plain' })).toBe(415);
    expect(await sent({ 'content-type': 'application/x-www-form-urlencoded' }, 'a=b')).toBe(415);
  });

  test('is rejected by the sign-in too, and a change is never a GET', async () => {
    const { browser, email } = await openMember(service, newEmail());
    const evil = { origin: 'https://evil.example' };
    expect((await browser.post('/api/auth/sign-in/email', { email, password: PASSWORD }, evil)).status).toBe(403);
    expect((await browser.post('/api/auth/sign-out', {}, evil)).status).toBe(403);
    expect((await browser.get('/api/auth/sign-out')).status).toBe(405);
    expect((await browser.ask('security.endOtherSessions', {})).status).toBe(405);
    expect((await me(browser)).status).toBe(200);
  });
});

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

describe('a password', () => {
  test('is taken as it was typed: in another case, without its blanks or cut short it is another one', async () => {
    const { email, browser } = await openMember(service, newEmail());
    // As long as may be.
    const newPassword = `  Ação e Reação, ${'x'.repeat(110)} `;
    expect(newPassword).toHaveLength(PASSWORD_LENGTH_MAX);
    await browser.call('session.confirm', { password: PASSWORD });
    const changed = await browser.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
    expect(changed.status).toBe(200);
    const visitor = openBrowser(service);
    for (const other of [
      newPassword.toLowerCase(),
      newPassword.toUpperCase(),
      newPassword.trim(),
      newPassword.trimStart(),
      newPassword.trimEnd(),
      newPassword.replace('ç', 'c'),
      newPassword.slice(0, 72),
      newPassword.slice(0, -1),
    ])
      expect([other, (await visitor.signIn(email, other)).status]).toEqual([other, 401]);
    expect((await visitor.signIn(email, newPassword)).status).toBe(200);
  });
});

describe('guessing a password', () => {
  test('locks out an attacker who guesses, from anywhere, and never the member at a browser that they have used', async () => {
    const { email, browser } = await openMember(service, newEmail());
    await browser.post('/api/auth/sign-out', {});
    // The link signed them in without a password; now the browser is known.
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
    await browser.post('/api/auth/sign-out', {});
    const attacker = openBrowser(service);
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await attacker.signIn(email, `errada ${i} errada`)).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toEqual([429, 429]);
    // The right password does not get through from there either, while it does from their own
    // browser.
    expect((await attacker.signIn(email, PASSWORD)).status).toBe(429);
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
  });

  test('in large numbers is rejected beyond the queue, counts as no guess, and stops nothing else', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { apiKey } = await service.openAccount();
    let isOver = false;
    // As many as there is room for, and for each that is done another one at once.
    const hashing = async (): Promise<void> => {
      while (!isOver && (await passwordHashing.hash('x').catch(() => null)) !== null);
    };
    await atFullCost(async () => {
      const crowd = Array.from({ length: 2 + HASHES_WAITING_MAX }, hashing);
      for (let i = 0; i < 21; i++) {
        const rejected = await browser.signIn(email, PASSWORD);
        expect([rejected.status, rejected.text]).toEqual([429, expect.stringContaining('"seconds"')]);
      }
      // A charge looks names up and asks a provider, while passwords are being hashed.
      const charge = await service.post('/payments/transactions', apiKey, { amount: 10 });
      expect(charge.status).toBe(200);
      isOver = true;
      await Promise.all(crowd);
    });
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
  });

  test.each(['\uff41na@example.com', '\u212aelvin@example.com', 'ana@example\uff0ecom'])(
    'for %j, which is no e-mail address, is answered 400, and so is a request for a new password',
    async (email) => {
      const browser = openBrowser(service);
      expect((await browser.signIn(email, PASSWORD)).status).toBe(400);
      expect((await browser.post('/api/auth/request-password-reset', { email })).status).toBe(400);
    },
  );

  test('is answered alike for a login that exists and one that does not', async () => {
    const { email } = await openMember(service, newEmail());
    const known = await openBrowser(service).signIn(email, 'errada errada errada');
    const unknown = await openBrowser(service).signIn('ninguem@example.com', 'errada errada errada');
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
  });
});

/** A shorter text is no token, or would be guessed sooner than read. */
const SHORTEST_TOKEN = 16;
/**
 * Of each table the rows that were written last are read: all of the test's own member are among
 * them, and those of the members before are like them.
 */
const ROWS_READ = 5;

describe('a password that was hashed by scrypt before', () => {
  const hashOf = async (email: string) => {
    const { rows } = await service.deps.db.pool.query<{ password: string }>(
      'SELECT password FROM logins l JOIN members m ON m.id = l.member_id WHERE email = $1',
      [email],
    );
    return rows[0]?.password ?? '';
  };
  const openOldMember = async () => {
    const { email } = await openMember(service, newEmail());
    const old = await hashPassword(PASSWORD);
    await service.deps.db.pool.query(
      'UPDATE logins SET password = $2 FROM members m WHERE m.id = member_id AND email = $1',
      [email, old],
    );
    return { email, old };
  };

  test('signs its member in, and is hashed by argon2id from then on', async () => {
    const { email, old } = await openOldMember();
    expect((await openBrowser(service).signIn(email, 'outra frase, de um estranho')).status).toBe(401);
    expect(await hashOf(email)).toBe(old);
    expect((await openBrowser(service).signIn(email, PASSWORD)).status).toBe(200);
    const renewed = await hashOf(email);
    expect(renewed).toMatch(/^\$argon2id\$/);
    expect((await openBrowser(service).signIn(email, PASSWORD)).status).toBe(200);
    expect(await hashOf(email)).toBe(renewed);
  });

  test('is not brought back where it is changed while it is hashed again', async () => {
    const { email, old } = await openOldMember();
    const changed = await hashPassword('uma frase nova');
    await replacePasswordHash(service.deps.db, email, { from: old, to: changed });
    await replacePasswordHash(service.deps.db, email, { from: old, to: await passwordHashing.hash(PASSWORD) });
    expect(await hashOf(email)).toBe(changed);
  });

  test('signs its member in where it can’t be hashed again now', async () => {
    const { email, old } = await openOldMember();
    const { hash } = passwordHashing;
    passwordHashing.hash = () => Promise.reject(new Error('No place is free.'));
    const answer = await openBrowser(service)
      .signIn(email, PASSWORD)
      .finally(() => Object.assign(passwordHashing, { hash }));
    expect([answer.status, await hashOf(email)]).toEqual([200, old]);
  });
});

test('a reader of the database can’t sign in, set a password or pass a second factor', async () => {
  const { email, browser } = await openMember(service, newEmail());
  await setUpAuthenticator(browser);
  await browser.post('/api/auth/request-password-reset', { email });
  const mail = (await mailTo(service, email, 3)).find((text) => text.includes('/senha/nova'));
  const reset = new URL(linkIn(mail), service.url).searchParams.get('token');
  const halfway = openBrowser(service);
  await halfway.signIn(email, PASSWORD);
  const waiting = [...halfway.cookies].find(([name]) => name.includes('two_factor'));
  expect([reset, waiting?.[1]].every(Boolean)).toBe(true);

  const { pool } = service.deps.db;
  const texts = new Set<string>();
  for (const table of [
    'sessions',
    'login_tokens',
    'two_factors',
    'logins',
    'passkeys',
    'members',
    'settings',
    'mails',
  ]) {
    const { rows } = await pool.query<Record<string, unknown>>(
      `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY t.ctid DESC LIMIT ${ROWS_READ}`,
    );
    for (const text of JSON.stringify(rows).match(/"(?:[^"\\]|\\.)*"/g) ?? []) texts.add(JSON.parse(text));
  }
  expect(texts.size).toBeGreaterThan(20);
  // The searched texts are valid secrets, and are in no table.
  const dump = [...texts].join('\n');
  for (const secret of [reset, waiting?.[1], browser.cookies.get('trilho.session_token')]) {
    const [token = ''] = decodeURIComponent(secret ?? '').split('.');
    expect([token.length > 20, dump.includes(token)]).toEqual([true, false]);
  }
  const nothing = async (text: string) => {
    for (const name of ['trilho.session_token', waiting?.[0] ?? '']) {
      const visitor = withCookie(name, text);
      expect([text, (await me(visitor)).status]).toEqual([text, 401]);
      const code = { code: '000000' };
      expect([text, (await visitor.post('/api/auth/two-factor/verify-totp', code)).status]).toEqual([text, 401]);
    }
    const body = { token: text.replace(/^reset-password:/, ''), newPassword: 'uma frase de quem leu o banco' };
    expect([text, (await openBrowser(service).post('/api/auth/reset-password', body)).status]).toEqual([text, 400]);
  };
  const queue = [...texts].filter((text) => text.length >= SHORTEST_TOKEN);
  expect(queue.length).toBeGreaterThan(20);
  const work = async () => {
    for (let text = queue.pop(); text !== undefined; text = queue.pop()) await nothing(text);
  };
  await Promise.all([work(), work(), work(), work()]);
  const body = { token: reset, newPassword: 'uma frase nova de quem tem o e-mail' };
  expect((await openBrowser(service).post('/api/auth/reset-password', body)).status).toBe(200);
});

test('a database that fails under a sign-in is reported as everywhere: with a request id and in our log', async () => {
  const own = await startTestService();
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const { email, password } = await openMember(own, 'cortada@example.com');
    await own.asOwner('ALTER TABLE logins RENAME TO logins_gone');
    const broken = await openBrowser(own).signIn(email, password);
    expect([broken.status, broken.body.message]).toEqual([500, expect.any(String)]);
    expect(broken.text).not.toContain('logins');
    const line = own.log.find((one) => one.includes(broken.headers.get('x-request-id') ?? 'none'));
    expect(line).toContain('A request failed.');
    expect(line).toContain('logins');
    expect(printed.mock.calls.flat().join(' ')).not.toContain('SERVER_ERROR');
  } finally {
    printed.mockRestore();
    await own.stop();
  }
});

function withCookie(name: string, value = ''): PanelBrowser {
  const browser = openBrowser(service);
  browser.cookies.set(name, encodeURIComponent(value));
  return browser;
}

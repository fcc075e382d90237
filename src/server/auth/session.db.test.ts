import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askDuring } from '#db/testing/ask-during.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { purgeExpired } from '#jobs/housekeeping.ts';
import { passwordHashing } from '#services/members/password-hashing.ts';
import { resetMember } from '#services/members/reset-member.ts';
import { signOutMember } from '#services/members/sign-out-member.ts';
import { messagesOf } from '../../testing/mails.ts';
import {
  linkIn,
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

describe('a session', () => {
  // ASVS 7.4.5
  test('is ended in every browser by the operator, for whoever lost a computer, and no other member’s', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const other = openBrowser(service);
    await other.signIn(email, PASSWORD);
    const neighbour = await openMember(service, newEmail());
    const deps = { ...service.deps, operator: 'ana' };
    expect(await signOutMember(deps, 'ninguem@example.com')).toBeNull();
    expect(await signOutMember(deps, email)).toBe(2);
    for (const ended of [browser, other]) expect((await me(ended)).reason).toBe('not_signed_in');
    expect((await me(neighbour.browser)).status).toBe(200);
    expect(await signOutMember(deps, email)).toBe(0);
    await other.signIn(email, PASSWORD);
    const { entries } = (await other.ask('security.activity', {})).data as { entries: Record<string, unknown>[] };
    const noted = entries.filter(({ action }) => action === 'session.all_ended');
    expect(noted).toMatchObject([{ by: 'operator' }]);
    const { rows } = await service.deps.db.pool.query('SELECT details FROM audit_records WHERE id = $1', [
      noted[0]?.id,
    ]);
    expect(rows).toEqual([{ details: { subject: email, ended: 2, operator: 'ana' } }]);
  });

  test('ends with a second factor that the operator takes from who lost it: they sign in by password, and send nothing for a day', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const reset = (of = email) =>
      resetMember({ ...service.deps, operator: 'ana' }, { email: of, reason: 'Video call' });
    expect(await reset('ninguem@example.com')).toBeNull();
    expect(await reset()).toBe(false);
    expect((await me(browser)).status).toBe(200);
    await setUpAuthenticator(browser);
    const { pool } = service.deps.db;
    await pool.query(
      `INSERT INTO passkeys (id, member_id, public_key, credential_id, counter, device_type, backed_up)
       SELECT id, id, '', id, 0, 'singleDevice', false FROM members WHERE email = $1`,
      [email],
    );
    expect(await reset()).toBe(true);
    expect((await me(browser)).reason).toBe('not_signed_in');
    const again = openBrowser(service);
    expect((await again.signIn(email, PASSWORD)).body).not.toHaveProperty('twoFactorRedirect');
    expect((await again.ask('security.get')).data).toMatchObject({ has_totp: false, passkeys: [] });
    expect((await me(again)).data).toMatchObject({ withdrawals_paused_until: expect.any(String) });
    expect((await mailTo(service, email, 3)).join()).toContain('verificação em duas etapas de um acesso');
    const { rows } = await pool.query(`SELECT details FROM audit_records WHERE action = 'member.reset'`);
    expect(rows).toEqual([{ details: { subject: email, reason: 'Video call', operator: 'ana' } }]);
    expect(await reset()).toBe(false);
    await pool.query('DELETE FROM memberships WHERE member_id = (SELECT id FROM members WHERE email = $1)', [email]);
    expect(await reset()).toBeNull();
  });

  test('is noted when it begins, also by the link in the mail, and its browser is known from then on', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const other = openBrowser(service);
    await other.signIn(email, PASSWORD);
    const { entries } = (await browser.ask('security.activity', {})).data as { entries: { action: string }[] };
    expect(entries.filter(({ action }) => action === 'session.started')).toHaveLength(2);
    for (const { cookies } of [browser, other]) expect(cookies.has('trilho.device')).toBe(true);
  });

  test('that continues is no sign-in: not when an authenticator is set up or used in it, nor with a new password', async () => {
    const { browser } = await openMember(service, newEmail());
    const { code, backupCodes } = await setUpAuthenticator(browser);
    expect((await browser.post('/api/auth/two-factor/verify-totp', { code: await code(1) })).status).toBe(200);
    const newPassword = 'outra frase que ninguém adivinha';
    expect((await browser.call('session.confirm', { recovery_code: backupCodes[0] ?? '' })).status).toBe(200);
    const changed = await browser.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
    expect(changed.status).toBe(200);
    const { entries } = (await browser.ask('security.activity', {})).data as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['two_factor.enabled', 'password.changed']),
    );
    expect(entries.filter(({ action }) => action === 'session.started')).toHaveLength(1);
    const { sessions } = (await browser.ask('security.get')).data as { sessions: object[] };
    expect(sessions).toHaveLength(1);
  });

  test('that is some days old still adds a passkey, once its member has confirmed', async () => {
    const { email, browser } = await openMember(service, newEmail());
    await service.deps.db.pool.query(
      "UPDATE sessions SET created_at = created_at - interval '6 days' WHERE member_id = (SELECT id FROM members WHERE email = $1)",
      [email],
    );
    const options = () => browser.get('/api/auth/passkey/generate-register-options');
    expect((await options()).body).toMatchObject({ data: { reason: 'confirmation_required' } });
    expect((await browser.call('session.confirm', { password: PASSWORD })).status).toBe(200);
    expect((await options()).status).toBe(200);
    // What can't be undone uses the proof up.
    const erase = { customer_id: uuidv7(new Date()), reason: 'Protocolo 1' };
    for (const reason of ['customer_not_found', 'confirmation_required'])
      expect((await browser.call('customers.erase', erase)).reason).toBe(reason);
    for (const [ago, status] of [
      ['5 minutes 1 second', 403],
      ['4 minutes 50 seconds', 200],
    ]) {
      const confirmed = 'UPDATE sessions SET confirmed_at = now() - $2::interval';
      const { pool } = service.deps.db;
      await pool.query(`${confirmed} WHERE member_id = (SELECT id FROM members WHERE email = $1)`, [email, ago]);
      expect([ago, (await options()).status]).toEqual([ago, status]);
    }
    // One that no authenticator has made is a mistake of the browser, not of ours.
    const response = {
      id: 'x',
      rawId: 'x',
      type: 'public-key',
      response: { clientDataJSON: 'x', attestationObject: 'x' },
    };
    const made = await browser.post('/api/auth/passkey/verify-registration', { response });
    expect([made.status, made.body]).toMatchObject([400, { data: { reason: 'invalid_input' } }]);
  });

  // ASVS 7.3.2
  test('in use ends a week after it began all the same, and is over from that instant', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { pool } = service.deps.db;
    const mine = 'member_id = (SELECT id FROM members WHERE email = $1)';
    const lasts = 'round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days';
    const ends = async () =>
      (await pool.query(`SELECT ${lasts}, expires_at FROM sessions WHERE ${mine}`, [email])).rows;
    expect(await ends()).toEqual([{ days: 7, expires_at: expect.any(Date) }]);
    await pool.query(
      `UPDATE sessions SET created_at = created_at - interval '6 days', updated_at = updated_at - interval '6 days',
       expires_at = expires_at - interval '6 days' WHERE ${mine}`,
      [email],
    );
    const before = await ends();
    await browser.call('session.confirm', { password: PASSWORD });
    expect((await browser.get('/api/auth/passkey/generate-register-options')).status).toBe(200);
    expect((await me(browser)).status).toBe(200);
    expect(await ends()).toEqual(before);
    await pool.query(`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE ${mine}`, [email]);
    expect((await me(browser)).reason).toBe('not_signed_in');
    expect((await browser.get('/api/auth/passkey/generate-register-options')).status).toBe(401);
  });

  // ASVS 3.3.2, 3.3.4
  test('is in an HttpOnly, SameSite cookie only: the body of the sign-in’s answer does not contain its token', async () => {
    const { email } = await openMember(service, newEmail());
    const browser = openBrowser(service);
    const answer = await browser.signIn(email, PASSWORD);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('trilho.session_token=')) ?? '';
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    // A copy of the session in a second cookie would be believed after the session has ended.
    expect([...browser.cookies.keys()].filter((name) => name.includes('session'))).toEqual(['trilho.session_token']);
    const token = decodeURIComponent(browser.cookies.get('trilho.session_token') ?? '').split('.')[0] ?? '';
    expect(token.length).toBeGreaterThan(20);
    expect(answer.text).not.toContain(token);
  });

  test('is not valid without the signature, or with another one', async () => {
    const { browser } = await openMember(service, newEmail());
    const signed = decodeURIComponent(browser.cookies.get('trilho.session_token') ?? '');
    const [token, signature = ''] = signed.split('.');
    for (const cookie of [
      token,
      `${token}.`,
      `${token}.x`,
      `${token}.${signature.replace(/^./, '_')}`,
      `${signed}.${signature}`,
    ])
      expect([cookie, (await me(withCookie('trilho.session_token', cookie))).status]).toEqual([cookie, 401]);
    expect((await me(withCookie('trilho.session_token', signed))).status).toBe(200);
  });

  // ASVS 3.3.1, 3.3.3, 3.4.1
  test('under TLS has the __Host- prefix and is Secure', async () => {
    const tls = await startTestService({ variables: { PUBLIC_URL: 'https://pay.example.com' } });
    try {
      const { email, password } = await openMember(tls, newEmail());
      const answer = await openBrowser(tls).signIn(email, password);
      expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
      const cookies = answer.headers.getSetCookie();
      expect(cookies.length).toBeGreaterThan(1);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/^__Host-trilho\./);
        expect(cookie).toMatch(/; Secure/i);
        expect(cookie).toMatch(/; Path=\//i);
        expect(cookie).not.toMatch(/domain=/i);
      }
    } finally {
      await tls.stop();
    }
  });

  test('that is ended is over at once, in this browser and in others', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const other = openBrowser(service, { userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' });
    await other.signIn(email, PASSWORD);
    const listed = (await browser.ask('security.get')).data as { sessions: { id: string; current: boolean }[] };
    const foreign = listed.sessions.find(({ current }) => !current);
    expect(listed.sessions).toHaveLength(2);
    await browser.call('security.endSession', { id: foreign?.id });
    expect((await me(other)).reason).toBe('not_signed_in');
    expect((await me(browser)).status).toBe(200);
    const cookies = new Map(browser.cookies);
    await browser.post('/api/auth/sign-out', {});
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await me(browser)).reason).toBe('not_signed_in');
  });

  test('that has expired, and an unused link, are deleted; valid ones are not', async () => {
    const { browser } = await openMember(service, newEmail());
    const { pool } = service.deps.db;
    const mine = (await me(browser)).data as { email: string };
    const kept = await pool.query('SELECT id FROM sessions WHERE expires_at > now()');
    await pool.query(
      `INSERT INTO sessions (id, member_id, token, expires_at, created_at, updated_at)
       SELECT 'over', id, 'over', now() - interval '1 second', now(), now() FROM members WHERE email = $1`,
      [mine.email],
    );
    for (const [id, hours] of [
      ['old', -1],
      ['new', 1],
    ] as const)
      await pool.query(
        `INSERT INTO login_tokens (id, identifier, value, expires_at, created_at, updated_at)
         VALUES ($1, $1, $1, now() + make_interval(hours => $2), now(), now())`,
        [id, hours],
      );
    await purgeExpired(service.deps);
    expect((await pool.query('SELECT id FROM sessions')).rows).toEqual(expect.arrayContaining(kept.rows));
    expect((await pool.query(`SELECT FROM sessions WHERE id = 'over'`)).rowCount).toBe(0);
    const tokens = await pool.query(`SELECT id FROM login_tokens WHERE id IN ('old', 'new')`);
    expect(tokens.rows).toEqual([{ id: 'new' }]);
    expect((await me(browser)).status).toBe(200);
  });

  test('of another member can’t be ended', async () => {
    const one = await openMember(service, newEmail());
    const two = await openMember(service, newEmail());
    const { sessions } = (await two.browser.ask('security.get')).data as { sessions: { id: string }[] };
    expect((await one.browser.call('security.endSession', { id: sessions[0]?.id })).reason).toBe('not_found');
    expect((await me(two.browser)).status).toBe(200);
  });

  // ASVS 6.6.2
  test('ends with a new password by e-mail, which pauses withdrawals; the link for it works once, and ends earlier ones', async () => {
    const { email, browser } = await openMember(service, newEmail());
    await browser.post('/api/auth/request-password-reset', { email });
    const earlier = tokenIn((await mailTo(service, email, 2))[1]);
    await browser.post('/api/auth/request-password-reset', { email });
    const link = linkIn((await mailTo(service, email, 3))[2]);
    expect(link).toMatch(/^\/senha\/nova\?token=/);
    const token = new URL(link, service.url).searchParams.get('token');
    const newPassword = 'uma outra frase, bem diferente';
    const opened = () => openBrowser(service).call('session.resetLink', { token });
    expect((await opened()).data).toEqual({ email });
    const weak = await browser.post('/api/auth/reset-password', { token, newPassword: 'senha12345' });
    expect(weak.status).toBe(400);
    expect((await browser.post('/api/auth/reset-password', { token, newPassword })).status).toBe(200);
    expect((await me(browser)).reason).toBe('not_signed_in');
    expect((await browser.signIn(email, PASSWORD)).status).toBe(401);
    expect((await browser.signIn(email, newPassword)).status).toBe(200);
    expect((await me(browser)).data).toMatchObject({ withdrawals_paused_until: expect.any(String) });
    for (const over of [token, earlier]) {
      expect((await browser.post('/api/auth/reset-password', { token: over, newPassword })).status).toBe(400);
      expect((await openBrowser(service).call('session.resetLink', { token: over })).reason).toBe('link_over');
    }
  });
});

test('a sign-in with the old password that is under way while the password is changed begins no session', async () => {
  const { email } = await openMember(service, newEmail());
  const { pool } = service.deps.db;
  const newHash = await passwordHashing.hash('uma outra frase, bem diferente');
  const visitor = openBrowser(service);
  const answer = await askDuring(
    pool,
    async (session) => {
      const mine = 'member_id = (SELECT id FROM members WHERE email = $1)';
      // The new session waits for this lock, after its password was found right.
      await session.query('SELECT FROM members WHERE email = $1 FOR UPDATE', [email]);
      await session.query(`UPDATE logins SET password = $2 WHERE ${mine}`, [email, newHash]);
      await session.query(`DELETE FROM sessions WHERE ${mine}`, [email]);
    },
    () => visitor.signIn(email, PASSWORD),
  );
  expect([answer.status, visitor.cookies.size]).toEqual([401, 0]);
  const mine = `SELECT FROM sessions WHERE member_id = (SELECT id FROM members WHERE email = $1)`;
  expect((await pool.query(mine, [email])).rowCount).toBe(0);
});

test('a password that is changed, or reset by another link, while its owner resets it stays the one of the reset', async () => {
  const { email, browser } = await openMember(service, newEmail());
  await browser.post('/api/auth/request-password-reset', { email });
  const token = tokenIn((await mailTo(service, email, 2))[1]);
  const later = { currentPassword: PASSWORD, newPassword: 'a terceira frase, só minha' };
  const requests = [
    [400, () => browser.post('/api/auth/reset-password', { ...later, token })],
    [401, () => browser.post('/api/auth/change-password', later)],
  ] as const;
  for (const [status, ask] of requests) {
    const newPassword = `uma outra frase, bem diferente: ${status}`;
    const newHash = await passwordHashing.hash(newPassword);
    const mine = 'UPDATE logins SET password = $2 WHERE member_id = (SELECT id FROM members WHERE email = $1)';
    const { pool } = service.deps.db;
    const answer = await askDuring(pool, (session) => session.query(mine, [email, newHash]), ask);
    expect(answer.status).toBe(status);
    expect((await openBrowser(service).signIn(email, newPassword)).status).toBe(200);
    await pool.query(mine, [email, await passwordHashing.hash(PASSWORD)]);
  }
});

test('a link to a new password is compared with the password by the database’s time, not by the machine’s', async () => {
  const behind = await startTestService({ clock: () => new Date(Date.now() - 3_600_000) });
  try {
    const { email, browser } = await openMember(behind, newEmail());
    // After the first one its member is notified.
    for (const count of [2, 4]) {
      await browser.post('/api/auth/request-password-reset', { email });
      const link = (await mailTo(behind, email, count)).findLast((mail) => mail.includes('/senha/nova'));
      const body = { token: tokenIn(link), newPassword: `uma outra frase, a de número ${count}` };
      expect((await browser.post('/api/auth/reset-password', body)).status).toBe(200);
    }
  } finally {
    await behind.stop();
  }
});

test('the link to a new password says after an hour that it is too old, before a password is typed', async () => {
  const { email, browser } = await openMember(service, newEmail());
  await browser.post('/api/auth/request-password-reset', { email });
  const token = new URL(linkIn((await mailTo(service, email, 2))[1]), service.url).searchParams.get('token');
  const opened = () => openBrowser(service).call('session.resetLink', { token });
  const passes = (minutes: number) =>
    service.asOwner(`UPDATE login_tokens SET expires_at = expires_at - interval '${minutes} minutes'`);
  await passes(58);
  expect((await opened()).data).toEqual({ email });
  await passes(2);
  expect((await opened()).reason).toBe('link_over');
  const body = { token, newPassword: 'uma outra frase, bem diferente' };
  expect((await browser.post('/api/auth/reset-password', body)).status).toBe(400);
});

test('no password is reset where its pause can’t be noted, and one that is ends all sessions whatever fails then', async () => {
  const { email, browser } = await openMember(service, newEmail());
  await browser.post('/api/auth/request-password-reset', { email });
  const link = linkIn((await mailTo(service, email, 2))[1]);
  const token = new URL(link, service.url).searchParams.get('token');
  const newPassword = 'uma outra frase, bem diferente';
  const rule = `CHECK (email <> '${email}' OR withdrawals_blocked_until IS NULL)`;
  await service.asOwner(`ALTER TABLE members ADD CONSTRAINT never_paused ${rule}`);
  try {
    expect((await browser.post('/api/auth/reset-password', { token, newPassword })).status).toBe(500);
  } finally {
    await service.asOwner('ALTER TABLE members DROP CONSTRAINT never_paused');
  }
  expect((await openBrowser(service).signIn(email, newPassword)).status).toBe(401);
  expect((await openBrowser(service).signIn(email, PASSWORD)).status).toBe(200);

  await service.asOwner(
    "ALTER TABLE audit_records ADD CONSTRAINT no_reset CHECK (action <> 'password.reset') NOT VALID",
  );
  try {
    expect((await browser.post('/api/auth/reset-password', { token, newPassword })).status).toBe(500);
  } finally {
    await service.asOwner('ALTER TABLE audit_records DROP CONSTRAINT no_reset');
  }
  expect((await me(browser)).reason).toBe('not_signed_in');
  expect((await openBrowser(service).signIn(email, newPassword)).status).toBe(200);
});

test('a member is notified of a browser that is new to their login, and of no other; others are not notified', async () => {
  const { email, browser } = await openMember(service, newEmail());
  const notices = async (asked: PanelBrowser) =>
    ((await asked.ask('notices.list', { language: 'en' })).data as { notices: { text: string }[] }).notices;
  // The browser of the sign-up is not new.
  expect(await notices(browser)).toEqual([]);
  await browser.signIn(email, PASSWORD);
  expect(await notices(browser)).toEqual([]);
  const other = openBrowser(service);
  await other.signIn(email, PASSWORD);
  await other.signIn(email, PASSWORD);
  expect((await notices(browser)).map(({ text }) => text)).toEqual(['Sign-in from a new browser']);
  const isSent = (text: string) => text.includes(`To: ${email}`) && text.includes('que ainda não a conhecia');
  await service.until('the mail is sent', async () => messagesOf(service).some(isSent) || null);
  // Somebody else signs in with the first member's browser: it is new to their own login.
  const { merchant_id: merchantId } = (await me(browser)).data as { merchant_id: string };
  const colleague = await openMember(service, newEmail(), { merchantId });
  await browser.signIn(colleague.email, PASSWORD);
  expect(await notices(colleague.browser)).toHaveLength(1);
  expect(await notices(other)).toHaveLength(1);
});

function withCookie(name: string, value = ''): PanelBrowser {
  const browser = openBrowser(service);
  browser.cookies.set(name, encodeURIComponent(value));
  return browser;
}

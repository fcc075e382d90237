import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { hashPassword } from '@better-auth/utils/password';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askDuring } from '#db/testing/ask-during.ts';
import {
  createOperator,
  disableOperator,
  type OperatorLogin,
  resetOperator,
} from '#services/operators/manage-operators.ts';
import { openBrowser, openMember, type PanelBrowser } from '#testing/panel-browser.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';

let trilho: TestService;
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
beforeAll(async () => {
  trilho = await startTestService({ clock });
});
afterAll(() => trilho.stop());

const MINUTE_MS = 60_000;
let operators = 0;

async function newOperator(): Promise<OperatorLogin> {
  const login = await createOperator(trilho.deps, { name: 'Ana', email: `ana-${++operators}@trilho.example` });
  if (!login) throw new Error('There is one already.');
  return login;
}

/** Returns a code. Each is used once, so the clock first moves on to the next. */
async function nextCode({ authenticatorKey }: OperatorLogin): Promise<string> {
  aheadMs += 30_000;
  const secret = new TextDecoder().decode(base32.decode(authenticatorKey));
  return createOTP(secret).hotp(Math.floor(clock().getTime() / 30_000));
}

const signIn = (browser: PanelBrowser, typed: { email: string; password: string; code: string }) =>
  browser.post('/operator/api/sign-in', typed);

async function signedIn(login: OperatorLogin): Promise<PanelBrowser> {
  const browser = openBrowser(trilho);
  const { email, password } = login;
  const answer = await signIn(browser, { email, password, code: await nextCode(login) });
  if (answer.status !== 200) throw new Error(`The operator's sign-in was answered ${answer.status}: ${answer.text}`);
  return browser;
}

const ask = async (browser: PanelBrowser, procedure: string, input?: object) => {
  const query = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
  return browser.get(`/operator/api/trpc/${procedure}${query}`);
};
const call = (browser: PanelBrowser, procedure: string, input: object = {}) =>
  browser.post(`/operator/api/trpc/${procedure}`, input);
const reasonOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.error as { data?: { reason?: string } } | undefined)?.data?.reason ?? null;

test('an operator signs in with password and code together, and the cookie goes to the console alone', async () => {
  const login = await newOperator();
  const browser = openBrowser(trilho);
  const code = await nextCode(login);
  const { email, password } = login;
  const answer = await signIn(browser, { email, password, code });
  expect([answer.status, answer.headers.getSetCookie()[0]]).toEqual([
    200,
    expect.stringMatching(/^trilho\.operator=[\w-]{43}; Path=\/operator; HttpOnly; SameSite=Strict$/),
  ]);
  const me = await ask(browser, 'session.me');
  expect(me.text).toContain(email);
  // The same code begins no second session.
  expect((await signIn(openBrowser(trilho), { email, password, code })).status).toBe(401);
  const { rows } = await trilho.deps.db.pool.query(
    "SELECT merchant_id, details FROM audit_records WHERE action = 'operator.signed_in' ORDER BY id DESC LIMIT 1",
  );
  expect(rows).toEqual([{ merchant_id: null, details: { operator: email } }]);
});

test('an operator whose password was hashed by scrypt before signs in, and it is hashed by argon2id from then on', async () => {
  const login = await newOperator();
  const { email, password } = login;
  const { pool } = trilho.deps.db;
  const old = await hashPassword(password);
  await pool.query('UPDATE operators SET password_hash = $2 WHERE email = $1', [email, old]);
  const hashAfter = async (typed: string) => {
    await signIn(openBrowser(trilho), { email, password: typed, code: await nextCode(login) });
    const { rows } = await pool.query('SELECT password_hash FROM operators WHERE email = $1', [email]);
    return rows[0].password_hash;
  };
  expect(await hashAfter('outra')).toBe(old);
  const renewed = await hashAfter(password);
  expect(renewed).toMatch(/^\$argon2id\$/);
  await signedIn(login);
  expect(await hashAfter(password)).toBe(renewed);
});

test('no answer says which of e-mail, password and code was wrong', async () => {
  const login = await newOperator();
  const right = { email: login.email, password: login.password, code: await nextCode(login) };
  const answers = [
    await signIn(openBrowser(trilho), { ...right, email: 'ninguem@trilho.example' }),
    await signIn(openBrowser(trilho), { ...right, password: 'outra' }),
    await signIn(openBrowser(trilho), { ...right, code: '000000' }),
  ];
  for (const answer of answers) {
    expect([answer.status, answer.text]).toEqual([401, answers[0]?.text]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
});

test('a sign-in and a code that fail are noted of a known operator, whom others’ guesses don’t lock out of their own browser', async () => {
  const login = await newOperator();
  const { email, password } = login;
  const own = await signedIn(login);
  await call(own, 'session.confirm', { code: '000000' });
  const stranger = openBrowser(trilho);
  const guess = () => signIn(stranger, { email, password: 'outra', code: '000000' });
  await signIn(stranger, { email: 'ninguem@trilho.example', password: 'outra', code: '000000' });
  let last = await guess();
  for (let tried = 1; last.status !== 429 && tried < 60; tried++) last = await guess();
  expect(last.status).toBe(429);
  const noted = await trilho.until('all of them are noted', async () => {
    const { rows } = await trilho.deps.db.pool.query<{ action: string; merchantId: string | null; tried: number }>(
      `SELECT action, merchant_id AS "merchantId", (details ->> 'count_in_hour')::int AS tried FROM audit_records
       WHERE details ->> 'subject' = $1 AND action ~ '(failed|locked)$' ORDER BY id`,
      [email],
    );
    // Each is noted beside its answer: a later one may come first.
    return rows.length === 22 ? rows : null;
  });
  expect(noted[0]).toEqual({ action: 'confirmation.failed', merchantId: null, tried: 1 });
  expect(noted.filter(({ action }) => action === 'operator_sign_in.failed')).toHaveLength(20);
  expect(noted.filter(({ action }) => action === 'operator_sign_in.locked')).toHaveLength(1);
  expect((await ask(own, 'audit.search', { limit: 50 })).text).toContain('operator_sign_in.locked');
  expect((await signIn(own, { email, password, code: await nextCode(login) })).status).toBe(200);
});

test('a code is guessed ten times at most, at the sign-in and in a session together, and then the right one waits too', async () => {
  const login = await newOperator();
  const own = await signedIn(login);
  const typed = { email: login.email, password: login.password };
  for (let guess = 0; guess < 5; guess++) {
    expect(reasonOf(await call(own, 'session.confirm', { code: '000000' }))).toBe('confirmation_failed');
    expect((await signIn(own, { ...typed, code: '000000' })).status).toBe(401);
  }
  expect(reasonOf(await call(own, 'session.confirm', { code: await nextCode(login) }))).toBe('too_many_attempts');
  expect((await signIn(own, { ...typed, code: await nextCode(login) })).status).toBe(429);
  // Another operator's codes are counted apart.
  await signedIn(await newOperator());
});

test('a member’s session, an API key and a made-up cookie reach nothing of the console', async () => {
  const { browser } = await openMember(trilho, 'membro@example.com');
  const { apiKey } = await trilho.openAccount();
  const made = openBrowser(trilho);
  made.cookies.set('trilho.operator', 'a'.repeat(43));
  // The member's own cookie under the operator's name.
  const renamed = openBrowser(trilho);
  renamed.cookies.set('trilho.operator', decodeURIComponent(browser.cookies.get('trilho.session_token') ?? ''));
  for (const visitor of [browser, made, renamed, openBrowser(trilho)]) {
    for (const procedure of ['session.me', 'accounts.find', 'decisions.waiting', 'verifications.list']) {
      expect([procedure, (await ask(visitor, procedure, {})).status]).toEqual([procedure, 401]);
    }
    expect((await visitor.get('/operator/api/document?verification=x&document=x')).status).toBe(401);
  }
  const withKey = await openBrowser(trilho).get('/operator/api/trpc/session.me', { 'x-api-key': apiKey });
  expect(withKey.status).toBe(401);
  // And the other way round: an operator is no member.
  const operator = await signedIn(await newOperator());
  expect((await operator.get('/api/trpc/test/session.me')).status).toBe(401);
});

test('a change has to come from a page of ours, and asks for a code of the last minutes', async () => {
  const login = await newOperator();
  const browser = await signedIn(login);
  const { accountId, apiKey } = await trilho.openAccount();
  const suspend = { account_id: accountId, reason: 'Denúncia em apuração' };
  const foreign = await browser.post('/operator/api/trpc/accounts.suspend', suspend, {
    origin: 'https://evil.example',
  });
  expect(foreign.status).toBe(403);
  aheadMs += 6 * MINUTE_MS;
  expect(reasonOf(await call(browser, 'accounts.suspend', suspend))).toBe('confirmation_required');
  expect((await trilho.get('/payments/balance', apiKey)).status).toBe(200);
  expect(reasonOf(await call(browser, 'session.confirm', { code: '000000' }))).toBe('confirmation_failed');
  expect((await call(browser, 'session.confirm', { code: await nextCode(login) })).status).toBe(200);
  expect((await call(browser, 'accounts.suspend', suspend)).status).toBe(200);
  await trilho.until('the key is rejected', async () =>
    (await trilho.get('/payments/balance', apiKey)).status === 403 ? true : null,
  );
  expect((await ask(browser, 'accounts.get', { account_id: accountId })).text).toContain('Denúncia em apuração');
  expect(reasonOf(await call(browser, 'accounts.suspend', suspend))).toBe('invalid_state');
  expect((await call(browser, 'accounts.resume', { account_id: accountId })).status).toBe(200);
  const { rows } = await trilho.deps.db.pool.query<{ details: { operator: string } }>(
    "SELECT details FROM audit_records WHERE account_id = $1 AND action = 'account.suspended'",
    [accountId],
  );
  expect(rows[0]?.details.operator).toBe(login.email);
});

test('a session ends with the working day, with the sign-out, and with the operator', async () => {
  const login = await newOperator();
  const out = await signedIn(login);
  expect((await call(out, 'session.signOut')).status).toBe(200);
  expect((await ask(out, 'session.me')).status).toBe(401);
  const disabled = await signedIn(login);
  await disableOperator(trilho.deps, login.email);
  expect((await ask(disabled, 'session.me')).status).toBe(401);
  const { email, password } = login;
  expect((await signIn(openBrowser(trilho), { email, password, code: await nextCode(login) })).status).toBe(401);
  const late = await signedIn(await newOperator());
  aheadMs += 8 * 60 * MINUTE_MS;
  expect((await ask(late, 'session.me')).status).toBe(401);
});

test('a sign-in with the old password that is under way while the operator gets a new one begins no session', async () => {
  const login = await newOperator();
  const { email, password, operatorId } = login;
  const code = await nextCode(login);
  const newHash = await hashPassword('uma outra frase, bem diferente');
  const browser = openBrowser(trilho);
  const answer = await askDuring(
    trilho.deps.db.pool,
    (session) => session.query('UPDATE operators SET password_hash = $2 WHERE id = $1', [operatorId, newHash]),
    () => signIn(browser, { email, password, code }),
  );
  expect([answer.status, browser.cookies.size]).toEqual([401, 0]);
  const { rowCount } = await trilho.deps.db.pool.query('SELECT FROM operator_sessions WHERE operator_id = $1', [
    operatorId,
  ]);
  expect(rowCount).toBe(0);
});

test('a new login of an operator begins a session at once, also within the half minute of the old one’s last code', async () => {
  const login = await newOperator();
  await signedIn(login);
  const again = await resetOperator(trilho.deps, login.email);
  // nextCode moves it on again.
  aheadMs -= 30_000;
  await signedIn(again ?? login);
});

test('an operator finds accounts by name, e-mail and id, page by page, suspended ones alone', async () => {
  const browser = await signedIn(await newOperator());
  const shop = await trilho.openAccount({ name: 'Ateliê Único', email: 'atelie.unico@example.com' });
  const found = async (input: object) => {
    const { body } = await ask(browser, 'accounts.find', input);
    const { data } = body.result as { data: { accounts: { account_id: string }[]; next_cursor: string | null } };
    return data;
  };
  for (const text of ['ateliê ún', 'ATELIE.UNICO', shop.accountId, shop.merchantId]) {
    expect((await found({ text })).accounts.map((one) => one.account_id)).toEqual([shop.accountId]);
  }
  expect((await found({ text: 'ninguém' })).accounts).toEqual([]);
  expect((await found({ text: 'ateliê', suspended: true })).accounts).toEqual([]);
  for (let n = 0; n < 51; n++) await trilho.openAccount({ name: 'Muitas' });
  const first = await found({ text: 'muitas' });
  expect(first.accounts).toHaveLength(50);
  expect((await found({ text: 'muitas', cursor: first.next_cursor })).accounts).toHaveLength(1);
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
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
} from '../../testing/panel-browser.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

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

  // ASVS 3.5.3
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

/** A shorter text is no token, or would be guessed sooner than read. */
const SHORTEST_TOKEN = 16;
/**
 * Of each table the rows that were written last are read: all of the test's own member are among
 * them, and those of the members before are like them.
 */
const ROWS_READ = 5;

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

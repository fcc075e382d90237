import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signUpInput } from '#contract/members/session.ts';
import { openDatabase } from '#db/connection/database.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { insertSignUp } from '#db/members/sign-up.ts';
import { askDuring } from '#db/testing/ask-during.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { purgeExpired } from '#jobs/housekeeping.ts';
import { requestSignUp, runSignUp } from '#services/members/sign-up.ts';
import { setSignUpPolicy } from '#services/members/sign-up-policy.ts';
import { messagesOf } from '../../testing/mails.ts';
import {
  mailTo,
  me,
  newEmail,
  openBrowser,
  openMember,
  PASSWORD,
  SIGN_UP,
  setUpAuthenticator,
  tokenIn,
} from '../../testing/panel-browser.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
let aheadMs = 0;
beforeAll(async () => {
  service = await startTestService({ clock: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => service.stop());

const count = async (table: string, email: string) =>
  (await service.deps.db.pool.query(`SELECT FROM ${table} WHERE email = $1`, [email])).rowCount;

/** Asks for a sign-up; returns the token in the `nth` message to the address. */
async function ask(email: string, typed: object = {}, nth = 1) {
  const answer = await openBrowser(service).post('/api/trpc/session.signUp', { ...SIGN_UP, email, ...typed });
  expect(answer.status).toBe(200);
  return tokenIn((await mailTo(service, email, nth))[nth - 1]);
}
const complete = (token: string, password: unknown = PASSWORD, browser = openBrowser(service)) =>
  browser.post('/api/auth/sign-up/complete', { token, password });
const reasonOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.data as { reason?: string } | undefined)?.reason;

describe('signing up', () => {
  test('makes nothing before the link is used: no member, no merchant, no password', async () => {
    const email = newEmail();
    const token = await ask(email);
    expect([await count('members', email), await count('merchants', email)]).toEqual([0, 0]);
    expect((await openBrowser(service).signIn(email, PASSWORD)).status).toBe(401);
    const { rows } = await service.deps.db.pool.query('SELECT sealed, encode(token_hash, $1) AS hash FROM sign_ups', [
      'base64',
    ]);
    expect(JSON.stringify(rows)).not.toContain(email);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('makes a merchant with a live and a test account, without an API key, and a session', async () => {
    const email = newEmail();
    const browser = openBrowser(service);
    expect((await complete(await ask(email), PASSWORD, browser)).status).toBe(200);
    const test = (await me(browser)).data as Record<string, unknown>;
    expect(test).toMatchObject({ merchant_name: 'Loja Verde', kyc_status: 'pending', livemode: false, email });
    const live = (await browser.ask('session.me', undefined, 'live')).data as Record<string, unknown>;
    expect(live.livemode).toBe(true);
    expect(live.account_id).not.toBe(test.account_id);
    const keys = await service.deps.db.pool.query('SELECT FROM api_keys WHERE account_id = ANY($1)', [
      [test.account_id, live.account_id],
    ]);
    expect(keys.rowCount).toBe(0);
    const { entries } = (await browser.ask('security.activity', {})).data as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toEqual(['session.started', 'member.signed_up']);
  });

  // ASVS 7.6.2
  test('is not done by following the link: a program that scans mail opens and uses up nothing', async () => {
    const email = newEmail();
    const token = await ask(email);
    const scanner = openBrowser(service);
    for (const path of ['/api/auth/sign-up/complete', '/cadastro/confirmar', '/api/auth/verify-email']) {
      const { status, headers } = await scanner.get(`${path}?token=${token}&password=${encodeURIComponent(PASSWORD)}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.getSetCookie()).toEqual([]);
    }
    for (let looks = 0; looks < 2; looks++) {
      const { data } = await scanner.call('session.signUpLink', { token });
      expect(data).toEqual({ merchant_name: 'Loja Verde', name: 'João Souza', email });
    }
    expect(await count('members', email)).toBe(0);
    expect((await complete(token)).status).toBe(200);
  });

  // ASVS 6.4.1
  test('with a link works once, also when it is used many times at once, and not after an hour', async () => {
    const email = newEmail();
    const token = await ask(email);
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect(await count('members', email)).toBe(1);
    expect(reasonOf(await complete(token))).toBe('link_over');
    expect((await openBrowser(service).call('session.signUpLink', { token })).reason).toBe('link_over');
    for (const nonsense of ['', 'x', 'a'.repeat(43), token.toLowerCase()]) {
      expect(reasonOf(await complete(nonsense))).toBe('link_over');
    }
    const late = await ask(newEmail());
    aheadMs = 3_600_001;
    try {
      expect(reasonOf(await complete(late))).toBe('link_over');
      await purgeExpired(service.deps);
      expect((await service.deps.db.pool.query('SELECT FROM sign_ups')).rowCount).toBe(0);
    } finally {
      aheadMs = 0;
    }
  });

  test('by a stranger with an owner’s address opens nothing for the stranger and takes nothing from the owner', async () => {
    const email = newEmail();
    const stranger = openBrowser(service);
    const early = await ask(email, { merchant_name: 'Do estranho', name: 'Estranho', password: 'a senha do estranho' });
    const own = await ask(email, {}, 2);
    await ask(email, { merchant_name: 'Do estranho outra vez' }, 3);
    // What each link would open is shown before it is used.
    const shown = await stranger.call('session.signUpLink', { token: early });
    expect(shown.data).toMatchObject({ merchant_name: 'Do estranho' });
    const browser = openBrowser(service);
    expect((await complete(own, PASSWORD, browser)).status).toBe(200);
    expect((await me(browser)).data).toMatchObject({ merchant_name: 'Loja Verde', name: 'João Souza' });
    // The password that came with the stranger's form, and the other links, are worth nothing.
    expect((await stranger.signIn(email, 'a senha do estranho')).status).toBe(401);
    expect(reasonOf(await complete(early, 'outra frase bem comprida'))).toBe('already_member');
    expect((await stranger.signIn(email, 'outra frase bem comprida')).status).toBe(401);
    expect(await count('merchants', email)).toBe(1);
  });

  test('with the address of a merchant that an operator made makes no member of it: the message says to ask for an invitation', async () => {
    const email = newEmail();
    const { accountId } = await service.openAccount({ email, kycStatus: 'approved', name: 'Do operador' });
    await openBrowser(service).post('/api/trpc/session.signUp', { ...SIGN_UP, email });
    const [message = ''] = await mailTo(service, email);
    expect(message).toContain('peça um convite');
    expect(message).toContain('Do operador');
    expect(message).not.toMatch(/https?:/);
    expect(await count('members', email)).toBe(0);
    // Nor with a link that was sent before the operator made it.
    const other = newEmail();
    const token = await ask(other);
    await service.openAccount({ email: other, kycStatus: 'approved' });
    expect(reasonOf(await complete(token))).toBe('merchant_exists');
    const { browser } = await openMember(service, email);
    expect((await me(browser)).data).toMatchObject({ account_id: accountId, merchant_name: 'Do operador' });
  });

  test('answers and works alike for an address that is new, a member’s or a merchant’s: the rest is a worker’s', async () => {
    const member = (await openMember(service, newEmail())).email;
    const merchant = newEmail();
    await service.openAccount({ email: merchant });
    const done = async (email: string) => {
      const browser = openBrowser(service);
      const { status, text } = await browser.post('/api/trpc/session.signUp', { ...SIGN_UP, email });
      return [status, text];
    };
    expect(await done(member)).toEqual(await done(newEmail()));
    expect(await done(merchant)).toEqual(await done(newEmail()));
    expect((await mailTo(service, member, 2))[1]).toContain('já existe');
    const queries = await Promise.all([member, merchant, newEmail()].map(queriesOf));
    expect(queries[0]?.map((text) => text.trim().split(' ')[0])).toEqual([
      // Whether sign-ups are open.
      'SELECT',
      ...['BEGIN', 'INSERT', 'INSERT', 'COMMIT'],
    ]);
    expect(queries[1]).toEqual(queries[0]);
    expect(queries[2]).toEqual(queries[0]);
  });

  test('rejects better-auth’s own ways to make a login, and takes no merchant or verification from the form', async () => {
    const victim = await service.openAccount();
    const email = newEmail();
    const planted = { merchantId: victim.merchantId, merchant_id: victim.merchantId, emailVerified: true };
    const token = await ask(email, planted);
    const browser = openBrowser(service);
    await browser.post('/api/auth/sign-up/complete', { token, password: PASSWORD, ...planted });
    const { rows } = await service.deps.db.pool.query(
      'SELECT o.merchant_id FROM memberships o JOIN members m ON m.id = o.member_id WHERE m.email = $1',
      [email],
    );
    expect(rows[0].merchant_id).not.toBe(victim.merchantId);
    for (const path of ['/sign-up/email', '/send-verification-email', '/verify-email']) {
      expect((await browser.post(`/api/auth${path}`, { ...SIGN_UP, email, password: PASSWORD })).status).toBe(404);
    }
    await expect(
      service.deps.db.pool.query('UPDATE members SET email_verified = false WHERE email = $1', [email]),
    ).rejects.toThrow('members_email_verified');
  });

  test.each([
    ['short', 'curta', 'short'],
    ['everybody’s', 'Senha12345!', 'common'],
    ['a run of the keyboard', 'qwertyuiop', 'common'],
    ['the product’s name', 'Tr1lho-2026!', 'product'],
    ['the own e-mail', 'nova-senha@example.com', 'own'],
    ['the name of the business', 'Padaria.Cruzeiro1', 'own'],
    ['missing', null, 'short'],
  ])('rejects a password that is %s, and the link still works', async (_what, password, why) => {
    const email = password === 'nova-senha@example.com' ? password : newEmail();
    const token = await ask(email, { merchant_name: 'Padaria Cruzeiro' });
    const rejected = await complete(token, password);
    expect([rejected.status, rejected.body.data]).toEqual([
      400,
      { reason: 'weak_password', fields: [], params: { why } },
    ]);
    expect((await complete(token)).status).toBe(200);
  });

  test('names what is wrong with each field, for the page to say in its language', async () => {
    const browser = openBrowser(service);
    const wrong = { ...SIGN_UP, email: 'ａna@example.com', document: '123', name: ' ' };
    const { body } = await browser.post('/api/trpc/session.signUp', wrong);
    expect((body.error as { data: { fields: object[] } }).data.fields).toEqual([
      { field: 'document', issue: 'not_cpf_or_cnpj', params: {} },
      { field: 'name', issue: 'empty', params: {} },
      { field: 'email', issue: 'not_ascii_email', params: {} },
    ]);
  });

  test.each([
    'Ana\r\nBcc: b@example.com',
    'Ana\u202Emoc.live',
    'Ganhe R$ 100 em http://evil.example',
    'www.evil',
    'Loja evil.example',
    'Loja evil。example',
    'ana@evil',
  ])('rejects %j as the name of a person or a business', async (name) => {
    const browser = openBrowser(service);
    for (const typed of [{ name }, { merchant_name: name }]) {
      const answer = await browser.post('/api/trpc/session.signUp', { ...SIGN_UP, email: newEmail(), ...typed });
      expect(answer.status).toBe(400);
    }
  });

  test('writes to the address without any of the typed text: another person may read it', async () => {
    const email = newEmail();
    await ask(email, { merchant_name: 'Ligue ja para 0800', name: 'Promocao' });
    const [message = ''] = await mailTo(service, email);
    expect(message).not.toMatch(/0800|Promocao/);
    expect(message.match(/https?:\/\/\S+/g)).toHaveLength(1);
  });
});

describe('an invitation', () => {
  const invite = async (by: ReturnType<typeof openBrowser>, email: string) => {
    await by.call('session.confirm', { password: PASSWORD });
    return by.call('people.invite', { email, role: 'finance' });
  };
  const accept = (token: string, browser = openBrowser(service), name = 'Bia Prado', password = PASSWORD) =>
    browser.post('/api/auth/invitation/accept', { token, name, password });
  const people = async (browser: ReturnType<typeof openBrowser>) =>
    (await browser.ask('people.list')).data as {
      members: { email: string; own: boolean }[];
      invitations: { id: string; email: string }[];
    };

  test('of a member makes one more, with a name and a password of their own; the others are notified', async () => {
    const owner = await openMember(service, newEmail());
    const email = newEmail();
    expect((await owner.browser.call('people.invite', { email, role: 'finance' })).reason).toBe(
      'confirmation_required',
    );
    expect((await invite(owner.browser, email)).status).toBe(200);
    const token = tokenIn((await mailTo(service, email))[0]);
    expect((await people(owner.browser)).invitations).toMatchObject([{ email }]);
    const browser = openBrowser(service);
    const look = await browser.call('session.invitationLink', { token });
    expect(look.data).toEqual({ merchant_name: 'Loja Verde', email, role: 'finance', member: false });
    expect((await browser.get(`/api/auth/invitation/accept?token=${token}`)).status).toBe(405);
    expect((await accept(token, browser)).status).toBe(200);
    expect((await me(browser)).data).toMatchObject({ name: 'Bia Prado', email, merchant_name: 'Loja Verde' });
    expect(reasonOf(await accept(token))).toBe('link_over');
    expect(await people(owner.browser)).toMatchObject({
      members: [
        { email: owner.email, own: true },
        { email, own: false },
      ],
      invitations: [],
    });
    const mails = (await mailTo(service, owner.email, 3)).slice(1).join();
    expect(mails.match(new RegExp(email, 'g'))).toHaveLength(2);
    expect(messagesOf(service).filter((text) => text.includes(`To: ${email}`))).toHaveLength(1);
    const { entries } = (await owner.browser.ask('security.activity', {})).data as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['member.invited', 'member.joined']));
  });

  test('is over once it is withdrawn, replaced by a newer one, or a week old', async () => {
    const owner = await openMember(service, newEmail());
    const email = newEmail();
    await invite(owner.browser, email);
    const first = tokenIn((await mailTo(service, email))[0]);
    await invite(owner.browser, email);
    const second = tokenIn((await mailTo(service, email, 2))[1]);
    expect(reasonOf(await accept(first))).toBe('link_over');
    const [invitation] = (await people(owner.browser)).invitations;
    const stranger = await openMember(service, newEmail());
    expect((await stranger.browser.call('people.withdraw', { id: invitation?.id })).reason).toBe('not_found');
    expect((await owner.browser.call('people.withdraw', { id: invitation?.id })).status).toBe(200);
    expect(reasonOf(await accept(second))).toBe('link_over');
    await invite(owner.browser, email);
    const third = tokenIn((await mailTo(service, email, 3))[2]);
    aheadMs = 7 * 86_400_000 + 1;
    const late = await accept(third);
    aheadMs = 0;
    expect(reasonOf(late)).toBe('link_over');
    expect(await count('members', email)).toBe(0);
  });

  test('floods no mailbox: one that is withdrawn and sent again is rejected after the fifth in an hour', async () => {
    const owner = await openMember(service, newEmail());
    const email = newEmail();
    const reasons: (string | null)[] = [];
    for (let i = 0; i < 6; i++) {
      reasons.push((await invite(owner.browser, email)).reason);
      const [invitation] = (await people(owner.browser)).invitations;
      await owner.browser.call('people.withdraw', { id: invitation?.id });
    }
    expect(reasons).toEqual([null, null, null, null, null, 'rate_limited']);
    const other = await openMember(service, newEmail());
    expect((await invite(other.browser, email)).status).toBe(200);
  });

  test('to an address that signs in elsewhere is answered like any, and joins nobody before it is accepted', async () => {
    const owner = await openMember(service, newEmail());
    const elsewhere = await openMember(service, newEmail());
    const unknown = newEmail();
    const [one, two] = [await invite(owner.browser, elsewhere.email), await invite(owner.browser, unknown)];
    expect([one.status, one.data]).toEqual([two.status, two.data]);
    const [, message = ''] = await mailTo(service, elsewhere.email, 2);
    expect((await elsewhere.browser.ask('session.merchants')).data).toMatchObject({ merchants: [{ chosen: true }] });
    const accepted = await openBrowser(service).post('/api/auth/invitation/accept', { token: tokenIn(message) });
    expect(accepted.body).toEqual({ joined: true });
    expect((await elsewhere.browser.ask('session.merchants')).data).toMatchObject({
      merchants: [{ role: 'owner' }, { role: 'finance' }],
    });
    expect((await invite(owner.browser, owner.email)).reason).toBe('already_member');
  });

  test('is rejected once many are open, and with a weak password or a name that is an address', async () => {
    const owner = await openMember(service, newEmail());
    const email = newEmail();
    await invite(owner.browser, email);
    const token = tokenIn((await mailTo(service, email))[0]);
    expect(reasonOf(await accept(token, openBrowser(service), 'www.evil.example'))).toBe('invalid_input');
    expect(reasonOf(await accept(token, openBrowser(service), 'Bia', 'lojaverde1'))).toBe('weak_password');
    const reasons: (string | null)[] = [];
    for (let i = 0; i < 20; i++)
      reasons.push((await owner.browser.call('people.invite', { email: newEmail(), role: 'viewer' })).reason);
    expect(reasons.slice(0, 19)).toEqual(Array(19).fill(null));
    expect(reasons[19]).toBe('too_many_invitations');
  });
});

test('guesses of others don’t block a new password by mail: it unlocks the login, and the browser that chose it stays unlocked', async () => {
  const { email, browser } = await openMember(service, newEmail());
  await setUpAuthenticator(browser);
  const member = openBrowser(service);
  const thief = openBrowser(service);
  await thief.signIn(email, PASSWORD);
  for (let i = 0; i < 11; i++) await thief.post('/api/auth/two-factor/verify-totp', { code: '000000' });
  const guess = async () => {
    for (let i = 0; i < 21; i++) await openBrowser(service).signIn(email, `errada ${i} errada`);
  };
  await guess();
  expect((await member.signIn(email, PASSWORD)).status).toBe(429);
  // Sign-ups by others with this address don't use up its own messages.
  for (let i = 0; i < 6; i++) await thief.post('/api/trpc/session.signUp', { ...SIGN_UP, email });
  await member.post('/api/auth/request-password-reset', { email });
  const reset = await service.until('the link', async () =>
    messagesOf(service).find((text) => text.includes(`To: ${email}`) && text.includes('/senha/nova')),
  );
  const newPassword = 'uma outra frase, bem diferente';
  const answer = await member.post('/api/auth/reset-password', { token: tokenIn(reset), newPassword });
  expect(answer.status).toBe(200);
  await guess();
  const signedIn = await member.signIn(email, newPassword);
  expect([signedIn.status, signedIn.body.twoFactorRedirect]).toEqual([200, true]);
  // The second factor is free again too.
  expect((await member.post('/api/auth/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
  expect((await openBrowser(service).signIn(email, newPassword)).status).toBe(429);
});

/** The statements that a sign-up runs before it is answered, Prisma's included. */
async function queriesOf(email: string): Promise<string[]> {
  const texts: string[] = [];
  const db = openDatabase(service.databaseUrl);
  db.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const counted = (statement: string | { text: string }, ...rest: unknown[]) => {
      texts.push(typeof statement === 'string' ? statement : statement.text);
      return query(statement, ...rest);
    };
    client.query = counted as typeof client.query;
  });
  const deps = { ...service.deps, db };
  const { merchant_name: merchantName, ...input } = signUpInput.parse({ ...SIGN_UP, email });
  await requestSignUp(deps, { ...input, merchantName }, 'pt-BR');
  await db.close();
  return texts;
}

describe('an installation with restricted sign-ups', () => {
  const operator = () => ({ ...service.deps, operator: 'ana' });
  afterEach(() => setSignUpPolicy(operator(), 'open'));

  test('that needs an invitation lets no sign-up begin, and the link of one that began opens nothing', async () => {
    const email = newEmail();
    const token = await ask(email);
    await setSignUpPolicy(operator(), 'invited');
    const again = await openBrowser(service).call('session.signUp', { ...SIGN_UP, email: newEmail() });
    expect(again).toMatchObject({ status: 403, reason: 'sign_up_closed' });
    const link = await complete(token);
    expect([link.status, reasonOf(link), await count('merchants', email)]).toEqual([403, 'sign_up_closed', 0]);
    await setSignUpPolicy(operator(), 'open');
    expect((await complete(token)).status).toBe(200);
  });

  test('drops a sign-up that waits for its message when sign-ups are closed, and writes none', async () => {
    await setSignUpPolicy(operator(), 'invited');
    const now = service.deps.clock();
    const id = uuidv7(now);
    // Who wrote a message would have to open it, and fail.
    const row = { id, sealed: 'not sealed', expiresAt: new Date(now.getTime() + 60_000), now };
    await insertSignUp(service.deps.db, row);
    await runSignUp(service.deps, id);
    expect((await service.deps.db.pool.query('SELECT FROM sign_ups WHERE id = $1', [id])).rowCount).toBe(0);
  });

  test('that is closed to all but the operator lets no key open accounts, also one that did by invitation before', async () => {
    const { apiKey } = await service.openAccount({ canCreateAccounts: true });
    const open = (email: string) =>
      service.post('/accounts', apiKey, { name: 'Filial', email, document: '529.982.247-25', documentType: 'cpf' });
    await setSignUpPolicy(operator(), 'invited');
    expect((await open(newEmail())).status).toBe(201);
    await setSignUpPolicy(operator(), 'closed');
    expect((await open(newEmail())).status).toBe(403);
  });

  test('has in the audit what each change replaced, also where two operators change it at once', async () => {
    const { db, secretBox } = service.deps;
    await setSignUpPolicy(operator(), 'invited');
    const closed = secretBox.seal('closed', sealContext('settings.sealed', { name: 'sign-up' }));
    await askDuring(
      db.pool,
      (other) => other.query("UPDATE settings SET sealed = $1 WHERE name = 'sign-up'", [closed]),
      () => setSignUpPolicy(operator(), 'open'),
    );
    const { rows } = await db.pool.query(
      "SELECT details FROM audit_records WHERE action = 'installation.sign_up_set' ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([{ details: { operator: 'ana', from: 'closed', to: 'open' } }]);
  });
});

import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { insertAuditOn } from '#db/audit/audit.ts';
import { listInvitations } from '#db/members/invitations.ts';
import { listMembers } from '#db/members/memberships.ts';
import { askDuring } from '#db/testing/ask-during.ts';
import { countLockWaits } from '#db/testing/count-lock-waits.ts';
import type { Role } from '#domain/members/roles.ts';
import {
  linkIn,
  mailTo,
  openBrowser,
  openMember,
  PASSWORD,
  type PanelBrowser,
  setUpAuthenticator,
  tokenIn,
} from '#testing/panel-browser.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { createProgram } from '../../cli/program.ts';
import { inviteMember } from './invite-member.ts';
import { listPeople } from './manage-members.ts';

/** Open invitations of a merchant. */
const OPEN_MAX = 20;
const AT_ONCE = 4;

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

type Person = { id: string; email: string; browser: PanelBrowser };
let merchantId: string;
let owner: Person;
let files = 0;
beforeEach(async () => {
  const email = `dona-${++files}@example.com`;
  const { browser } = await openMember(trilho, email);
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>('SELECT id FROM merchants WHERE email = $1', [
    email,
  ]);
  merchantId = rows[0]?.id ?? '';
  owner = { id: await idOf(email), email, browser };
  await confirm(owner);
});

const idOf = async (email: string) =>
  (await listMembers(trilho.deps.db, merchantId)).find((member) => member.email === email)?.id ?? '';
const confirm = ({ browser }: Person) => browser.call('session.confirm', { password: PASSWORD });

async function join(role: Role, name: string = role): Promise<Person> {
  const email = `${name}-${files}@example.com`;
  const { browser } = await openMember(trilho, email, { merchantId, role });
  return { id: await idOf(email), email, browser };
}

const roleOf = async ({ id }: Person) =>
  (await listMembers(trilho.deps.db, merchantId)).find((member) => member.id === id)?.role ?? null;

const lastAudit = async () => {
  const { rows } = await trilho.deps.db.pool.query<{ action: string; memberId: string; details: object }>(
    'SELECT action, member_id AS "memberId", details FROM audit_records WHERE merchant_id = $1 ORDER BY id DESC LIMIT 1',
    [merchantId],
  );
  return rows[0];
};

// ASVS 8.3.2
test('a changed role applies from the next call on, in a browser that is open', async () => {
  const person = await join('viewer');
  expect((await person.browser.ask('keys.list')).status).toBe(404);
  expect(await owner.browser.call('people.setRole', { id: person.id, role: 'developer' })).toMatchObject({
    status: 200,
  });
  expect((await person.browser.ask('keys.list')).status).toBe(200);
  expect((await person.browser.ask('people.list')).status).toBe(404);
  expect((await person.browser.ask('session.me')).data).toMatchObject({ role: 'developer' });
  expect(await lastAudit()).toMatchObject({
    action: 'member.role_changed',
    memberId: owner.id,
    details: { member_id: person.id, role_before: 'viewer', role: 'developer' },
  });
});

test('the answer that is kept for a form is not given again to a member whose role may not send it any more', async () => {
  const person = await join('finance');
  const create = (name = 'charges.create') =>
    person.browser.call(name, { amount: 10 }, 'test', { 'idempotency-key': 'form-of-before' });
  const first = await create();
  expect([first.status, (await create()).data]).toEqual([200, first.data]);
  await owner.browser.call('people.setRole', { id: person.id, role: 'viewer' });
  const [again, ofNothing] = [await create(), await create('charges.nothing')];
  expect(again).toEqual(ofNothing);
  await owner.browser.call('people.setRole', { id: person.id, role: 'support' });
  expect((await create()).data).toEqual(first.data);
});

test('a viewer is offered no procedure that sends money, and gets no files', async () => {
  const person = await join('viewer');
  const names = ((await person.browser.ask('session.me')).data as { may: string[] }).may;
  expect(names).toContain('overview.get');
  expect(names).not.toContain('withdrawals.pix');
  for (const file of ['upload/test/kyc', 'export/test/nothing.csv']) {
    expect((await person.browser.get(`/${file}`)).status).not.toBe(200);
  }
});

// ASVS 7.4.2
test('a removed member is out at once: session, open stream, and the next sign-in', async () => {
  const person = await join('finance');
  const cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stream = await fetch(`${trilho.url}/api/trpc/test/live.transactions?input=%7B%7D`, { headers: { cookie } });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  expect((await owner.browser.call('people.remove', { id: person.id })).status).toBe(200);
  expect((await person.browser.ask('session.me')).status).toBe(401);
  // Something happens that the stream would show.
  const charge = await owner.browser.call('charges.create', { amount: 10 });
  expect(charge.status).toBe(200);
  let shown = '';
  for (let part = await reader.read(); !part.done; part = await reader.read())
    shown += Buffer.from(part.value).toString();
  expect(shown).not.toContain('"kind":"transaction"');
  const visitor = openBrowser(trilho);
  const again = await visitor.signIn(person.email, PASSWORD);
  expect([again.status, again.text.includes('no_merchant'), visitor.cookies.size]).toEqual([403, true, 0]);
  expect(await lastAudit()).toMatchObject({ action: 'member.removed', details: { member_id: person.id } });
  expect((await mailTo(trilho, owner.email, 1)).join()).toContain(person.email);
});

test('the last owner can’t be removed or demoted, also when two owners remove each other at once', async () => {
  await join('finance');
  const self = { id: owner.id };
  expect((await owner.browser.call('people.remove', self)).reason).toBe('last_owner');
  expect((await owner.browser.call('people.setRole', { ...self, role: 'finance' })).reason).toBe('last_owner');
  // Two owners who remove each other at once: one stays.
  const other = await join('owner', 'socia');
  await confirm(other);
  await confirm(owner);
  const [one, two] = await Promise.all([
    owner.browser.call('people.remove', { id: other.id }),
    other.browser.call('people.remove', { id: owner.id }),
  ]);
  expect([one, two].filter(({ status }) => status === 200)).toHaveLength(1);
  const owners = (await listMembers(trilho.deps.db, merchantId)).filter(({ role }) => role === 'owner');
  expect(owners).toHaveLength(1);
});

/** Asks while another session removes a member and has not committed. */
const whileRemoving = <T>(memberId: string, ask: () => Promise<T>): Promise<T> =>
  askDuring(
    trilho.deps.db.pool,
    async (session) => {
      await session.query("SELECT pg_advisory_xact_lock(hashtextextended('invitations ' || $1, 0))", [merchantId]);
      await session.query('SELECT FROM merchants WHERE id = $1 FOR UPDATE', [merchantId]);
      await session.query('DELETE FROM memberships WHERE merchant_id = $1 AND member_id = $2', [merchantId, memberId]);
    },
    ask,
  );

test('of two owners who remove each other at once one stays, also where there is a third', async () => {
  const other = await join('owner', 'socia');
  await join('owner', 'terceira');
  await confirm(other);
  const outcome = await whileRemoving(other.id, () => other.browser.call('people.remove', { id: owner.id }));
  expect(outcome.reason).toBe('not_found');
  expect(await roleOf(owner)).toBe('owner');
});

test('an owner is not removed while the only other one is being removed', async () => {
  const other = await join('owner', 'socia');
  await confirm(other);
  const removed = await whileRemoving(owner.id, () => other.browser.call('people.remove', { id: other.id }));
  expect(removed.reason).toBe('last_owner');
  expect(await listMembers(trilho.deps.db, merchantId)).toMatchObject([{ id: other.id, role: 'owner' }]);
});

test('the open invitations of an owner end when they are no owner any more, and they send no other', async () => {
  const other = await join('owner', 'socia');
  await confirm(other);
  const invite = (name: string) =>
    other.browser.call('people.invite', { email: `${name}-${files}@example.com`, role: 'owner', language: 'pt-BR' });
  const open = () => listInvitations(trilho.deps.db, merchantId, trilho.deps.clock());
  expect((await invite('complice')).status).toBe(200);
  expect((await owner.browser.call('people.setRole', { id: other.id, role: 'finance' })).status).toBe(200);
  expect(await open()).toEqual([]);
  expect(await lastAudit()).toMatchObject({ action: 'member.role_changed', details: { invitations_withdrawn: 1 } });
  await owner.browser.call('people.setRole', { id: other.id, role: 'owner' });
  const invited = await whileRemoving(other.id, () => invite('outra'));
  expect(invited.reason).toBe('not_found');
  expect(await open()).toEqual([]);
});

test('no invitation is left open for somebody who accepts an earlier one at that moment', async () => {
  const email = `bia-${files}@example.com`;
  const invitation = { merchantId, email, role: 'viewer', language: 'pt-BR', by: null } as const;
  await inviteMember(trilho.deps, invitation);
  trilho.deps.wakeWorkers();
  const token = tokenIn((await mailTo(trilho, email)).at(-1));
  const { pool } = trilho.deps.db;
  const waiting = (count: number) => async () => (await countLockWaits(pool)) >= count || null;
  const session = await pool.connect();
  try {
    // Whoever accepts waits for this lock with the invitation used up.
    await session.query('BEGIN');
    await session.query('SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE', [merchantId]);
    const accepted = openBrowser(trilho).post('/api/auth/invitation/accept', {
      token,
      name: 'Bia',
      password: PASSWORD,
    });
    await trilho.until('the acceptance waits', waiting(1));
    let isAnswered: true | null = null;
    const invited = Promise.allSettled([inviteMember(trilho.deps, invitation)]).finally(() => {
      isAnswered = true;
    });
    await trilho.until('the invitation waits or is there', async () => isAnswered ?? waiting(2)());
    await session.query('COMMIT');
    expect((await accepted).status).toBe(200);
    expect(await invited).toMatchObject([{ status: 'rejected', reason: { code: 'already_member' } }]);
  } finally {
    session.release(true);
  }
  expect(await listInvitations(trilho.deps.db, merchantId, trilho.deps.clock())).toEqual([]);
});

test('a member is removed while one of their sessions is being ended, and both are done', async () => {
  const person = await join('viewer');
  const { pool } = trilho.deps.db;
  let removing: Promise<{ status: number }> | undefined;
  const removed = await askDuring(
    pool,
    async (session) => {
      await session.query('DELETE FROM sessions WHERE member_id = $1', [person.id]);
      removing = owner.browser.call('people.remove', { id: person.id });
      await trilho.until('the removal waits', async () => (await countLockWaits(pool)) > 0 || null);
      const ended = { memberId: person.id, accountId: null, action: 'session.ended', details: {} };
      await insertAuditOn(session as unknown as PoolClient, {
        ...{ ...ended, merchantId, ipAddress: null, userAgent: null, at: trilho.deps.clock() },
      });
    },
    async () => removing,
  );
  expect(removed?.status).toBe(200);
});

test('an owner can’t change or remove members of another merchant', async () => {
  const mine = merchantId;
  const stranger = await openMember(trilho, `outra-${files}@example.com`);
  await stranger.browser.call('session.confirm', { password: PASSWORD });
  const person = await join('viewer');
  for (const [procedure, more] of [['people.setRole', { role: 'owner' }] as const, ['people.remove', {}] as const]) {
    expect((await stranger.browser.call(procedure, { id: person.id, ...more })).reason).toBe('not_found');
  }
  merchantId = mine;
  expect(await roleOf(person)).toBe('viewer');
});

test('a person of two businesses keeps their password, and acts for the one that the browser has chosen', async () => {
  const shop = owner;
  const shopId = merchantId;
  const other = await openMember(trilho, `contador-${files}@example.com`);
  const asked = await shop.browser.call('people.invite', { email: other.email, role: 'finance' });
  expect(asked.status).toBe(200);
  const mail = (await mailTo(trilho, other.email, 2)).at(-1);
  expect(linkIn(mail)).toContain('/convite?token=');
  const visitor = openBrowser(trilho);
  const link = await visitor.post('/api/trpc/session.invitationLink', { token: tokenIn(mail) });
  expect(link.text).toContain('"member":true');
  const joined = await visitor.post('/api/auth/invitation/accept', { token: tokenIn(mail) });
  expect([joined.status, visitor.cookies.size]).toEqual([200, 0]);

  const merchants = async () =>
    (
      (await other.browser.ask('session.merchants')).data as {
        merchants: { id: string; role: Role; chosen: boolean }[];
      }
    ).merchants;
  const [first, second] = await merchants();
  expect([first?.chosen, second]).toEqual([true, { id: shopId, name: 'Loja Verde', role: 'finance', chosen: false }]);
  expect((await other.browser.ask('people.list')).status).toBe(200);
  const before = ((await other.browser.ask('session.me')).data as { account_id: string }).account_id;
  expect((await other.browser.call('session.chooseMerchant', { id: shopId })).status).toBe(200);
  const me = (await other.browser.ask('session.me')).data as { account_id: string; role: Role };
  expect([me.role, me.account_id === before]).toEqual(['finance', false]);
  expect((await other.browser.ask('people.list')).status).toBe(404);
  // A tab that still shows the earlier business changes nothing in the current one.
  const stale = await other.browser.call('charges.create', { amount: 10 }, 'test', { 'x-trilho-account': before });
  expect([stale.status, stale.reason]).toEqual([409, 'other_account']);
  const fresh = { 'x-trilho-account': me.account_id };
  expect((await other.browser.call('charges.create', { amount: 10 }, 'test', fresh)).status).toBe(200);
  expect((await other.browser.call('session.chooseMerchant', { id: owner.id })).reason).toBe('not_found');

  // Nor does it get the current one's files, or put a file among them.
  const statement = (account: string) =>
    other.browser.get(`/export/test/statement.csv?from=2026-11-20&to=2026-11-21&balance=available&account=${account}`);
  const gone = await statement(before);
  expect([gone.status, gone.body]).toEqual([409, { error: 'other_account' }]);
  expect((await statement(me.account_id)).status).toBe(200);
  const upload = (account: string) => other.browser.post(`/upload/test/dispute?dispute=x&account=${account}`, {});
  expect([(await upload(before)).body, (await upload(me.account_id)).status]).toEqual([
    { error: 'other_account' },
    404,
  ]);

  // What replaces the session stays with the business that was chosen.
  const newPassword = 'outra frase que ninguém adivinha';
  const { code } = await setUpAuthenticator(other.browser);
  const acting = async () => ((await other.browser.ask('session.me')).data as { account_id: string }).account_id;
  expect(await acting()).toBe(me.account_id);
  expect((await other.browser.call('session.confirm', { code: await code(1) })).status).toBe(200);
  const changed = await other.browser.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
  expect([changed.status, await acting()]).toEqual([200, me.account_id]);
});

test('an account that the command line opens shows its key, also where the invitation beside it is rejected', async () => {
  const email = `loja-${++files}@example.com`;
  const { merchantId: shopId } = await trilho.openAccount({ email, mode: 'live', document: '52998224725' });
  const invitation = { merchantId: shopId, role: 'viewer', language: 'pt-BR', by: null } as const;
  for (let open = 0; open < 20; open++)
    await inviteMember(trilho.deps, { ...invitation, email: `${open}-de-${email}` });
  const variables = { DATABASE_URL: trilho.databaseUrl, DEMO: 'true', MASTER_KEYS: trilho.masterKeys };
  for (const [name, value] of Object.entries({ ...variables, TRILHO_HOME: trilho.home })) vi.stubEnv(name, value);
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  const terms = ['--document', '52998224725', '--kyc', 'pending', '--mode', 'test', '--name', 'Loja', '--json'];
  try {
    const typed = ['account', 'create', '--email', email, '--invite', ...terms];
    await expect(createProgram().parseAsync(typed, { from: 'user' })).rejects.toThrow('as many open invitations');
    const { api_key: key } = JSON.parse(String(print.mock.calls[0]?.[0])) as { api_key: string };
    expect((await trilho.get('/payments/balance', key)).status).toBe(200);
  } finally {
    vi.unstubAllEnvs();
    print.mockRestore();
  }
});

test('two people who join a business at the same moment both do, also where it gets its other account by that', async () => {
  const email = `loja-${++files}@example.com`;
  const { merchantId: shopId } = await trilho.openAccount({ email, mode: 'live' });
  const invited = [1, 2, 3, 4].map((number) => `${number}-de-${email}`);
  const join = async (person: string) => {
    await inviteMember(trilho.deps, { merchantId: shopId, role: 'viewer', language: 'pt-BR', by: null, email: person });
    trilho.deps.wakeWorkers();
    return tokenIn((await mailTo(trilho, person)).at(-1));
  };
  const tokens = await Promise.all(invited.map(join));
  const answers = await Promise.all(
    tokens.map((token) =>
      openBrowser(trilho).post('/api/auth/invitation/accept', { token, name: 'Bia', password: PASSWORD }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('of an address that is invited several times at once one invitation is open, and never more than allowed are', async () => {
  const open = async () => (await listPeople(trilho.deps, merchantId)).invitations;
  const invite = (email: string) =>
    inviteMember(trilho.deps, { merchantId, email, role: 'viewer', language: 'pt-BR', by: null });
  await Promise.all(Array.from({ length: AT_ONCE }, () => invite(`one-${files}@example.com`)));
  expect(await open()).toHaveLength(1);
  for (let n = 2; n < OPEN_MAX; n++) await invite(`${n}-${files}@example.com`);
  const outcomes = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, (_, n) => invite(`further-${n}-${files}@example.com`)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await open()).toHaveLength(OPEN_MAX);
});

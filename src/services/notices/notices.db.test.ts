import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertNotices } from '#db/notices/insert-notices.ts';
import { findArrivedNotices } from '#db/notices/notices.ts';
import { claimTasks, finishTask } from '#db/tasks/tasks.ts';
import { addMember } from '#db/testing/add-member.ts';
import { ROLES } from '#domain/members/roles.ts';
import type { NoticeKind } from '#domain/notices/notice-kinds.ts';
import { nightWindow } from '#domain/values/business-day.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { purgeExpired } from '#jobs/housekeeping.ts';
import { mayCall } from '#server/procedures/role-access.ts';
import { panelCaller } from '#testing/panel-caller.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { notifyNearLimits, planLimitCheck } from '../accounts/notify-near-limits.ts';
import { runMail } from '../mail/send-mail.ts';
import { inviteMember, runInvitation } from '../members/invite-member.ts';
import { type Notification, notifyMembers } from '../members/notify-members.ts';
import { notifyDifference, RECONCILERS } from '../reconciliation/notify-difference.ts';
import { sendDigest } from './send-digest.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** 19:00 in São Paulo. The next digest is due there at 8:00, which is 11:00 UTC. */
const EVENING = new Date('2027-03-01T22:00:00Z');

let now = EVENING;
let trilho: TestService;
beforeAll(async () => {
  // Only what a test runs itself is run: no worker takes a task.
  trilho = await startTestService({ clock: () => now, variables: { ROLE: 'web' } });
});
afterAll(() => trilho.stop());

const query = async <T>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await trilho.deps.db.pool.query(sql, values)).rows as T[];

async function merchant(...roles: ('owner' | 'viewer')[]) {
  const opened = await trilho.openAccount({ mode: 'live' });
  const members = await Promise.all(
    roles.map(async (role) => {
      const memberId = uuidv7(now);
      const email = `${memberId}@example.com`;
      await addMember(trilho.deps.db.pool, {
        id: memberId,
        merchantId: opened.merchantId,
        email,
        language: 'pt-BR',
        role,
      });
      const panel = await panelCaller(trilho.deps, opened.accountId, { memberId, email, role });
      const notices = async () => (await panel.notices.list({ language: 'en' })).notices;
      const unread = async () => (await panel.session.me()).unread_notices;
      return { memberId, panel, notices, unread };
    }),
  );
  const notify = <K extends NoticeKind>(about: Omit<Notification<K>, 'merchantId'>) =>
    notifyMembers(trilho.deps, { ...about, merchantId: opened.merchantId } as Notification<K>);
  return { ...opened, members, notify };
}

const mails = async (template: string) => (await query('SELECT FROM mails WHERE template = $1', template)).length;

const failed = (accountId: string, subjectId: string) =>
  ({ kind: 'withdrawal_failed', accountId, subjectId, params: { reais: 60 } }) as const;

test('a member is notified once of a subject, with one e-mail, however often its task runs; what is read is their own', async () => {
  const { accountId, notify, members } = await merchant('owner', 'owner');
  const [ana, bia] = members;
  const subject = uuidv7(now);
  await notify(failed(accountId, subject));
  await Promise.all([notify(failed(accountId, subject)), notify(failed(accountId, subject))]);
  expect(await mails('withdrawal_failed')).toBe(2);
  const [notice] = (await ana?.notices()) ?? [];
  expect(notice).toMatchObject({ text: 'Withdrawal of R$60.00 failed', page: `/transacoes/${subject}`, read: false });

  // Another member can't mark it as read.
  await bia?.panel.notices.read({ id: notice?.id ?? '' });
  expect([await ana?.unread(), await bia?.unread()]).toEqual([1, 1]);
  await ana?.panel.notices.read({ id: notice?.id ?? '' });
  expect([await ana?.unread(), await bia?.unread()]).toEqual([0, 1]);
  // What came after the list was read stays unread.
  const until = now;
  now = new Date(now.getTime() + 1_000);
  await notify(failed(accountId, uuidv7(now)));
  await bia?.panel.notices.readAll({ until: until.toISOString() });
  expect([await ana?.unread(), await bia?.unread()]).toEqual([1, 1]);
});

test('a kind of notice that is turned off reaches a member neither in the panel nor by e-mail, but security can’t be turned off', async () => {
  const { accountId, notify, members } = await merchant('owner');
  const [ana] = members;
  const off = (notification: string) =>
    ana?.panel.preferences.setNotification({ notification: notification as 'withdrawal_failed', wanted: false });
  await off('withdrawal_failed');
  await expect(off('security_changed')).rejects.toThrow();
  // An older version may have stored that it is turned off.
  await query(`UPDATE members SET notifications = notifications || '{"security_changed": false}'`);
  const before = [await mails('withdrawal_failed'), await mails('security_changed')];
  await notify(failed(accountId, uuidv7(now)));
  const params = { what: 'api_key_created', about: 'Loja', by: 'Ana', at: now, ipAddress: null } as const;
  await notify({ kind: 'security_changed', params });
  expect(await ana?.notices()).toMatchObject([{ text: 'An API key was made.', about: 'Loja', page: '/chaves' }]);
  expect([await mails('withdrawal_failed'), await mails('security_changed')]).toEqual([
    before[0],
    (before[1] ?? 0) + 1,
  ]);
});

test('a notice is seen by no other merchant, in no other account of its member, and by no removed member', async () => {
  const [one, other] = [await merchant('owner', 'owner'), await merchant('owner')];
  await one.notify(failed(one.accountId, uuidv7(now)));
  const [ana, bia] = one.members;
  expect(await other.members[0]?.notices()).toEqual([]);
  const { accountId: testId } = await trilho.openAccount({ mode: 'test' });
  const elsewhere = await panelCaller(trilho.deps, testId, {
    memberId: ana?.memberId ?? '',
    merchantId: one.merchantId,
  });
  expect((await elsewhere.notices.list({ language: 'en' })).notices).toEqual([]);
  const reader = { memberId: ana?.memberId ?? '', merchantId: one.merchantId };
  const since = new Date(now.getTime() - 1);
  expect(await findArrivedNotices(trilho.deps.db.pool, [reader], since, 5)).toHaveLength(1);
  expect(
    await findArrivedNotices(trilho.deps.db.pool, [{ ...reader, merchantId: other.merchantId }], since, 5),
  ).toEqual([]);
  await query('DELETE FROM memberships WHERE member_id = $1', bia?.memberId);
  expect(await query('SELECT FROM notices WHERE member_id = $1', bia?.memberId)).toEqual([]);
});

test('a member who was removed before their notice is written gets none, and the others get theirs', async () => {
  const { merchantId, members } = await merchant('owner', 'viewer');
  const toSend = members.map(({ memberId }) => {
    const about = {
      memberId,
      merchantId,
      accountId: null,
      kind: 'people_changed',
      subjectId: null,
      occasion: '',
    } as const;
    return { notice: { id: uuidv7(now), ...about, params: '' }, digestAt: now };
  });
  await trilho.asOwner(`DELETE FROM memberships WHERE member_id = '${members[1]?.memberId}'`);
  expect(await insertNotices(trilho.deps.db, toSend, now)).toBe(1);
});

test('a member who was removed before an e-mail to them is sent does not get it', async () => {
  const { accountId, notify, members } = await merchant('owner', 'owner');
  await notify(failed(accountId, uuidv7(now)));
  await query('DELETE FROM memberships WHERE member_id = $1', members[1]?.memberId);
  const { pool } = trilho.deps.db;
  const sent: string[] = [];
  const mailer = { ...trilho.deps.mailer, send: async ({ to }: { to: string }) => void sent.push(to) };
  for (const task of await claimTasks(pool, { now, leaseMs: 30_000, limit: 100 }))
    if (task.kind === 'send_mail') await runMail({ ...trilho.deps, mailer }, task);
  const emails = members.map(({ memberId }) => `${memberId}@example.com`);
  expect(emails.map((email) => sent.includes(email))).toEqual([true, false]);
});

test('members are notified once of an invitation, also where the run that wrote its message ended before that', async () => {
  const { merchantId, members } = await merchant('owner');
  await inviteMember(trilho.deps, { merchantId, email: 'nova@example.com', role: 'owner', language: 'en', by: null });
  const [invitation] = await query<{ id: string }>('SELECT id FROM invitations WHERE merchant_id = $1', merchantId);
  const id = invitation?.id ?? '';
  await trilho.asOwner(`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$;
    CREATE TRIGGER planted BEFORE INSERT ON notices EXECUTE FUNCTION planted()`);
  await expect(runInvitation(trilho.deps, id)).rejects.toThrow();
  await trilho.asOwner('DROP TRIGGER planted ON notices; DROP FUNCTION planted()');
  await runInvitation(trilho.deps, id);
  await runInvitation(trilho.deps, id);
  expect(await members[0]?.notices()).toMatchObject([{ about: 'nova@example.com' }]);
  expect([await mails('invitation'), await mails('people_changed')]).toEqual([1, 1]);
});

test('notices that can wait are sent in one e-mail a day, with all since the last one, also when two workers write it', async () => {
  const { accountId, members } = await merchant('owner', 'viewer');
  const [ana, viewer] = members;
  const memberId = ana?.memberId ?? '';
  const differs = (startsAt: Date) =>
    notifyDifference(trilho.deps, { id: uuidv7(now), accountId, startsAt, acknowledgedBefore: null });
  const digestTask = () =>
    query<{ due_at: Date }>(`SELECT due_at FROM tasks WHERE kind = 'notice_digest' AND subject_id = $1`, memberId);
  await differs(new Date(now.getTime() - DAY_MS));
  await differs(now);
  expect(await viewer?.notices()).toEqual([]);
  expect(await mails('reconciliation_differs')).toBe(0);
  const due = (await digestTask()).map(({ due_at }) => due_at.toISOString());
  expect(due).toEqual(['2027-03-02T11:00:00.000Z']);
  // Too early: the task was run by hand.
  expect((await sendDigest(trilho.deps, memberId))?.toISOString()).toBe(due[0]);

  now = new Date(due[0] ?? '');
  const both = await Promise.all([sendDigest(trilho.deps, memberId), sendDigest(trilho.deps, memberId)]);
  expect([both, await mails('digest')]).toEqual([[null, null], 1]);
  // Nothing more is sent that day, and the next digest leaves out what was read meanwhile.
  now = new Date(now.getTime() + HOUR_MS);
  await differs(now);
  const tomorrow = await sendDigest(trilho.deps, memberId);
  expect([tomorrow?.toISOString(), await mails('digest')]).toEqual(['2027-03-03T11:00:00.000Z', 1]);
  await ana?.panel.notices.readAll({ until: now.toISOString() });
  now = tomorrow ?? now;
  await sendDigest(trilho.deps, memberId);
  expect(await mails('digest')).toBe(1);
});

test('those who are notified of a day that differs are those whose role may see it', () => {
  expect(ROLES.filter((role) => mayCall(role, 'reconciliation.list'))).toEqual([...RECONCILERS]);
});

test('a limit of which four fifths are used is reported once a night, one below is not', async () => {
  const { accountId, members } = await merchant('owner');
  await query(
    `INSERT INTO account_limits (account_id, name, centavos) VALUES ($1, 'night_limit_out_pix', 100_00)`,
    accountId,
  );
  now = new Date('2027-03-10T01:00:00Z');
  const night = nightWindow(now);
  const used = async (centavos: number) => {
    await trilho.asOwner(`INSERT INTO limit_usage (account_id, type, period, starts_at, ends_at, centavos)
      VALUES ('${accountId}', 'pix_out', 'night', '${night?.start.toISOString()}', '${night?.end.toISOString()}', ${centavos})
      ON CONFLICT (account_id, type, period, starts_at) DO UPDATE SET centavos = excluded.centavos`);
    await notifyNearLimits(trilho.deps, accountId);
    return (await members[0]?.notices())?.map(({ text }) => text);
  };
  expect(await used(79_99)).toEqual([]);
  const reported = ['Night limit of PIX withdrawals: R$80.00 of R$100.00 used'];
  expect(await used(80_00)).toEqual(reported);
  expect(await used(90_00)).toEqual(reported);

  // A withdrawal that is sent while a check runs, which may have read before it, has another one.
  const { pool } = trilho.deps.db;
  const checks = () => query<{ due_at: Date }>(`SELECT due_at FROM tasks WHERE kind = 'check_limits'`);
  await planLimitCheck(trilho.deps, { accountId, livemode: true });
  now = new Date(now.getTime() + 5_000);
  const running = (await claimTasks(pool, { now, leaseMs: 30_000, limit: 50 })).find(
    ({ kind }) => kind === 'check_limits',
  );
  await planLimitCheck(trilho.deps, { accountId, livemode: true });
  if (running) await finishTask(pool, running);
  expect(await checks()).toEqual([{ due_at: new Date(now.getTime() + 5_000) }]);
});

test('a notice that was written changes only by being read, and is deleted when it is old', async () => {
  const { accountId, notify, members } = await merchant('owner');
  await notify(failed(accountId, uuidv7(now)));
  await expect(query(`UPDATE notices SET kind = 'x'`)).rejects.toThrow('append-only');
  now = new Date(now.getTime() + 91 * DAY_MS);
  await purgeExpired(trilho.deps);
  expect(await members[0]?.notices()).toEqual([]);
});

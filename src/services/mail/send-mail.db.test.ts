import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { claimTasks, finishTask } from '#db/tasks/tasks.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { listMails, mailState } from './list-mails.ts';
import { resendMail } from './resend-mail.ts';
import { runMail, sendMail } from './send-mail.ts';

let service: TestService;
beforeAll(async () => {
  // Without a worker: the test takes the tasks itself.
  service = await startTestService({ variables: { ROLE: 'web', SANDBOX_URL: 'http://127.0.0.1:1' } });
});
afterAll(() => service.stop());
afterEach(() => void vi.useRealTimers());

const params = { name: 'Maria', url: 'https://pay.example/segredo' };
const send = () =>
  sendMail(service.deps, { to: 'maria@example.com', language: 'pt-BR', template: 'reset_password', params });
const take = async (at: Date) => {
  const [task] = await claimTasks(service.deps.db.pool, { now: at, leaseMs: 30_000, limit: 1 });
  if (!task) throw new Error('There is no task.');
  return task;
};
const waiting = async () =>
  (await service.deps.db.pool.query('SELECT sealed FROM mails WHERE sealed IS NOT NULL')).rows;
const listed = async () => (await listMails(service.deps, { notSent: false, before: null, limit: 1 })).mails[0];

test('a message waits sealed, is tried again after a failure, and its text is deleted once it is sent', async () => {
  await send();
  const [row] = await waiting();
  expect(JSON.stringify(row)).not.toContain('segredo');
  const sent: string[] = [];
  let fails = true;
  const deps = {
    ...service.deps,
    mailer: {
      kind: 'smtp' as const,
      async send({ text }: { text: string }) {
        if (fails) throw Object.assign(new Error('rejected for maria@example.com'), { code: 'EENVELOPE' });
        sent.push(text);
      },
      close() {},
    },
  };
  const now = service.deps.clock();
  const first = await take(now);
  const again = await runMail(deps, first);
  expect(again?.getTime()).toBeGreaterThan(now.getTime());
  expect(await waiting()).toHaveLength(1);
  expect(service.log.join('\n')).not.toContain('maria@example.com');

  fails = false;
  expect(await runMail(deps, { ...first, attempts: 2 })).toBeNull();
  expect(sent[0]).toContain('https://pay.example/segredo');
  expect(await waiting()).toHaveLength(0);
  expect(await listed()).toMatchObject({ template: 'reset_password', recipient: 'm***@example.com', attempts: 2 });
  // A task that runs again after the message was sent sends nothing.
  expect(await runMail(deps, { ...first, attempts: 3 })).toBeNull();
  expect(sent).toHaveLength(1);
});

test('a message that no server accepts is given up after its last attempt, and sent once by an operator', async () => {
  await send();
  const rejecting = {
    ...service.deps,
    mailer: { kind: 'smtp' as const, send: () => Promise.reject(new Error('no')), close() {} },
  };
  const task = { ...(await take(service.deps.clock())), attempts: 6 };
  expect(await runMail(rejecting, task)).toBeNull();
  expect(service.log.join('\n')).toMatch(/"again":false.*A message could not be sent/);
  const given = await listed();
  expect([given?.lastError, given && mailState(given)]).toEqual(['unknown', 'given_up']);
  // A task of a message that was given up sends nothing.
  expect(await runMail(rejecting, task)).toBeNull();

  const acting = { ...service.deps, operator: 'ana' };
  const id = given?.id ?? '';
  // The worker removes the task after the operator has asked, as one does that was slow, or died.
  expect([await resendMail(acting, id), await resendMail(acting, id)]).toEqual([true, false]);
  await finishTask(service.deps.db.pool, task);
  const sent: string[] = [];
  const mailer = { kind: 'smtp' as const, send: async ({ to }: { to: string }) => void sent.push(to), close() {} };
  expect(await runMail({ ...service.deps, mailer }, await take(service.deps.clock()))).toBeNull();
  expect([sent, await waiting()]).toEqual([['maria@example.com'], []]);
  const { rows } = await service.deps.db.pool.query(
    `SELECT details, merchant_id FROM audit_records WHERE action = 'mail.resent'`,
  );
  expect(rows).toEqual([{ details: { subject: id, operator: 'ana' }, merchant_id: null }]);
});

test('a message that its server takes a minute to accept is sent by one worker alone', async () => {
  await send();
  let now = service.deps.clock();
  const task = await take(now);
  const [begun, accepted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const mailer = {
    kind: 'smtp' as const,
    send() {
      begun.resolve();
      return accepted.promise;
    },
    close() {},
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const sending = runMail({ ...service.deps, mailer, clock: () => now }, task);
  await begun.promise;
  for (let seconds = 0; seconds < 60; seconds += 10) {
    const before = task.leaseUntil;
    now = new Date(now.getTime() + 10_000);
    vi.advanceTimersByTime(10_000);
    await service.until('the claim is extended', async () => task.leaseUntil > before || null, 2_000).catch(() => {});
    const claimed = await claimTasks(service.deps.db.pool, { now, leaseMs: 30_000, limit: 10 });
    expect(claimed.map(({ subjectId }) => subjectId)).not.toContain(task.subjectId);
  }
  accepted.resolve();
  expect(await sending).toBeNull();
  await finishTask(service.deps.db.pool, task);
  const { rows } = await service.deps.db.pool.query('SELECT FROM tasks WHERE subject_id = $1', [task.subjectId]);
  expect(rows).toEqual([]);
});

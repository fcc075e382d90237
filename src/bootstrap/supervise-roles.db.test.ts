import { type ChildProcess, fork } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { transactionIdOf } from '#testing/transaction-id-of.ts';
import { createClosing } from './shutdown.ts';
import type { Startup } from './startup.ts';
import { type RoleOrder, superviseRoles } from './supervise-roles.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService({ ownProcesses: true, variables: { LOG_LEVEL: 'info' } });
});
afterAll(() => trilho.stop());

/** The process that serves the role, by the last line of the log that says so. */
function processOf(role: 'worker' | 'sandbox'): number {
  const lines = trilho.log.map((line) => JSON.parse(line) as { role?: string; pid?: number });
  const pid = lines.findLast((line) => line.role === role && line.pid !== undefined)?.pid;
  if (pid === undefined) throw new Error(`No process serves as ${role}.`);
  return pid;
}

const replacementOf = (role: 'worker' | 'sandbox', killed: number) =>
  trilho.until(`another ${role}`, async () => (processOf(role) === killed ? null : true));

async function createCharge(apiKey: string): Promise<string> {
  return transactionIdOf(await trilho.post('/payments/transactions', apiKey, { amount: 100.5 }));
}

const isPaid = (id: string, apiKey: string) =>
  trilho.until('the charge is paid', async () => {
    const { body } = await trilho.get(`/payments/transactions/${id}/status?type=pix_in`, apiKey);
    return (body.data as { status: string }).status === 'paid' || null;
  });

test('a worker that was killed is replaced, also where the system can’t start it at first, and what was paid meanwhile is credited', async () => {
  const { apiKey } = await trilho.openAccount();
  const id = await createCharge(apiKey);
  const killed = processOf('worker');
  const { execPath } = process;
  process.execPath = '/nowhere/node';
  try {
    process.kill(killed, 'SIGKILL');
    await trilho.until('a start has failed', async () => trilho.log.some((line) => line.includes('ENOENT')) || null);
  } finally {
    process.execPath = execPath;
  }
  await trilho.pay(id);
  await replacementOf('worker', killed);
  await isPaid(id, apiKey);
});

test('a sandbox that was killed is replaced at its address, and answers 503 until then', async () => {
  const { apiKey } = await trilho.openAccount();
  const killed = processOf('sandbox');
  process.kill(killed, 'SIGKILL');
  const away = await trilho.until('nobody is there', async () => {
    const answer = await trilho.get('/sandbox/nothing');
    return answer.status === 503 ? answer : null;
  });
  expect(away.headers.get('retry-after')).toMatch(/^\d+$/);
  await replacementOf('sandbox', killed);
  await trilho.until('it answers', async () => ((await trilho.get('/sandbox/nothing')).status === 404 ? true : null));
  const id = await createCharge(apiKey);
  await trilho.pay(id);
  await isPaid(id, apiKey);
});

test('what the processes beneath observe is in the metrics of the one above', async () => {
  await trilho.until('the worker’s tasks are counted', async () => {
    const text = await (await fetch(`${trilho.url}/metrics`)).text();
    return /^trilho_tasks_total\{task="process_callback",outcome="done"\} [1-9]/m.test(text) || null;
  });
});

test('a process that ends before it has its order fails the start, with one line', async () => {
  const closing = createClosing();
  const begun: ChildProcess[] = [];
  const onBegun = (message: unknown) => void begun.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onBegun);
  const log = { info: () => {}, error: () => {} };
  const roles = await superviseRoles({ closing, log } as unknown as Startup);
  unsubscribe('child_process', onBegun);
  expect(begun).toHaveLength(2);
  for (const child of begun) child.kill('SIGKILL');
  await Promise.all(begun.map((child) => once(child, 'exit')));
  const start = roles.start(
    (role) => ({ env: { role } }) as unknown as RoleOrder,
    () => {},
  );
  await expect(start).rejects.toThrow(/^The (sandbox|worker) did not start: /);
  await closing.now();
});

test('a process beneath ends when the one above is gone', async () => {
  const child = fork(join(import.meta.dirname, '../role-process.ts'), { execArgv: [], stdio: 'ignore' });
  await once(child, 'spawn');
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

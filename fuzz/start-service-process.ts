import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { FuzzSupervision, FuzzTarget } from './fuzz-target.ts';
import type { ServiceOrder } from './service-process.ts';

/** How long a service may take to drain and to remove its database. */
const STOP_MS_MAX = 30_000;

type Reply = { value?: unknown; error?: string };

/**
 * Starts the fuzzed service in a process of its own that can collect garbage when it is asked to.
 */
export async function startServiceProcess(): Promise<{
  target: FuzzTarget;
  supervision: FuzzSupervision;
  stop(): Promise<void>;
}> {
  const child = fork(join(import.meta.dirname, 'service-process.ts'), [], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const reply = async (): Promise<unknown> => {
    const message = new Promise<Reply>((resolve) => child.once('message', (value) => resolve(value as Reply)));
    const gone = ended.then((): Reply => ({ error: `the service's process ended (code ${child.exitCode})` }));
    const { value, error } = await Promise.race([message, gone]);
    if (error !== undefined) throw new Error(error);
    return value;
  };
  const ask = (order: ServiceOrder): Promise<unknown> => {
    const answer = reply();
    child.send(order);
    return answer;
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (child.connected) child.send('stop' satisfies ServiceOrder);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    await ended;
    clearTimeout(timer);
  };
  try {
    await reply();
    const target = (await ask('open')) as FuzzTarget;
    const supervision: FuzzSupervision = {
      refresh: async () => void (await ask('refresh')),
      reopen: async () => void (await ask('reopen')),
      takeErrorLines: async () => (await ask('takeErrorLines')) as string[],
      checkLedger: async () => (await ask('checkLedger')) as string[],
      measureMemory: async () => (await ask('measureMemory')) as Awaited<ReturnType<FuzzSupervision['measureMemory']>>,
    };
    return { target, supervision, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPidFile } from '../src/config/pid-file.ts';

/** How long a start may take on a slow machine before it counts as failed. */
const START_LIMIT_MS = 60_000;
/** A service that is asked to stop drains for at most 10 s. */
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 50;
const LAST_LINES = 15;

export type Child = {
  /** Sends one message and waits for its answer. Rejects when the process ends instead. */
  ask<T>(message: object): Promise<T>;
  stop(): Promise<void>;
};

/** A child that answers HTTP. */
export type Target = Child & { url: string };

/**
 * Starts one of our programs with the Node that we run on and nothing but `env` for an environment.
 * Its output goes to the file `log`, as a service manager would have it. A channel ties it to us:
 * it ends when we are gone. `probed`: it also answers a ProbeOrder. `imports`: the URLs of modules
 * that are loaded before it. `filesMax`: how many files and connections it may have open at once.
 */
export function startChild(
  script: string,
  options: {
    log: string;
    env?: Record<string, string>;
    probed?: boolean;
    imports?: readonly string[];
    filesMax?: number | undefined;
  },
): Child & { process: ChildProcess } {
  const log = openSync(options.log, 'a');
  const { imports = [], probed, filesMax } = options;
  const before = [...(probed ? [new URL('probe.ts', import.meta.url).href] : []), ...imports];
  const args = [...before.flatMap((url) => ['--import', url]), join(import.meta.dirname, script)];
  // The shell sets its own limit, and becomes the program.
  const [command, ...words] =
    filesMax === undefined
      ? [process.execPath, ...args]
      : ['sh', '-c', `ulimit -n ${filesMax}; exec "$@"`, 'sh', process.execPath, ...args];
  const child = spawn(command, words, {
    cwd: join(import.meta.dirname, '..'),
    env: { NODE_ENV: 'production', ...options.env },
    stdio: ['ignore', log, log, 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const endedEarly = () =>
    ended.then(() => {
      throw new Error(`${script} ended (code ${child.exitCode}).\n${lastLines(options.log)}`);
    });

  return {
    process: child,
    async ask<T>(message: object) {
      const answer = new Promise<T>((resolve) => child.once('message', (value) => resolve(value as T)));
      child.send(message);
      return Promise.race([answer, endedEarly()]);
    },
    stop: () => stopProcess(child, ended),
  };
}

/** Asks a process to end, and kills it when it does not. Waits until it has ended. */
export async function stopProcess(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}

/**
 * Starts the service in the role that `env` names, on a port of its own choice, and waits until it
 * is ready. Throws with its last lines when it does not start.
 */
export async function startService(options: {
  home: string;
  log: string;
  env: Record<string, string>;
  probed?: boolean;
  imports?: readonly string[];
  filesMax?: number | undefined;
}): Promise<Target & { process: ChildProcess }> {
  const { home, log, env, probed = false, imports = [], filesMax } = options;
  const child = startChild('../src/main.ts', {
    log,
    env: { ...env, TRILHO_HOME: home, PORT: '0' },
    probed,
    imports,
    filesMax,
  });
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS; waitedMs += POLL_MS) {
    const service = readPidFile(home);
    if (service) return { ...child, url: `http://127.0.0.1:${service.port}` };
    if (child.process.exitCode !== null) break;
    await sleep(POLL_MS);
  }
  await child.stop();
  throw new Error(`The service (ROLE=${env.ROLE}) did not start.\n${lastLines(log)}`);
}

/** The last lines of an output, whose file is removed with everything else. */
export const lastLines = (log: string) => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n');

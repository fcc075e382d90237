import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { processSeconds } from '../process-times.ts';
import { lastLines, stopProcess, type Target } from '../processes.ts';

const START_LIMIT_MS = 60_000;
const POLL_MS = 50;

/**
 * Starts a program of others that listens on `port` of loopback, and waits until it does. Asked for
 * its processor time (ProbeOrder), it answers from /proc. Throws with its last lines when it does
 * not start.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  options: { port: number; home: string; log: string; env?: Record<string, string> },
): Promise<Target> {
  const log = openSync(options.log, 'a');
  const child = spawn(program, args, {
    cwd: options.home,
    env: { NODE_ENV: 'production', PATH: process.env.PATH ?? '', HOME: options.home, ...options.env },
    stdio: ['ignore', log, log],
  });
  const ended = once(child, 'exit');
  // A bench that dies takes with it what it started.
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const stop = async () => {
    process.off('exit', killWithUs);
    await stopProcess(child, ended);
  };
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS && child.exitCode === null; waitedMs += POLL_MS) {
    if (await isListening(options.port)) {
      const ask = async <T>() => ((processSeconds(child.pid ?? 0) ?? Number.NaN) * 1_000_000) as T;
      return { url: `http://127.0.0.1:${options.port}`, ask, stop };
    }
    await sleep(POLL_MS);
  }
  await stop();
  throw new Error(`${program} did not start.\n${lastLines(options.log)}`);
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

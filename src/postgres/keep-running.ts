import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '#domain/errors/start-error.ts';
import type { Server } from './embedded-postgres-server.ts';

/**
 * The end of the main process is noticed at once; this is for a server that runs and does not
 * answer.
 */
const POLL_INTERVAL_MS = 5_000;
/**
 * How long a server may not answer: longer than any checkpoint or stall of a disk that recovers by
 * itself.
 */
const SILENT_MAX_MS = 30_000;
/**
 * The wait before the second attempt; the first comes at once, and each further wait doubles, so
 * that a broken server does not take all of the machine.
 */
const DELAY_MIN_MS = 250;
/**
 * The longest wait between attempts: the service is back within 10 s of the moment at which the
 * cause (a full disk) is gone.
 */
const DELAY_MAX_MS = 4_000;
/** Clients have given up by then, and a supervisor may recover better: the process ends. */
const GIVE_UP_AFTER_MS = 60_000;
/**
 * A server that has run this long was started well: its next end is a new failure, not the same
 * one.
 */
const STEADY_MS = 5_000;

export type KeepRunningOptions = {
  restart(): Promise<Server>;
  /** One line for the operator: what happened and what is done. */
  onTrouble(line: string): void;
  /** The server could not be started again; there are no more attempts. */
  onGone(error: StartError): void;
  /** For tests: the current time, and a wait, in milliseconds. */
  now?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** The time of one failure: from the first end of the server until it runs again. */
type Trouble = { since: number; attempts: number };

/**
 * Keeps a server running: starts it again when it ends, and ends it when it no longer answers.
 * Gives up when it can't be started for a minute, or at once when its data was removed. `stop`
 * waits for a restart in progress, then stops the server in order.
 */
export function keepRunning(first: Server, options: KeepRunningOptions): { stop(): Promise<void> } {
  const { onTrouble, now = () => performance.now(), wait = waitFor } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let server: Server | undefined = first;

  const keep = async () => {
    let trouble: Trouble | undefined;
    while (server && !signal.aborted) {
      const startedAt = now();
      await untilEnded(server);
      if (signal.aborted) return;
      onTrouble('PostgreSQL has ended; starting it again.');
      if (!trouble || now() - startedAt >= STEADY_MS) trouble = { since: now(), attempts: 0 };
      server = undefined;
      server = await startAgain(trouble);
    }
  };

  const untilEnded = async (running: Server) => {
    const ended = running.ended.then(() => 'ended' as const);
    let silentSince: number | undefined;
    while ((await Promise.race([ended, wait(POLL_INTERVAL_MS, signal)])) !== 'ended' && !signal.aborted) {
      const state = await Promise.race([ended, running.look()]);
      if (state === 'ended') return;
      silentSince = state === 'silent' ? (silentSince ?? now()) : undefined;
      const silentTooLong = silentSince !== undefined && now() - silentSince >= SILENT_MAX_MS;
      if (state !== 'lost' && !silentTooLong) continue;
      onTrouble(state === 'lost' ? 'PostgreSQL has lost its data folder.' : 'PostgreSQL does not answer; ending it.');
      await running.kill();
      return;
    }
  };

  /** Returns undefined once stopped or given up. */
  const startAgain = async (trouble: Trouble): Promise<Server | undefined> => {
    let reason = 'it ends again as soon as it runs.';
    for (;;) {
      if (trouble.attempts > 0) await wait(delayBefore(trouble.attempts), signal);
      if (signal.aborted) return undefined;
      if (trouble.attempts > 0 && now() - trouble.since >= GIVE_UP_AFTER_MS) {
        options.onGone(notStarted(reason));
        return undefined;
      }
      trouble.attempts += 1;
      try {
        const started = await options.restart();
        onTrouble('PostgreSQL runs again.');
        return started;
      } catch (error) {
        if (error instanceof StartError && error.code === 'DATA_LOST') {
          options.onGone(error);
          return undefined;
        }
        reason = (error as Error).message;
        onTrouble(`PostgreSQL did not start, trying again: ${reason}`);
      }
    }
  };

  const kept = keep();
  return {
    async stop() {
      stopping.abort();
      await kept;
      await server?.stop();
    },
  };
}

const delayBefore = (attempts: number) => Math.min(DELAY_MIN_MS * 2 ** (attempts - 1), DELAY_MAX_MS);

const notStarted = (reason: string) =>
  new StartError(
    'START_FAILED',
    `PostgreSQL has ended and could not be started again in ${GIVE_UP_AFTER_MS / 1000} s: ${reason}`,
  );

/** Ends early when the server is being stopped. */
const waitFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});

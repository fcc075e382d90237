import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import type { LoadAnswer } from './load.ts';

/** In the short form, enough that each process always has a request in progress. */
const CLIENTS = { short: 4, long: 6 };
/**
 * In the short form, for the same reason as in kills.ts; in the long one the processes are full.
 */
const REST_MS = { short: 120, long: 0 };
const ROUNDS = { short: 1, long: 25 };
/** Between two restarts: the load runs on the process that came back. */
const PAUSE_MS = 500;

/**
 * A new version replaces the old one: two web and two worker processes are restarted one after the
 * other under load. No request fails, except with the 503 and the time to retry of a process that
 * is about to end; and each process ends in order, with exit code 0.
 */
export const rollingRestart: Drill = {
  name: 'rolling restart',
  installation: {},
  processes: { webs: 2, workers: 2 },
  async run(scene) {
    const { installation, load } = scene;
    load.onAnswer((answer) => {
      const failure = failureOf(answer);
      if (failure) scene.fail(failure);
    });
    load.start(scene.times(CLIENTS.short, CLIENTS.long), scene.times(REST_MS.short, REST_MS.long));
    for (let round = 0; round < scene.times(ROUNDS.short, ROUNDS.long) && (round === 0 || scene.hasTime()); round++) {
      for (const process of installation.processes) {
        await scene.inject(`${process.role} restarted`, () => process.restart());
        await sleep(PAUSE_MS);
      }
    }
    // Answers after the last restart belong to the end of the load.
    load.onAnswer(null);
  },
};

/**
 * Why an answer counts as failed meanwhile; null: the client was served, or got a time to retry.
 */
export function failureOf({ status, hasRetryAfter, reason }: Omit<LoadAnswer, 'ms'>): string | null {
  if (status === null) return `a request got no answer: ${reason}`;
  if (status < 500) return null;
  return status === 503 && hasRetryAfter ? null : `a request was answered ${status}: ${reason}`;
}

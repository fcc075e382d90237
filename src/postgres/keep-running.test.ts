import { expect, test } from 'vitest';
import { StartError } from '#domain/errors/start-error.ts';
import type { Server, ServerState } from './embedded-postgres-server.ts';
import { keepRunning } from './keep-running.ts';

/**
 * A simulated server with its own time: after how long it ends, and its states at the checks
 * before. A StartError: it does not start.
 */
type Life = { endsAfterMs?: number; states?: ServerState[] } | StartError;

const NEVER = Number.POSITIVE_INFINITY;
const noSpace = () => new StartError('START_FAILED', 'No space left on device.');

/**
 * Plays servers one after another, the last one repeatedly, until keepRunning gives up or `forMs`
 * is over.
 */
async function play(lives: Life[], forMs: number) {
  let time = 0;
  let current: { diesAt: number; die(): void } | undefined;
  const startedAt: number[] = [];
  const killedAt: number[] = [];
  const lines: string[] = [];
  let gone: { at: number; error: StartError } | undefined;
  let over: () => void = () => {};
  const end = new Promise<void>((resolve) => {
    over = resolve;
  });

  const start = (): Server => {
    const life = (lives.length > 1 ? lives.shift() : lives[0]) ?? {};
    if (life instanceof StartError) throw life;
    const states = [...(life.states ?? [])];
    let die = () => {};
    const ended = new Promise<void>((resolve) => {
      die = resolve;
    });
    current = { diesAt: time + (life.endsAfterMs ?? NEVER), die };
    return {
      port: 1,
      ended,
      look: async () => states.shift() ?? 'answers',
      stop: async () => die(),
      async kill() {
        killedAt.push(time);
        die();
      },
    };
  };

  const kept = keepRunning(start(), {
    async restart() {
      startedAt.push(time);
      return start();
    },
    onTrouble: (line) => lines.push(line),
    onGone(error) {
      gone = { at: time, error };
      over();
    },
    now: () => time,
    async wait(ms) {
      const until = time + ms;
      if (current && current.diesAt <= until) {
        time = Math.max(time, current.diesAt);
        current.diesAt = NEVER;
        current.die();
        return;
      }
      time = until;
      if (time >= forMs) {
        over();
        await new Promise(() => {});
      }
    },
  });
  await end;
  return { startedAt, killedAt, lines, gone, kept };
}

test('a server that has ended is started again at once, each time', async () => {
  const { startedAt, gone } = await play([{ endsAfterMs: 7_000 }, { endsAfterMs: 61_000 }, {}], 200_000);
  expect(startedAt).toEqual([7_000, 68_000]);
  expect(gone).toBeUndefined();
});

test('while a server does not start the attempts become rarer, never rarer than 4 s, and end with the cause', async () => {
  const { startedAt, gone, lines } = await play([{ endsAfterMs: 10_000 }, ...Array(8).fill(noSpace()), {}], 100_000);
  expect(startedAt.map((at) => at - 10_000)).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 11_750, 15_750, 19_750]);
  expect(gone).toBeUndefined();
  expect(lines.at(-1)).toBe('PostgreSQL runs again.');
});

test('what can’t be started for a minute is given up with one line that says why', async () => {
  const { startedAt, gone } = await play([{ endsAfterMs: 10_000 }, noSpace()], 1_000_000);
  expect(gone?.error.message).toBe(
    'PostgreSQL has ended and could not be started again in 60 s: No space left on device.',
  );
  expect(gone?.at).toBe(startedAt.at(-1) !== undefined ? 73_750 : 0);
});

test('a server that ends again as soon as it runs is given up too', async () => {
  const { gone } = await play([{ endsAfterMs: 10_000 }, { endsAfterMs: 100 }], 1_000_000);
  expect(gone?.error.message).toMatch(/it ends again as soon as it runs/);
});

test('data that were removed are reported at once', async () => {
  const lost = new StartError('DATA_LOST', 'The database was removed.');
  const { startedAt, gone } = await play([{ endsAfterMs: 10_000 }, lost], 1_000_000);
  expect(gone).toEqual({ at: 10_000, error: lost });
  expect(startedAt).toEqual([10_000]);
});

test('a server that is silent for half a minute is ended and started again, and one that is silent for a shorter time is not', async () => {
  const silence = (looks: number): ServerState[] => Array(looks).fill('silent');
  const short = await play([{ states: [...silence(6), 'answers', ...silence(6)] }], 100_000);
  expect(short.startedAt).toEqual([]);
  const long = await play([{ states: silence(7) }, {}], 100_000);
  expect([long.killedAt, long.startedAt]).toEqual([[35_000], [35_000]]);
});

test('a server whose data folder is not its own any more is ended at the next check', async () => {
  const { killedAt } = await play([{ states: ['answers', 'lost'] }, {}], 100_000);
  expect(killedAt).toEqual([10_000]);
});

test('a server that is stopped stays stopped', async () => {
  const { kept, startedAt } = await play([{}], 20_000);
  void kept.stop();
  await new Promise(setImmediate);
  expect(startedAt).toEqual([]);
});

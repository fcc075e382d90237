import { expect, test } from 'vitest';
import type { Task } from '#db/tasks/tasks.ts';
import type { Deps } from '../deps.ts';
import { processCallback } from './process-callback.ts';
import { receiveCallback } from './receive-callback.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

/** Callbacks of a rail, of one payment each, about which the PSP answers once it is let to. */
function callbacksOf(rail: string) {
  const waiting: (() => void)[] = [];
  const pix = {
    name: rail,
    parseCallback: () => [{ about: 'payment', txid: null, endToEndId: 'E1' }],
    findPayment: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve({ outcome: 'done', value: null }));
      }),
  };
  const process = () => processFrom(pix, async () => ({ rows: [{ id: 'x', rail, body: '' }] }));
  return { process, answer: () => waiting.splice(0).map((go) => go()) };
}

/** Processes a callback that `query` reads, of a PSP. */
function processFrom(pix: object, query: (asked: { name?: string }) => Promise<object>) {
  const deps = {
    db: { pool: { query } },
    secretBox: { open: () => '{}' },
    rails: { pixNamed: async () => pix },
    log: { warn() {} },
    clock: () => NOW,
  } as unknown as Deps;
  const task: Task = { kind: 'process_callback', subjectId: 'x', attempts: 1, leaseUntil: NOW };
  return processCallback(deps, task);
}

const settled = () => new Promise(setImmediate);

test('callbacks of an account’s own rail take no more than some places of a worker at once', async () => {
  const own = callbacksOf('own-1');
  const first = Array.from({ length: 8 }, () => own.process());
  await settled();
  expect(await own.process()).toEqual({ dueAt: new Date(NOW.getTime() + 2_000), attempts: 'keep' });
  const other = callbacksOf('own-2');
  const installation = callbacksOf('psp');
  const others = [other.process(), ...Array.from({ length: 20 }, () => installation.process())];
  await settled();
  for (const { answer } of [own, other, installation]) answer();
  expect(new Set(await Promise.all([...first, ...others]))).toEqual(new Set(['kept']));
  const again = own.process();
  await settled();
  own.answer();
  expect(await again).toBe('kept');
});

/** A callback of three payments, of which the PSP can say nothing about some. */
async function processThree({ away, isClaimed }: { away: string[]; isClaimed: boolean }) {
  const asked: string[] = [];
  const pix = {
    name: 'psp',
    parseCallback: () => ['E1', 'E2', 'E3'].map((endToEndId) => ({ about: 'payment', txid: null, endToEndId })),
    findPayment: async (endToEndId: string) => {
      asked.push(endToEndId);
      return away.includes(endToEndId) ? { outcome: 'unknown', reason: 'timeout' } : { outcome: 'done', value: null };
    },
  };
  const query = async ({ name }: { name?: string }) =>
    name === 'extend-lease' ? { rowCount: isClaimed ? 1 : 0 } : { rows: [{ id: 'x', rail: 'psp', body: '' }] };
  const outcome = await processFrom(pix, query).catch((error: Error) => error.constructor.name);
  return [asked, outcome];
}

test('a callback asks about no more payments once the PSP could say nothing about two', async () => {
  expect(await processThree({ away: ['E1', 'E2'], isClaimed: true })).toEqual([['E1', 'E2'], 'ProviderUnavailable']);
});

test('a callback that another worker has claimed meanwhile is left to it', async () => {
  expect(await processThree({ away: [], isClaimed: false })).toEqual([['E1'], 'ProviderUnavailable']);
});

test('callbacks of an account’s own rail fill the disk with some megabytes a minute, and no more', async () => {
  let stored = 0;
  const deps = {
    db: { pool: { query: async () => void stored++ } },
    secretBox: { seal: (text: string) => text },
    wakeWorkers() {},
    clock: () => NOW,
  } as unknown as Deps;
  const body = 'x'.repeat(1024 * 1024);
  for (let sent = 0; sent < 11; sent++) await receiveCallback(deps, { rail: 'own-3', body });
  await expect(receiveCallback(deps, { rail: 'own-3', body })).rejects.toThrow('rate_limited');
  for (const rail of ['own-4', 'psp', 'psp', 'psp']) await receiveCallback(deps, { rail, body });
  for (let sent = 0; sent < 12; sent++) await receiveCallback(deps, { rail: 'psp', body });
  expect(stored).toBe(11 + 4 + 12);
});

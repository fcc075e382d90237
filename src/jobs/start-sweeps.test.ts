import { expect, test } from 'vitest';
import type { Deps } from '#services/deps.ts';
import { startSweeps } from './start-sweeps.ts';

test('days are planned to be compared although no sweep could be planned', async () => {
  const warnings: string[] = [];
  const away = () => Promise.reject(new Error('The database is away.'));
  const deps = {
    clock: () => new Date('2026-03-02T12:00:00.000Z'),
    db: { pool: {} },
    rails: { pixRails: away },
    log: { warn: (_fields: object, message: string) => warnings.push(message) },
  } as unknown as Deps;
  const stop = startSweeps(deps);
  await stop();
  expect(warnings).toEqual([
    'Sweeps could not be planned; trying again later.',
    'The comparison of days could not be planned; trying again later.',
  ]);
});

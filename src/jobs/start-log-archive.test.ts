import { expect, test } from 'vitest';
import type { Database } from '#db/connection/database.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import type { Observation } from '#services/deps.ts';
import { startLogArchive } from './start-log-archive.ts';

test('a log that was not archived since the start says so from the start on: an archive that is away then is noticed too', async () => {
  const observed: Observation[] = [];
  const failed: string[] = [];
  const note = (_: object, message: string) => void failed.push(message);
  const stop = startLogArchive(
    {
      db: {} as Database,
      clock: () => new Date('2026-11-29T12:00:00Z'),
      secretBox: createSecretBox(generateMasterKeys()),
      wakeWorkers: () => {},
      log: { debug: note, info: note, warn: note, error: note },
      observe: (observation) => void observed.push(observation),
    },
    // Nothing answers there.
    { folder: '/none', keepDays: 1, superuserUrl: 'postgres://x:x@127.0.0.1:1/x', notify: undefined },
  );
  await stop();
  expect(failed).toContain('The end of the log could not be archived.');
  expect(observed).toEqual([{ kind: 'log_archived', at: new Date(0) }]);
});

import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a log that can’t be written, as on a disk that is full, ends nothing', () => {
  // What is open for reading alone rejects every line.
  const unwritable = openSync(import.meta.filename, 'r');
  const program = `
    import { createLog } from '${join(import.meta.dirname, 'log.ts')}';
    createLog({ level: 'info' }).info({}, 'A line.');
    setTimeout(() => console.log('alive'), 150);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', unwritable],
    encoding: 'utf8',
    timeout: 10_000,
  });
  closeSync(unwritable);
  expect({ stdout, status }).toEqual({ stdout: 'alive\n', status: 0 });
});

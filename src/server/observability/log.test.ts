import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a log that can’t be written, as on a disk that is full, ends nothing, and does not fill the memory', () => {
  // What is open for reading alone rejects every line.
  const unwritable = openSync(import.meta.filename, 'r');
  const program = `
    import { createLog } from '${join(import.meta.dirname, 'log.ts')}';
    const log = createLog({ level: 'info' });
    const line = { requestId: 'x', method: 'GET', route: 'x'.repeat(2 ** 20), status: 200, ms: 1 };
    for (let lines = 0; lines < 64; lines++) log.request(line);
    setTimeout(() => {
      gc();
      console.log(process.memoryUsage().heapUsed < 2 ** 25 ? 'alive' : 'full');
    }, 150);`;
  const { stdout, status } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', unwritable],
    encoding: 'utf8',
    timeout: 10_000,
  });
  closeSync(unwritable);
  expect({ stdout, status }).toEqual({ stdout: 'alive\n', status: 0 });
});

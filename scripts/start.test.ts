import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.each(['--help', '--port=4000', 'web'])(
  'npm start with %s, which it does not take, says where settings are, and starts nothing',
  async (argument) => {
    // Where it would go on, it ends with the time instead.
    const started = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'start.mjs'), argument], {
      env: { NODE_ENV: 'test', ROLE: 'none' },
      timeout: 20_000,
    });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('.env.example'),
    });
  },
);

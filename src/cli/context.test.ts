import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { CommandError, withContext } from './context.ts';

test('a command that finds no database says so and makes none: with the environment of another folder it would work on an empty one', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trilho-no-database-'));
  vi.stubEnv('TRILHO_HOME', home);
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('MASTER_KEYS', '');
  try {
    const done = withContext(async () => 'balanced');
    await expect(done).rejects.toThrow(CommandError);
    await expect(done).rejects.toThrow(`There is no database in ${home}`);
    expect(readdirSync(home)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  }
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { CommandError, withContext } from './context.ts';
import { createProgram } from './program.ts';

/** Runs `work` with the environment of a data folder that nothing was started in. */
async function inEmptyHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'trilho-no-database-'));
  vi.stubEnv('TRILHO_HOME', home);
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('MASTER_KEYS', '');
  vi.stubEnv('SANDBOX_URL', 'http://127.0.0.1:1');
  try {
    await work(home);
    expect(readdirSync(home)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  }
}

test('a command that finds no database says so and makes none: with the environment of another folder it would work on an empty one', () =>
  inEmptyHome(async (home) => {
    for (const before of ['migrate and check keys', 'migrate', 'nothing'] as const) {
      const done = withContext(async () => 'balanced', before);
      await expect(done).rejects.toThrow(CommandError);
      await expect(done).rejects.toThrow(`There is no database in ${home}`);
    }
    const upgrade = createProgram().parseAsync(['upgrade', '--check'], { from: 'user' });
    await expect(upgrade).rejects.toThrow('There is no database in');
  }));

test('a command that finds no master keys says so, makes none, and sends nobody who restores to start the service, which would', () =>
  inEmptyHome(async () => {
    for (const typed of [
      'backup-key',
      'keys add',
      'keys promote v2',
      'upgrade --check --backup trilho.backup',
      'restore trilho.backup',
      'restore trilho.backup --check',
      'sandbox credentials',
      'psp check --sandbox',
    ]) {
      const done = createProgram().parseAsync(typed.split(' '), { from: 'user' });
      await expect(done, typed).rejects.toThrow('There are no master keys in');
    }
    for (const typed of ['restore trilho.backup', 'restore . --check', 'upgrade --check --backup trilho.backup']) {
      const done = createProgram().parseAsync(typed.split(' '), { from: 'user' });
      await expect(done, typed).rejects.toThrow('don’t start the service before');
    }
    vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/trilho');
    vi.stubEnv('DEMO', 'true');
    const done = createProgram().parseAsync(['account', 'list'], { from: 'user' });
    await expect(done).rejects.toThrow('There are no master keys in');
  }));

test('a command beside a database whose master keys are missing says to put them back, not to start the service', () =>
  inEmptyHome(async (home) => {
    mkdirSync(join(home, 'postgres/data'), { recursive: true });
    await expect(withContext(async () => 'balanced')).rejects.toThrow('Put your copy of the file master-keys back');
    rmSync(join(home, 'postgres'), { recursive: true });
  }));

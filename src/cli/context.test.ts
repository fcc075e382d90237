import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
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
      'upgrade --check --backup package.json',
      'restore package.json',
      'restore package.json --check',
      'sandbox credentials',
      'psp check --sandbox',
    ]) {
      const done = createProgram().parseAsync(typed.split(' '), { from: 'user' });
      await expect(done, typed).rejects.toThrow('There are no master keys in');
    }
    for (const typed of ['restore package.json', 'restore . --check', 'upgrade --check --backup package.json']) {
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

const ID = '018f0000-0000-7000-8000-000000000000';
/** One word of each is wrong, and the others are not. */
const TYPED_WRONGLY = [
  ...['account set x --name A', 'account terms x', `account cancel-terms x ${ID}`, `account cancel-terms ${ID} x`],
  ...['account suspend x --reason A', 'account resume x', 'rail off pix --reason A', 'rail on pix', 'sign-up nobody'],
  ...['kyc show x', 'kyc documents x --to made', 'kyc approve x', 'kyc reject x --reason A'],
  ...['key create --account x', 'member invite x --merchant a@example.com'],
  ...['member invite a@example.com --merchant x', 'member sign-out x', 'member reset x --reason A'],
  ...['operator create x --name A', 'operator reset x', 'operator disable x', 'operator code x'],
  ...['psp check --account x', 'trigger x', 'sandbox pay x', 'sandbox confirm x', 'clock show x'],
  ...['clock advance x 1d', `clock advance ${ID} 1w`, 'ledger proof x', `ledger proof ${ID} --at x`],
  ...['ledger verify x', `unmatched assign x ${ID} --reason A`, `unmatched assign ${ID} x --reason A`],
  ...[`unmatched deposit x ${ID} --reason A`, `unmatched deposit ${ID} x --reason A`],
  ...['unmatched return x --reason A', 'unmatched write-off x --reason A', `unmatched charge x ${ID} --reason A`],
  ...[`unmatched charge ${ID} x --reason A`, 'operation acknowledge x --reason A', 'review show x'],
  ...['review resolve x credit --reason A', `review resolve ${ID} x --reason A`, 'dispute open x --reason fraud'],
  ...['dispute answer x agree', `dispute answer ${ID} x`, 'dispute evidence x --to made', 'dispute forwarded x'],
  ...['dispute close x won', `dispute close ${ID} x`, `customer export x ${ID} --to made`],
  ...[`customer export ${ID} x --to made`, `customer erase x ${ID} --dry-run`, `customer erase ${ID} ${ID}`],
  ...['reconcile --day x', 'reconcile --acknowledge A', `tasks retry x ${ID}`, 'tasks retry payout x'],
  ...['callbacks list --before x', 'callbacks retry x', 'mail list --before x', 'mail resend x'],
  ...['backup x --public-key x', 'backup x --passphrase-file x', 'restore x', 'restore x --check', 'restore . --at x'],
  ...['restore package.json --at 2026-11-23T14:05:00Z', 'upgrade --check --backup x', 'upgrade --check --backup .'],
];
/** Their arguments are paths or any text, or are looked for in the list of the master keys. */
const ANY_TEXT = ['key revoke', 'sandbox set', 'keys promote', 'keys remove'];

test('what is typed wrongly is said before the database is opened, which may start a server and migrate', () =>
  inEmptyHome(async () => {
    for (const words of TYPED_WRONGLY) {
      const said = await createProgram()
        .parseAsync(words.split(' '), { from: 'user' })
        .then(
          () => 'nothing',
          ({ message }: Error) => message,
        );
      expect(said, words).not.toMatch(/^nothing$|no database in|no master keys in/);
    }
    const untried = takingArguments(createProgram())
      .filter((command) => !ANY_TEXT.includes(command))
      .filter((command) => !TYPED_WRONGLY.some((words) => words.startsWith(`${command} `)));
    expect(untried).toEqual([]);
  }));

/** The commands below one that take arguments. */
const takingArguments = (command: Command, path: string[] = []): string[] => [
  ...(command.registeredArguments.length > 0 ? [path.join(' ')] : []),
  ...command.commands.flatMap((child) => takingArguments(child, [...path, child.name()])),
];

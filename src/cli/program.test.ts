import { mkdtempSync, readFile, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { callSandbox } from './call-sandbox.ts';
import { CommandError } from './context.ts';
import { ApiUnavailable, createApiClient } from './developer/api-client.ts';
import { explainError } from './explain-error.ts';
import { createProgram } from './program.ts';

const leaves = (command: Command, path: string[] = []): { path: string; command: Command }[] =>
  command.commands.length === 0
    ? [{ path: path.join(' '), command }]
    : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));

test('every command has a description of itself and of its options, says which it needs, and takes --json', () => {
  const commands = leaves(createProgram());
  expect(commands.length).toBeGreaterThan(15);
  for (const { path, command } of commands) {
    expect(command.description(), path).not.toBe('');
    for (const option of command.options) expect(option.description, `${path} ${option.flags}`).not.toBe('');
    expect(command.helpInformation(), path).toContain('--json');
    const required = command.options.filter(({ mandatory }) => mandatory);
    expect(command.helpInformation().match(/\(required\)/g)?.length ?? 0, path).toBe(required.length);
  }
});

test('what was typed wrongly, a file and a service that is away are said in one line, and an internal error as it is', async () => {
  const saidOf = (...typed: string[]) =>
    createProgram()
      .parseAsync(typed, { from: 'user' })
      .catch((error: unknown) => explainError(error));
  expect(await saidOf('operator', 'disable', 'nobody')).toBe('trilho: Give an e-mail address.');
  expect(await saidOf('member', 'invite', 'nobody', '--merchant', 'x')).toBe('trilho: Give an e-mail address.');
  expect(await saidOf('sign-up', 'never')).toMatch(/^trilho: Choose one of: open, /);
  for (const event of ['nothing', 'toString', '__proto__'])
    expect(await saidOf('trigger', event)).toBe(
      `trilho: "${event}" can't be triggered: "trilho trigger" lists what can.`,
    );
  const id = '018f0000-0000-7000-8000-000000000000';
  for (const amount of ['', '0x10', '1e1', '-5', '1,5', '1.005'])
    expect(await saidOf('sandbox', 'pay', id, `--amount=${amount}`)).toMatch(/^trilho: Give --amount in BRL /);
  expect(await saidOf('tasks', 'list', '--before', `payout/${id}/x`)).toMatch(/ is no id \(subject\)/);
  expect(await saidOf('account', 'set', id, '--reason', 'x')).toMatch(/^trilho: Say what changes: /);
  const failed = (message: string, code: string) => Object.assign(new Error(message), { code });
  for (const file of ['/none/x.json', `/${'x'.repeat(300)}`, '/dev/null/x']) {
    const unread = await new Promise((resolve) => readFile(file, resolve));
    expect(explainError(unread)).toBe(`trilho: ${(unread as Error).message}`);
  }
  for (const code of ['ENOSPC', 'EDQUOT', 'EIO'])
    expect(explainError(failed(`${code}: write`, code))).toBe(`trilho: ${code}: write`);
  expect(explainError(failed('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'))).toMatch(/^trilho: The database /);
  for (const code of ['28P01', '3D000'])
    expect(explainError(failed('no such thing', code))).toBe(
      `trilho: The database of DATABASE_URL can't be used (${code}): no such thing.`,
    );
  expect(explainError(new ApiUnavailable('http://localhost:1 does not answer', null))).toMatch(/^trilho: http/);
  const ours = new TypeError('x is not a function');
  expect(explainError(ours)).toBe(ours);
});

test('a server that is not the one that was meant is said to be another one, in one line', async () => {
  for (const body of ['<html>', 'null', '[]', '{"ok":true}']) {
    for (const status of [200, 404]) {
      vi.stubGlobal('fetch', async () => new Response(body, { status }));
      const api = createApiClient('https://pay.example.com', 'tr_test_x').get('/events');
      await expect(api, `${status} ${body}`).rejects.toThrow(CommandError);
      if (status === 200) await expect(api).rejects.toThrow('change TRILHO_URL');
      vi.stubEnv('SANDBOX_URL', 'http://127.0.0.1:1/sandbox');
      vi.stubEnv('MASTER_KEYS', `v1:${Buffer.alloc(32).toString('base64')}`);
      const sandbox = callSandbox('POST', '/pay', {});
      if (status === 200 && /^[{[]/.test(body)) await sandbox;
      else await expect(sandbox, `${status} ${body}`).rejects.toThrow(`(HTTP ${status}): change SANDBOX_URL`);
    }
  }
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test('a name and an instant that are typed wrongly are rejected before anything is done', async () => {
  const id = '018f0000-0000-7000-8000-000000000000';
  for (const setting of ['fee=pix_in=99bps+10=5', 'rail=pix_out=on=off', 'limit=daily_limit_out_pix=5000.00=3'])
    expect(await typed('account', 'set', id, `--${setting}`), setting).toMatch(/is invalid\. Give /);
  for (const name of ['', ' ', 'a\u0007b', 'n'.repeat(201)]) {
    expect(await typed('operator', 'create', 'ana@example.com', '--name', name)).toContain('visible characters');
    expect(await typed('key', 'create', '--account', id, '--name', name)).toContain('visible characters');
  }
  expect(await typed('account', 'set', id, '--limit', 'daily_limit=1')).toContain('names: minimal_value_in_crypto, ');
  const open = ['dispute', 'open', id, '--reason', 'fraud', '--answer-by'];
  expect(await typed(...open, '2026-11-25T18:00:00')).toContain('with its zone');
  expect(await typed('listen', '--since', '2026-11-24T12:00:00')).toContain('with its zone');
  expect(await typed('key', 'create', '--account', id, '--expires', '2027-02-30T12:00:00Z')).toContain('with its zone');
});

test('a file of credentials may have an equals sign in its path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trilho=credentials-'));
  const file = join(folder, 'shop=1.json');
  writeFileSync(file, '{}');
  const said = await typed('account', 'set', '018f0000-0000-7000-8000-000000000000', '--credential', `plisio=${file}`);
  rmSync(folder, { recursive: true });
  expect(said).toContain(`The file ${file} holds no credentials of kind plisio`);
});

/** Resolves to what is said about the words that were typed. */
async function typed(...words: string[]): Promise<unknown> {
  const program = createProgram();
  const quiet = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => {} });
    command.commands.forEach(quiet);
  };
  quiet(program);
  return program.parseAsync(words, { from: 'user' }).catch((error: Error) => error.message);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Installation } from './installation.ts';

const SCRIPT = join(import.meta.dirname, '../src/cli/main.ts');

export type CommandOutcome = { code: number | null; out: string; err: string };

/** Runs the command line beside the service, as an operator does. */
export async function runCommand(
  { commandEnv, folder }: Installation,
  args: readonly string[],
  options: { beside?: (child: ChildProcess) => Promise<void>; variables?: Record<string, string> } = {},
): Promise<CommandOutcome> {
  const { beside = async () => {}, variables } = options;
  const env = { NODE_ENV: 'production' as const, ...commandEnv, TRILHO_HOME: join(folder, 'web0'), ...variables };
  const child = spawn(process.execPath, [SCRIPT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await Promise.all([closed, beside(child)]);
  return { code: child.exitCode, out, err };
}

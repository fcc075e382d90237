import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/**
 * Describes a run in reports: the commit, the day and the machine. `reports`: paths that earlier
 * runs have written, whose changes do not make it another program.
 */
export function describeRun(reports: readonly string[]): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', ...reports.map((path) => `:!${path}`));
  const commit = `${git('rev-parse', '--short', 'HEAD')}${changes ? ' and changes' : ''}`;
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? process.arch}), Node ${process.version}`;
  return `${commit}, ${new Date().toISOString().slice(0, 10)}, ${machine}`;
}

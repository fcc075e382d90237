import { spawnSync } from 'node:child_process';

/** Whether the operator wants no system package to be installed and no system user to be added. */
export const refusesSystemChanges = (env = process.env) => env.SYSTEM_CHANGES === 'refuse';

/**
 * Tests and benches run a PostgreSQL, which does not run as root: as root they add the system user
 * `postgres` where it is missing, and announce it. Where the operator forbids that, this returns
 * why the command can't run; else `null`.
 */
export function missingSystemUser(env = process.env) {
  if (!refusesSystemChanges(env) || process.getuid?.() !== 0) return null;
  if (spawnSync('id', ['-u', 'postgres'], { env, stdio: 'ignore' }).status === 0) return null;
  return 'PostgreSQL does not run as root, and SYSTEM_CHANGES=refuse keeps this command from adding the system user postgres. Run it as an ordinary user, or add the user yourself (useradd --system postgres)';
}

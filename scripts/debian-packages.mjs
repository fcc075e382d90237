import { spawn, spawnSync } from 'node:child_process';
import { ROOT } from './prepare.mjs';
import { refusesSystemChanges } from './system-changes.mjs';

const APT_MS = 600_000;

/** Resolves when the installation that was requested last has ended. */
let installed = Promise.resolve();

/**
 * Installs system packages, unless the operator forbids it; passes each command to `say` before it
 * runs. Resolves to why it failed, or to undefined. One after the other, because steps of the tests
 * run beside each other, and a second apt-get fails while another one runs.
 */
export function installDebianPackages(packages, say, env = process.env) {
  installed = installed.then(() => install(packages, say, env));
  return installed;
}

async function install(packages, say, env) {
  if (refusesSystemChanges(env)) return 'not installed: SYSTEM_CHANGES=refuse';
  if (spawnSync('apt-get', ['--version'], { env, stdio: 'ignore' }).status !== 0) return 'there is no apt-get';
  const apt = process.getuid() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [command, ...rest] = [...apt, ...args];
    say(`Changing the system: ${[...apt, ...args].join(' ')} (SYSTEM_CHANGES=refuse prevents it)`);
    const failure = await runQuietly(command, rest, APT_MS, env);
    if (failure) return `${[...apt, ...args].join(' ')}: ${failure}`;
  }
}

/**
 * Runs a program in a process group of its own, so that a time-out ends its helpers too. Resolves
 * to why it failed, or to undefined.
 */
export function runQuietly(command, args, limitMs, variables = process.env) {
  return new Promise((resolve) => {
    const env = { ...variables, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(command, args, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      resolve(`no end after ${limitMs / 1000} s`);
      process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? undefined : reason(output) || `exit code ${code}`);
    });
  });
}

/**
 * The line that names an error, else the last one: the stack that follows an error does not help
 * here.
 */
function reason(output) {
  const lines = output.trim().split('\n');
  return (lines.findLast((line) => /^(\w*Error|E):/.test(line)) ?? lines.at(-1)).trim();
}

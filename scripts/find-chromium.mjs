import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { NODE, ROOT } from './prepare.mjs';
import { refusesSystemChanges } from './system-changes.mjs';

/**
 * The headless shell first: without windows to draw it takes a quarter less of the processor for
 * the same flows.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const DEBIANS = 'chromium-headless-shell';
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
/** A browser that needs longer to say its version does not work. */
const VERSION_MS = 30_000;
/**
 * Playwright's download is 120 MB, and where its host can't be reached it hangs instead of failing.
 */
const DOWNLOAD_MS = 180_000;
const APT_MS = 600_000;
const PLAYWRIGHT = join(ROOT, 'node_modules/@playwright/test/cli.js');

/**
 * Finds a browser for the flows, installing one if it must: gives its path, or '' for Playwright's
 * own. Throws an error that names all that was tried.
 */
export async function findChromium(say) {
  const tried = [];
  const given = process.env.CHROMIUM_PATH;
  for (const path of [...(given ? [given] : []), ...NAMES, MAC_CHROME]) {
    if (starts(path)) return onPath(path);
    tried.push(path === given ? `CHROMIUM_PATH=${given} (does not start)` : `${path} (not there, or does not start)`);
  }
  for (const { name, install, path } of [
    { name: "Playwright's own download", install: downloadPlaywrights, path: '' },
    { name: `Debian's package ${DEBIANS}`, install: () => installDebians(say), path: DEBIANS },
  ]) {
    say(`No browser yet: trying ${name}`);
    const failure = await install();
    if (!failure) return path && onPath(path);
    say(failure);
    tried.push(`${name} (${failure})`);
  }
  throw new Error(`No Chromium to test with. Install one, or set CHROMIUM_PATH. Tried:\n  ${tried.join('\n  ')}`);
}

function starts(path) {
  // Some distributions put a script under this name that only says what to install.
  return spawnSync(path, ['--version'], { timeout: VERSION_MS, stdio: 'ignore' }).status === 0;
}

/** Playwright wants a file, not a name. */
function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return name.includes('/') ? name : (folders.find((file) => existsSync(file)) ?? name);
}

async function downloadPlaywrights() {
  const failure = await run(NODE, [PLAYWRIGHT, 'install', 'chromium-headless-shell'], DOWNLOAD_MS);
  if (failure) return failure;
  // A bare system lacks the libraries that the downloaded browser needs.
  const launch = `const { chromium } = await import('@playwright/test');
    await (await chromium.launch({ args: ['--no-sandbox'] })).close();`;
  return (
    (await run(NODE, ['--input-type=module', '-e', launch], VERSION_MS)) && 'downloaded, but it does not start here'
  );
}

/**
 * Installs the system package, unless the operator forbids it; says each command before. Resolves
 * to why it failed.
 */
export async function installDebians(say, env = process.env) {
  if (refusesSystemChanges(env)) return 'not installed: SYSTEM_CHANGES=refuse';
  if (spawnSync('apt-get', ['--version'], { env, stdio: 'ignore' }).status !== 0) return 'there is no apt-get';
  const apt = process.getuid() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', DEBIANS]]) {
    const [command, ...rest] = [...apt, ...args];
    say(`Changing the system: ${[...apt, ...args].join(' ')} (SYSTEM_CHANGES=refuse prevents it)`);
    const failure = await run(command, rest, APT_MS, env);
    if (failure) return `${[...apt, ...args].join(' ')}: ${failure}`;
  }
  return starts(DEBIANS) ? undefined : 'installed, but it does not start';
}

/**
 * Runs it in a process group of its own, so that a time-out ends its helpers too; gives why it
 * failed.
 */
function run(command, args, limitMs, variables = process.env) {
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
 * The line that names an error, else the last one; what follows it in a stack says nothing here.
 */
function reason(output) {
  const lines = output.trim().split('\n');
  return (lines.findLast((line) => /^(\w*Error|E):/.test(line)) ?? lines.at(-1)).trim();
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages, runQuietly } from './debian-packages.mjs';
import { NODE, ROOT } from './prepare.mjs';

/**
 * The headless shell first: it draws no windows, and takes a quarter less of the processor for the
 * same flows.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const DEBIANS = 'chromium-headless-shell';
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
/** A browser that takes longer to print its version counts as broken. */
const VERSION_MS = 30_000;
/**
 * Playwright's download is 120 MB, and where its host can't be reached it hangs instead of failing.
 */
const DOWNLOAD_MS = 180_000;
const PLAYWRIGHT = join(ROOT, 'node_modules/@playwright/test/cli.js');

/**
 * Finds a browser for the flows, and installs one if there is none. Returns its path, or '' for
 * Playwright's own. Throws an error that names all that was tried.
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
  const failure = await runQuietly(NODE, [PLAYWRIGHT, 'install', 'chromium-headless-shell'], DOWNLOAD_MS);
  if (failure) return failure;
  // A bare system lacks the libraries that the downloaded browser needs.
  const launch = `const { chromium } = await import('@playwright/test');
    await (await chromium.launch({ args: ['--no-sandbox'] })).close();`;
  return (
    (await runQuietly(NODE, ['--input-type=module', '-e', launch], VERSION_MS)) &&
    'downloaded, but it does not start here'
  );
}

async function installDebians(say) {
  const failure = await installDebianPackages([DEBIANS], say);
  if (failure) return failure;
  return starts(DEBIANS) ? undefined : 'installed, but it does not start';
}

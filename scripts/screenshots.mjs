import { spawn } from 'node:child_process';
import { findChromium } from './find-chromium.mjs';
import { NODE, prepare, ROOT } from './prepare.mjs';

/**
 * `npm run screenshots`: pictures of every page, both themes, both widths, into screenshots/; the
 * few that are shown go into public/docs/.
 */
await prepare({ panel: true });
const env = { ...process.env, CHROMIUM_PATH: await findChromium(console.log), TRILHO_SCREENSHOTS: 'true' };
const args = ['node_modules/@playwright/test/cli.js', 'test', '--project', 'screenshots', ...process.argv.slice(2)];
const playwright = spawn(NODE, args, { cwd: ROOT, env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => playwright.kill(signal));
playwright.on('exit', (code) => process.exit(code ?? 1));

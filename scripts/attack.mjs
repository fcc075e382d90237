import { spawn } from 'node:child_process';
import { findChromium } from './find-chromium.mjs';
import { NODE, prepare, ROOT } from './prepare.mjs';
import { missingSystemUser } from './system-changes.mjs';

const missing = missingSystemUser();
if (missing) {
  console.error(`npm run attack: ${missing}.`);
  process.exit(1);
}

// With the pages: a browser opens them.
await prepare({ panel: true, quiet: true });
const env = { ...process.env, CHROMIUM_PATH: await findChromium(console.error) };
const attack = spawn(NODE, ['attack/main.ts', ...process.argv.slice(2)], { cwd: ROOT, env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => attack.kill(signal));
attack.on('exit', (code) => process.exit(code ?? 1));

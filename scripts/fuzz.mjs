import { spawn } from 'node:child_process';
import { NODE, prepare, ROOT } from './prepare.mjs';
import { missingSystemUser } from './system-changes.mjs';

const missing = missingSystemUser();
if (missing) {
  console.error(`npm run fuzz: ${missing}.`);
  process.exit(1);
}

// With the pages: what is no address of the API is theirs, and their memory is part of it.
await prepare({ panel: true, quiet: true });
const fuzz = spawn(NODE, ['fuzz/main.ts', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => fuzz.kill(signal));
fuzz.on('exit', (code) => process.exit(code ?? 1));

import { spawn } from 'node:child_process';
import { NODE, prepare, ROOT } from './prepare.mjs';
import { missingSystemUser } from './system-changes.mjs';

const missing = missingSystemUser();
if (missing) {
  console.error(`npm run drill: ${missing}.`);
  process.exit(1);
}

// With the pages: a web process does not start without them.
await prepare({ panel: true, quiet: true });
const drill = spawn(NODE, ['drill/main.ts', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => drill.kill(signal));
drill.on('exit', (code) => process.exit(code ?? 1));

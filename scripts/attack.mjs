import { spawn } from 'node:child_process';
import { NODE, prepare, ROOT } from './prepare.mjs';

// With the pages: a browser looks at them.
await prepare({ panel: true, quiet: true });
const attack = spawn(NODE, ['attack/main.ts', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => attack.kill(signal));
attack.on('exit', (code) => process.exit(code ?? 1));

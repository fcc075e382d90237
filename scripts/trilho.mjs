import { spawn } from 'node:child_process';
import { NODE, prepare, ROOT } from './prepare.mjs';

await prepare({ panel: false, quiet: true });
const command = spawn(NODE, ['src/cli/main.ts', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => command.kill(signal));
command.on('exit', (code) => process.exit(code ?? 1));

import { spawn } from 'node:child_process';
import { NODE, prepare, ROOT } from './prepare.mjs';
import { missingSystemUser } from './system-changes.mjs';

/**
 * Runs `NAME/main.ts` as `npm run NAME`, with the arguments of the command line, and ends with its
 * exit code. The pages are built first, because the tools start the service as it is shipped.
 * `environment` returns further variables, once everything is installed.
 */
export async function runTool(name, environment = async () => ({})) {
  const missing = missingSystemUser();
  if (missing) {
    console.error(`npm run ${name}: ${missing}.`);
    process.exit(1);
  }
  await prepare({ panel: true, quiet: true });
  const env = { ...process.env, ...(await environment()) };
  const tool = spawn(NODE, [`${name}/main.ts`, ...process.argv.slice(2)], { cwd: ROOT, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tool.kill(signal));
  tool.on('exit', (code) => process.exit(code ?? 1));
}

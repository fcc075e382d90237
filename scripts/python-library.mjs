import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { findPython } from './find-python.mjs';
import { NODE, ROOT } from './prepare.mjs';
import { withPrepareLock } from './prepare-lock.mjs';

export const LIBRARY = join(ROOT, 'packages/trilho-python');
const CACHE = join(ROOT, 'node_modules/.cache/python');
/** Independent of the user's own settings of pip. */
const PIP = ['-m', 'pip', '--disable-pip-version-check', '--no-input', '--quiet'];

/**
 * Prepares the environment that builds and checks a folder with Python in it: a virtual environment
 * with the packages of its requirements.txt, made once for each content of that file and version of
 * Python. Returns its `python`, and `packages`, the folder with the packages' files, from which
 * other environments are made without a network.
 */
export async function preparePython(say, project = LIBRARY) {
  const lock = join(project, 'requirements.txt');
  const cache = join(CACHE, basename(project));
  const base = await findPython(say);
  const version = await runProgram(base, ['--version']);
  const key = createHash('sha256').update(version).update(readFileSync(lock)).digest('hex').slice(0, 16);
  const [folder, packages] = [join(cache, key), join(cache, key, 'packages')];
  const [python, stamp] = [join(folder, 'bin/python'), join(folder, 'complete')];
  await withPrepareLock(
    ROOT,
    () => say('Waiting for another command in this checkout, which is installing'),
    async () => {
      if (existsSync(stamp)) return;
      say(`Installing the packages of ${relative(ROOT, project)} for ${version.trim()}`);
      rmSync(cache, { recursive: true, force: true });
      await runProgram(base, ['-m', 'venv', folder]);
      const locked = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--requirement', lock];
      await runProgram(python, [...PIP, 'download', '--dest', packages, ...locked]);
      await runProgram(python, [...PIP, 'install', '--no-compile', '--no-index', '--find-links', packages, ...locked]);
      writeFileSync(stamp, '');
    },
  );
  return { python, packages };
}

/** Generates the code that comes from the API's document, and makes the wheel. Returns its path. */
export async function buildWheel({ python }) {
  await runProgram(NODE, [join(LIBRARY, 'scripts/generate.ts')]);
  const folder = join(LIBRARY, 'dist');
  rmSync(folder, { recursive: true, force: true });
  // The wheel can include a file of this folder only.
  copyFileSync(join(ROOT, 'LICENSE'), join(LIBRARY, 'LICENSE'));
  await runProgram(python, ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', folder], LIBRARY);
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '');
}

/**
 * Installs a wheel as a merchant does, into an empty environment and with the dependencies that it
 * names, but without a network. Returns the environment's Python.
 */
export async function installWheel({ python, packages }, wheel, folder) {
  await runProgram(python, ['-m', 'venv', '--without-pip', folder]);
  const installed = join(folder, 'bin/python');
  const from = ['--no-index', '--find-links', packages];
  await runProgram(python, ['-m', 'pip', '--python', installed, ...PIP.slice(2), 'install', ...from, wheel]);
  return installed;
}

/** Runs a program and returns its stdout. Throws an error with all that it printed. */
export function runProgram(program, args, cwd = ROOT, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve(stdout);
      reject(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`));
    });
  });
}

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { checkDependencies } from './dependencies.mjs';
import { findChromium } from './find-chromium.mjs';
import { NODE, prepare, ROOT } from './prepare.mjs';

/** Everything that is checked. `--only unit` runs one step; several: `--only lint,types`. */
const STEPS = [
  { name: 'lint', run: () => check('@biomejs/biome/bin/biome', ['ci', '.']) },
  { name: 'types', run: () => check('typescript/bin/tsc', ['--noEmit']) },
  { name: 'dead-code', run: () => check('knip/bin/knip.js', []) },
  { name: 'dependencies', run: dependencies },
  { name: 'unit', run: () => vitest('unit') },
  { name: 'integration', run: () => vitest('integration') },
  { name: 'browser', run: playwright },
];

const reports = mkdtempSync(join(tmpdir(), 'trilho-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const steps = chosenSteps();
console.log('── prepare');
await prepare({ panel: true });
const results = [];
for (const step of steps) results.push(await runStep(step));

console.log('');
for (const { name, seconds, failed } of results) console.log(`${failed ? 'FAILED' : 'ok    '}  ${name}  ${seconds} s`);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const skipped = sum('skipped');
console.log(`npm test: ${sum('passed')} passed, ${sum('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exit(sum('failed') ? 1 : 0);

function chosenSteps() {
  const at = process.argv.indexOf('--only');
  if (at < 0) return STEPS;
  const names = (process.argv[at + 1] ?? '').split(',');
  const unknown = names.find((name) => !STEPS.some((step) => step.name === name));
  if (unknown === undefined) return STEPS.filter(({ name }) => names.includes(name));
  console.error(`npm test: there is no step "${unknown}"; the steps are ${STEPS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

async function runStep({ name, run }) {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const counts = await run().catch((error) => {
    console.error(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  return { name, seconds: ((performance.now() - start) / 1000).toFixed(1), ...counts };
}

/** A check that passes or fails as a whole. */
async function check(tool, args) {
  const code = await execute(tool, args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function dependencies() {
  const passed = await checkDependencies({ cwd: ROOT, say: console.log });
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

async function vitest(project) {
  const report = join(reports, `${project}.json`);
  const code = await execute('vitest/vitest.mjs', [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'));
  return counts(code, numPassedTests, numFailedTests, numPendingTests + numTodoTests);
}

async function playwright() {
  const chromium = await findChromium(console.log);
  const report = join(reports, 'browser.json');
  const code = await execute('@playwright/test/cli.js', ['test'], {
    CHROMIUM_PATH: chromium,
    TRILHO_E2E_REPORT: report,
  });
  const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(report, 'utf8')).stats;
  return counts(code, expected, unexpected + flaky, skipped);
}

/** A run can also fail as a whole: a file that can't be loaded, an error between the tests, no test at all. */
function counts(code, passed, failed, skipped) {
  return { passed, failed: Math.max(failed, code === 0 ? 0 : 1), skipped };
}

/** Runs a tool of node_modules on our own Node, its output straight to the terminal; gives its exit code. */
function execute(tool, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, [join('node_modules', tool), ...args], {
      cwd: ROOT,
      env: { ...neutralEnvironment(), ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Without the variables that this machine's own installation is run with: the tests say themselves what they need. */
function neutralEnvironment() {
  const env = { ...process.env, PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
  for (const [, name] of readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=/gm)) delete env[name];
  delete env.NODE_ENV;
  return env;
}

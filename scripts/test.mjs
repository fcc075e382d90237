import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { checkDependencies } from './dependencies.mjs';
import { findChromium } from './find-chromium.mjs';
import { NODE, prepare, ROOT } from './prepare.mjs';
import { preparePython } from './python-library.mjs';
import { missingSystemUser } from './system-changes.mjs';
import { makeTemporaryFolder } from './temporary-folder.mjs';

/** Go 1.21 and later fetch the version that a module asks for. */
const GO = { command: ['go', 'version'], what: 'Go 1.21 or later (https://go.dev/dl)' };

/**
 * Every step of the checks. `--only unit` runs one step, `--only lint,types` several; what follows
 * the name of one step goes to its tool: `--only unit src/domain`. `pages`: the step needs the
 * built pages; `database`: it runs PostgreSQL; `beside`: it runs beside the build of the pages and
 * the steps that need them, which leave some processors idle; `needs`: it reads a file that is not
 * in the repository, and this variable has its path; `program`: it runs a program that does not
 * come with the packages. Steps with one of these two run only when they are named.
 */
const STEPS = [
  {
    name: 'lint',
    beside: true,
    run: (paths, say) => check('@biomejs/biome/bin/biome', ['ci', ...(paths.length > 0 ? paths : ['.'])], say),
  },
  { name: 'dead-code', beside: true, run: deadCode },
  { name: 'dependencies', beside: true, run: dependencies },
  { name: 'unit', beside: true, database: true, run: (args, say) => vitest('unit', args, say) },
  { name: 'types', beside: true, run: types },
  { name: 'python', beside: true, database: true, run: python },
  { name: 'integration', database: true, pages: true, run: (args, say) => vitest('integration', args, say) },
  { name: 'browser', database: true, pages: true, run: playwright },
  { name: 'pix-api', database: true, needs: 'PIX_API_OPENAPI', run: (args, say) => vitest('pix-api', args, say) },
  { name: 'clients', database: true, program: GO, run: clients },
];

/** How many of the slowest tests are listed at the end: where the time of a run can be saved. */
const SLOWEST = 10;
/**
 * How many lines of each failure are shown at the end: what was expected, what came, and the first
 * lines of the stack.
 */
const FAILURE_LINES = 16;

/** For the temporary files of every step, and the reports of their tools. */
const temporary = makeTemporaryFolder();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const { steps, args } = chosenSteps();
const missing = steps.some(({ database }) => database) ? missingSystemUser() : null;
if (missing) giveUp(missing);
const unset = steps.map(({ needs }) => needs).find((name) => name !== undefined && !process.env[name]);
if (unset !== undefined) giveUp(`set ${unset} to the path of the file that this step reads; docs/psp.md says which`);
const absent = steps.map(({ program }) => program).find((one) => one && !isInstalled(one.command));
if (absent) giveUp(`install ${absent.what}; this step runs it`);
const say = (text) => void process.stdout.write(text);
console.log('── prepare');
await prepare({ panel: false });
// Begun at once: a download or an installation mostly waits. The step that needs it comes last.
const browser = steps.some(({ name }) => name === 'browser') ? findChromium((line) => say(`${line}\n`)) : null;
// Why it failed is reported by the step, which may begin long after.
browser?.catch(() => {});
const built = prepare({ panel: steps.some(({ pages }) => pages) });
const main = steps.filter(({ beside }) => !beside);
const results = (
  await Promise.all([
    inTurn(
      steps.filter(({ beside }) => beside),
      main.length === 0 ? say : null,
    ),
    built.then(() => inTurn(main, say)),
  ])
).flat();

// A log that is kept is often only its end, so the failures are repeated there.
for (const { test, message } of results.flatMap(({ failures }) => failures)) {
  console.log(`\nFAILED  ${test}\n${indented(message)}`);
}
const slowest = results.flatMap(({ durations }) => durations).sort((a, b) => b.ms - a.ms);
if (slowest.length > SLOWEST) console.log('\nThe slowest tests:');
for (const { test, ms } of slowest.length > SLOWEST ? slowest.slice(0, SLOWEST) : [])
  console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${test}`);
console.log('');
for (const { name, seconds, failed } of results) console.log(`${failed ? 'FAILED' : 'ok    '}  ${name}  ${seconds} s`);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const skipped = sum('skipped');
console.log(`npm test: ${sum('passed')} passed, ${sum('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exit(sum('failed') ? 1 : 0);

function chosenSteps() {
  const [option, chosen = '', ...args] = process.argv.slice(2);
  if (option === undefined) return { steps: STEPS.filter(({ needs, program }) => !needs && !program), args: [] };
  if (option !== '--only') giveUp(`there is no option "${option}"; --only STEP runs one step`);
  const names = chosen.split(',');
  const unknown = names.find((name) => !STEPS.some((step) => step.name === name));
  if (unknown !== undefined) {
    giveUp(`there is no step "${unknown}"; the steps are ${STEPS.map(({ name }) => name).join(', ')}`);
  }
  if (args.length > 0 && names.length > 1)
    giveUp('what follows the steps goes to the tool of one step, not of several');
  return { steps: STEPS.filter(({ name }) => names.includes(name)), args };
}

function giveUp(reason) {
  console.error(`npm test: ${reason}.`);
  process.exit(1);
}

/**
 * Runs steps one after the other. `out` gets what they print as it comes; null: what a step printed
 * is shown when it has ended, so that it does not mix with another's lines.
 */
async function inTurn(chosen, out) {
  const ended = [];
  for (const step of chosen) ended.push(await runStep(step, out));
  return ended;
}

async function runStep({ name, run }, out) {
  const held = [];
  const print = out ?? ((text) => void held.push(text));
  print(`\n── ${name}\n`);
  const start = performance.now();
  const counts = await run(args, print).catch((error) => {
    print(`${error.message}\n`);
    return { passed: 0, failed: 1, skipped: 0, failures: [], durations: [] };
  });
  if (held.length > 0) say(held.join(''));
  return { name, seconds: ((performance.now() - start) / 1000).toFixed(1), ...counts };
}

/** A check that passes or fails as a whole. */
async function check(tool, args, print) {
  const code = await execute(tool, args, print);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, failures: [], durations: [] };
}

/**
 * Finds what nothing uses, then what only tests use: `@internal` gives the reason where that has to
 * be.
 */
async function deadCode(args, print) {
  const everywhere = await check('knip/bin/knip.js', args, print);
  if (everywhere.failed > 0) return everywhere;
  return check('knip/bin/knip.js', ['--production', '--exclude', 'dependencies', ...args], print);
}

/**
 * Runs after the build: without built pages Next has not written the types of style sheets,
 * pictures and routes, and a running build writes into the same folder. In one thread: by default
 * four work out the types of the database and of the procedures, each all of them, which takes
 * twice the processor time and memory, and no less time on two processors.
 */
async function types(args, print) {
  await built;
  const code = await execute('next/dist/bin/next', ['typegen'], print, { NEXT_TELEMETRY_DISABLED: '1' });
  if (code !== 0) throw new Error('next typegen failed.');
  return check('typescript/bin/tsc', ['--noEmit', '--singleThreaded', ...args], print);
}

async function dependencies(_args, print) {
  const passed = await checkDependencies({ cwd: ROOT, say: (line) => print(`${line}\n`) });
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0, failures: [], durations: [] };
}

async function vitest(project, args, print) {
  const report = join(temporary, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await execute('vitest/vitest.mjs', ['run', '--project', project, ...reporters, ...args], print);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const failures = testResults.flatMap((file) => [
    // A file without a failed test can fail as a whole: an import, a hook.
    ...(file.message ? [{ test: relative(ROOT, file.name), message: file.message }] : []),
    ...file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        test: `${relative(ROOT, file.name)} › ${fullName}`,
        message: failureMessages.join('\n'),
      })),
  ]);
  const durations = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      test: `${relative(ROOT, name)} › ${fullName}`,
      ms: duration ?? 0,
    })),
  );
  return counts({
    code,
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    failures,
    durations,
  });
}

/** Whether a program is on this machine, by whether this command succeeds. */
function isInstalled([name, ...args]) {
  return spawnSync(name, args, { stdio: 'ignore' }).status === 0;
}

/** Installs Python where it is missing, and announces it; not Go, because Debian's is too old. */
async function clients(args, print) {
  await preparePython((line) => say(`${line}\n`), join(ROOT, 'e2e/generated-clients/python'));
  return vitest('clients', args, print);
}

/** Changes of the system are announced at once, also where the step's own lines are held back. */
async function python(args, print) {
  await preparePython((line) => say(`${line}\n`));
  return vitest('python', args, print);
}

async function playwright(args, print) {
  const chromium = await browser;
  const report = join(temporary, 'browser.json');
  const code = await execute('@playwright/test/cli.js', ['test', ...args], print, {
    CHROMIUM_PATH: chromium,
    TRILHO_E2E_REPORT: report,
  });
  const { stats, suites, errors } = JSON.parse(readFileSync(report, 'utf8'));
  const specs = suites.flatMap(specsOf);
  const failures = [
    ...errors.map(({ message }) => ({ test: 'browser', message })),
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => ({
        test: `e2e/${file} › ${title}`,
        message: tests
          .flatMap(({ results }) => results.flatMap((result) => result.errors.map((error) => error.message)))
          .join('\n'),
      })),
  ];
  const durations = specs.flatMap(({ file, title, tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => ({ test: `e2e/${file} › ${title}`, ms: duration }))),
  );
  return counts({
    code,
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures,
    durations,
  });
}

/** The specs of a suite in Playwright's report, and of the suites within it. */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** The beginning of a message, without colours. */
function indented(message) {
  return stripVTControlCharacters(message)
    .split('\n')
    .slice(0, FAILURE_LINES)
    .map((line) => `        ${line}`)
    .join('\n');
}

/**
 * A run can also fail as a whole: a file that can't be loaded, an error between the tests, no test
 * at all.
 */
function counts({ code, failed, ...rest }) {
  return { ...rest, failed: Math.max(failed, code === 0 ? 0 : 1) };
}

/**
 * Runs a tool of node_modules on our own Node. Its output goes to `print`, or straight to the
 * terminal where `print` writes there. Resolves to its exit code.
 */
function execute(tool, args, print, env = {}) {
  return new Promise((resolve, reject) => {
    const output = print === say ? 'inherit' : 'pipe';
    const child = spawn(NODE, [join('node_modules', tool), ...args], {
      cwd: ROOT,
      env: { ...neutralEnvironment(), ...env },
      stdio: ['ignore', output, output],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', print);
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * The environment without the variables of this machine's own installation: tests set what they
 * need. SYSTEM_CHANGES, the operator's choice about the system, stays.
 */
function neutralEnvironment() {
  const env = { ...process.env, PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
  for (const [, name] of readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=/gm)) {
    if (name !== 'SYSTEM_CHANGES') delete env[name];
  }
  delete env.NODE_ENV;
  return { ...env, TMPDIR: temporary };
}

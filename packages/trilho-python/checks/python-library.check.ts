import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWheel, installWheel, LIBRARY, preparePython, runProgram } from '../../../scripts/python-library.mjs';
import {
  examplesOf,
  LIBRARY_FEES,
  runLibraryProgram,
  signedExampleEvent,
} from '../../../src/testing/library-program.ts';
import { startTestService, type TestService } from '../../../src/testing/test-service.ts';

/**
 * Checks packages/trilho-python, in the step `python` of `npm test`: by its own tools, and as a
 * merchant gets it: built, installed into an empty environment, and used with the running service.
 * Its README's examples are one of the programs.
 */

let trilho: TestService;
let folder: string;
/** The Python that has the library's tools, and the merchant's. */
let tools: string;
let merchants: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-merchant-'));
  // Before the service starts: it may install a Python, and nothing else runs meanwhile.
  const environment = await preparePython(console.log);
  [trilho] = await Promise.all([startTestService(), install(environment)]);
});
afterAll(async () => {
  await trilho.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the Python library is formatted, and its linter finds nothing', async () => {
  await run('ruff', 'format', '--quiet', '--check', '.');
  await run('ruff', 'check', '--quiet', '.');
});

test('the Python library and its tests pass the type check', async () => {
  expect(await run('mypy', 'src', 'tests')).toContain('no issues');
});

test('the Python library’s own tests pass', async () => {
  expect(await run('pytest', '-p', 'no:cacheprovider')).toMatch(/\d{3} passed/);
});

test('the wheel has the library, its generated modules and its types, and no other files', () => {
  const installed = join(folder, 'env/lib', readdirSync(join(folder, 'env/lib'))[0] ?? '', 'site-packages');
  const files = readdirSync(join(installed, 'trilho'), { recursive: true, encoding: 'utf8' });
  const generated = ['_generated/models.py', '_generated/params.py', '_generated/async_resources/payments.py'];
  expect(files).toEqual(expect.arrayContaining(['py.typed', '__init__.py', ...generated]));
  expect(
    files.filter((path) => !/(\.py|py\.typed|__pycache__.*|_generated|_resources|async_resources)$/.test(path)),
  ).toEqual([]);
});

test('the types accept what a merchant writes, the README’s examples too, and reject wrong uses', async () => {
  const programs = ['readme.py', 'against_service.py', 'wrong_uses.py'];
  const strict = ['--strict', '--warn-unused-ignores', '--cache-dir', join(LIBRARY, '.mypy_cache')];
  const args = ['-m', 'mypy', ...strict, '--python-executable', merchants, ...programs];
  expect(await runProgram(tools, args, folder)).toContain('no issues');
});

test('the README’s examples print what they should, and verify the webhook', async () => {
  const { apiKey, secretKey } = await trilho.openAccount({ fees: LIBRARY_FEES });
  const environment = { TRILHO_URL: trilho.url, TRILHO_API_KEY: apiKey, TRILHO_WEBHOOK_SECRETS: secretKey };
  const { steps, printed } = await use('readme.py', [signedExampleEvent(secretKey)], environment);
  expect(steps.map(({ step }) => step)).toEqual(['charged', 'webhook']);
  expect(steps[1]).toEqual({ step: 'webhook', genuine: 204, forged: 400 });
  expect(printed).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^000201.* http/),
      '50.9 pending 89.85',
      '131072.01 131222.76',
      expect.stringMatching(/ pending 131072.01$/),
      expect.stringMatching(/^2 [0-9a-f-]{36}$/),
      'Left: 89.85',
      'Withdrawn: 50',
      expect.stringMatching(/^Not enough money: /),
      'paid 01a1f8f3-e895-7c3a-9d41-5b6e7f8091a2 149.24',
      expect.stringMatching(/^GET \/payments\/balance .* 1$/),
    ]),
  );
});

test('money moves once where answers get lost, and an unknown outcome is settled by its key', async () => {
  const { apiKey, secretKey } = await trilho.openAccount({ fees: LIBRARY_FEES });
  const { steps } = await use('against_service.py', [trilho.url, apiKey, secretKey], {});
  const error = (name: string, status: number, code: string) => ({ name, status, code, hasRequestId: true });
  expect(steps).toEqual([
    { step: 'lost once', attempts: 2, isReplayed: true, charges: 1, amount: '131072.01' },
    { step: 'exact', read: '131072.01', listed: '131072.01', sum: '131072.31' },
    { step: 'charged', transactionId: expect.any(String) },
    { step: 'unknown, then known', isReplayed: true, total: '50.9', moved: '50.90' },
    { step: 'other request', ...error('IdempotencyError', 422, 'idempotency_key_reused') },
    { step: 'too much', ...error('InvalidRequestError', 400, 'invalid_wallet') },
    { step: 'missing', ...error('NotFoundError', 404, 'event_not_found') },
    { step: 'wrong key', ...error('AuthenticationError', 401, 'api_key_invalid') },
    { step: 'nowhere', notSent: true },
    { step: 'misspelt', suggestions: ['callbackUrl'] },
    { step: 'pages', pages: [2, 1] },
    { step: 'cancelled', status: 'cancelled' },
    { step: 'deposit', currency: 'USDT_TRX', type: 'crypto_in' },
    {
      step: 'rest',
      ...{ refunded: '0.01', quoted: '10.5', mode: 'test', limits: true, currencies: true },
      ...{ payees: [], disputes: [], entries: [] },
    },
    { step: 'async', listed: ['0.3'], missing: 'transaction_not_found' },
    { step: 'charged', transactionId: expect.any(String) },
    { step: 'webhook', type: 'pix_in.paid', amount: '37.5' },
    { step: 'event', same: true },
  ]);
});

/** Builds the wheel and installs it into an empty environment, beside the programs that use it. */
async function install(environment: Awaited<ReturnType<typeof preparePython>>): Promise<void> {
  tools = environment.python;
  merchants = await installWheel(environment, await buildWheel(environment), join(folder, 'env'));
  cpSync(join(LIBRARY, 'checks'), folder, { recursive: true });
  writeFileSync(join(folder, 'readme.py'), readmeProgram());
}

/**
 * The README's examples in their order as one program. The charge of the first is paid; at the end
 * the webhook's handler gets the event of the command line, and one with another body.
 */
function readmeProgram(): string {
  const [first, ...rest] = examplesOf(LIBRARY, 'python');
  return [
    'import json',
    'import sys',
    'from harness import report, until_paid',
    first,
    'until_paid(trilho, charge.transaction_id)',
    ...rest,
    'signed = json.loads(sys.argv[1])',
    'genuine = receive(signed["body"].encode(), signed["headers"])',
    'forged = receive(signed["body"].replace("149.24", "999.24").encode(), signed["headers"])',
    'report("webhook", genuine=genuine, forged=forged)',
  ].join('\n');
}

/** Runs a program of the merchant, and pays the charges that it reports. */
const use = (program: string, args: string[], environment: Record<string, string>) =>
  runLibraryProgram(trilho, [merchants, program, ...args], { cwd: folder, environment });

/** Runs a tool of the library's environment in its folder. */
function run(tool: string, ...args: string[]): Promise<string> {
  return runProgram(tools, ['-m', tool, ...args], LIBRARY, { PYTHONPATH: 'src' });
}

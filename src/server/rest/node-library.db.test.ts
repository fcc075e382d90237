import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examplesOf, LIBRARY_FEES, runLibraryProgram, signedExampleEvent } from '../../testing/library-program.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/**
 * packages/trilho-node as a merchant gets it: packed, installed without a network into an empty
 * folder, compiled against, and used with the running service. Its README's examples are one of the
 * programs, the recipes of /docs another.
 */

const CHECKOUT = join(import.meta.dirname, '../../..');
const LIBRARY = join(CHECKOUT, 'packages/trilho-node');
const TYPESCRIPT = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
/** Packing and compiling take a while on a small machine. */
const COMPILE_MS = 120_000;
/** A merchant's own settings: strict, and without trust in the declarations of packages. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
  },
};

let trilho: TestService;
let folder: string;
let packed: { filename: string; files: { path: string }[] };

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trilho-merchant-')));
  [trilho] = await Promise.all([startTestService(), install()]);
}, COMPILE_MS);
afterAll(async () => {
  await trilho.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the package holds the compiled library with its types, and no dependency', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts', 'package.json']),
  );
  expect(
    paths.filter((path) => !/^dist\/[\w/-]+\.(d\.ts|js)$|^(LICENSE|README\.md|package\.json)$/.test(path)),
  ).toEqual([]);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'node_modules/trilho-node/package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
});

test('the library and its own tests have right types', { timeout: COMPILE_MS }, async () => {
  expect(await node(LIBRARY, TYPESCRIPT, '-p', '.')).toBe('');
});

test('the types fit what a merchant writes, the README’s examples too, and reject what is wrong', {
  timeout: COMPILE_MS,
}, async () => {
  expect(await node(folder, TYPESCRIPT, '-p', '.')).toBe('');
});

test('the README’s examples do what they say', async () => {
  const { apiKey, secretKey } = await trilho.openAccount({ fees: LIBRARY_FEES });
  const environment = { TRILHO_URL: trilho.url, TRILHO_API_KEY: apiKey, TRILHO_WEBHOOK_SECRETS: secretKey };
  const { steps, printed } = await run('readme.ts', [signedExampleEvent(secretKey)], environment);
  expect(steps.map(({ step }) => step)).toEqual(['charged', 'webhook']);
  expect(steps[1]).toEqual({ step: 'webhook', genuine: 204, forged: 400 });
  expect(printed).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^000201.* http/),
      '50.9 pending 89.85',
      '131072.01 131222.76',
      expect.stringMatching(/ pending 131072.01$/),
      expect.stringMatching(/^2 [0-9a-f-]{36}$/),
      expect.stringMatching(/^Not enough money: /),
      'paid 01a1f8f3-e895-7c3a-9d41-5b6e7f8091a2 149.24',
      expect.stringMatching(/^GET \/payments\/balance .* 1$/),
    ]),
  );
});

test('money moves once where answers get lost, and an unknown outcome is settled by its key', async () => {
  const { apiKey, secretKey } = await trilho.openAccount({ fees: LIBRARY_FEES });
  const { steps } = await run('against-service.ts', [trilho.url, apiKey, secretKey], {});
  const error = (name: string, status: number, code: string) => ({ name, status, code, hasRequestId: true });
  expect(steps).toEqual([
    { step: 'lost once', attempts: 2, isReplayed: true, charges: 1, amount: 131072.01 },
    { step: 'exact', read: 131072.01, listed: 131072.01 },
    { step: 'charged', transactionId: expect.any(String) },
    { step: 'unknown, then known', isReplayed: true, total: 50.9, moved: 50.9 },
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
      ...{ refunded: 0.01, quoted: 10.5, mode: 'test', limits: true, currencies: true },
      ...{ payees: [], disputes: [], entries: [] },
    },
    { step: 'charged', transactionId: expect.any(String) },
    { step: 'webhook', type: 'pix_in.paid', amount: 37.5 },
    { step: 'event', same: true },
  ]);
});

test('the recipes of the reference do what they say', async () => {
  const { apiKey, secretKey } = await trilho.openAccount({ fees: LIBRARY_FEES, canCreateAccounts: true });
  const environment = { TRILHO_URL: trilho.url, TRILHO_API_KEY: apiKey, TRILHO_WEBHOOK_SECRETS: secretKey };
  const { steps } = await run('recipes/checks/run-recipes.ts', [], environment);
  expect(steps).toEqual([
    { step: 'double click', same: true },
    { step: 'charged', transactionId: expect.any(String) },
    { step: 'webhooks', again: 204, forged: 400, first: true },
    { step: 'charged', transactionId: expect.any(String) },
    { step: 'given back', charges: 2 },
    { step: 'charged', transactionId: expect.any(String) },
    { step: 'split', sellerGets: 89.99, available: 89.99, parts: [89.99] },
    {
      step: 'payouts',
      states: [
        ['paid', 1, null],
        ['failed', 2, 'AC03'],
        ['open', 2, 'insufficient_funds'],
        ['open', 1, null],
      ],
    },
    { step: 'still unknown', state: 'unknown', attempt: 1, why: 'rate_limited' },
    {
      step: 'days',
      begin: [
        ...['2018-11-04T03:00:00.000Z', '2019-02-17T03:00:00.000Z'],
        ...['2018-12-01T02:00:00.000Z', '2026-11-20T03:00:00.000Z'],
      ],
    },
    {
      step: 'reconciliation',
      differences: [{ reference: 'venda-8', booked: 100, received: 0 }],
      day: {
        ...{ opening: 0, closing: 13_985, fees: 90 },
        kinds: {
          pix_received: 31_150,
          refund_requested: -15_075,
          pix_withdrawal_requested: -3_193,
          pix_withdrawal_failed: 1_103,
        },
      },
    },
  ]);
});

/**
 * Packs the library and installs it where nothing else is. npm gets an address that nobody answers
 * at, so it can't have asked for anything.
 */
async function install(): Promise<void> {
  [packed] = JSON.parse(await npm(folder, 'pack', LIBRARY, '--json', '--loglevel=error', '--ignore-scripts=false'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const offline = ['--offline', '--registry=http://127.0.0.1:1', '--no-audit', '--no-fund'];
  await npm(folder, 'install', `./${packed.filename}`, ...offline);
  cpSync(join(LIBRARY, 'checks'), folder, { recursive: true });
  cpSync(join(CHECKOUT, 'docs/recipes'), join(folder, 'recipes'), { recursive: true });
  writeFileSync(join(folder, 'readme.ts'), readmeProgram());
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  // The types of Node, which a merchant has of their own.
  symlinkSync(join(CHECKOUT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
}

/**
 * The README's examples in their order as one program. After the first the charge is paid; at the
 * end the webhook's handler gets the event of the command line, and one with another body.
 */
function readmeProgram(): string {
  const [first, ...rest] = examplesOf(LIBRARY, 'ts');
  return [
    `import { report, untilPaid } from './readme-harness.ts';`,
    first,
    'await untilPaid(trilho, charge);',
    ...rest,
    `const { headers, body } = JSON.parse(process.argv[2] ?? '');`,
    `const webhook = (text: string) => POST(new Request('https://x.example.com', { method: 'POST', headers, body: text }));`,
    `const forged = await webhook(body.replace('149.24', '999.24'));`,
    `report('webhook', { genuine: (await webhook(body)).status, forged: forged.status });`,
  ].join('\n');
}

/** Runs a program of the folder, and pays the charges that it reports. */
const run = (program: string, args: string[], environment: Record<string, string>) =>
  runLibraryProgram(trilho, [process.execPath, program, ...args], { cwd: folder, environment });

/** Runs a program on this Node; its output, or an error with it. */
const node = (cwd: string, ...args: string[]): Promise<string> => execute(process.execPath, args, cwd);
const npm = (cwd: string, ...args: string[]): Promise<string> => execute('npm', args, cwd);

async function execute(program: string, args: string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  }
}

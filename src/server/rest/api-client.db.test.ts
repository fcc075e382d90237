import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/**
 * A client that is generated from the committed document, as a merchant would: it fits, and it
 * works.
 */

const CHECKOUT = join(import.meta.dirname, '../../..');
const CLIENT = join(CHECKOUT, 'e2e/api-client');
const DOCUMENT = join(CHECKOUT, 'public/openapi.json');
/** Compiling takes a while on a small machine. */
const COMPILE_MS = 120_000;

let trilho: TestService;

beforeAll(async () => {
  trilho = await startTestService();
  await node(packageFile('openapi-typescript', 'bin/cli.js'), DOCUMENT, '-o', 'generated.d.ts');
}, COMPILE_MS);
afterAll(() => trilho.stop());

test('the generated types fit what a merchant writes, and reject what is wrong', { timeout: COMPILE_MS }, async () => {
  expect(await node(packageFile('typescript', 'bin/tsc'), '--noEmit', '-p', '.')).toBe('');
});

test('the generated client charges, withdraws, reads and refunds', async () => {
  const fees = [
    { type: 'pix_in' as const, fee: { bps: 99, fixedCentavos: 0n } },
    { type: 'pix_out' as const, fee: { bps: 0, fixedCentavos: 90n } },
  ];
  const { apiKey } = await trilho.openAccount({ fees });
  const steps: Record<string, unknown>[] = [];
  for await (const step of run('main-flow.ts', trilho.url, apiKey)) {
    steps.push(step);
    if (step.step === 'charged') await trilho.pay(String(step.transactionId));
  }
  expect(steps).toEqual([
    { step: 'charged', transactionId: expect.any(String), code: expect.stringMatching(/^000201/) },
    { step: 'paid', status: 'paid', fees: 1.49 },
    { step: 'balance', available: 149.26 },
    { step: 'withdrawn', transactionId: expect.any(String), total: 50.9, key: '+5511987654321' },
    { step: 'listed', types: ['pix_out', 'pix_in'], more: false },
    { step: 'refunded', amount: 10, status: 'pending' },
    { step: 'read', refunded: 10, history: ['pix_in.created', 'pix_in.paid', 'pix_in.refunded'] },
    { step: 'refused', status: 400, error: 'Chave PIX inválida', code: 'invalid_pix_key' },
  ]);
});

/** Runs a program of the client's package on our Node; its output, or an error with it. */
async function node(...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, args, { cwd: CLIENT })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  }
}

/** The lines of JSON that a program prints, as they come. */
async function* run(...args: string[]): AsyncGenerator<Record<string, unknown>> {
  const child = spawn(process.execPath, args, { cwd: CLIENT, stdio: ['ignore', 'pipe', 'pipe'] });
  let problems = '';
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
  if ((await ended) !== 0) throw new Error(problems);
}

/**
 * npm puts a package of the workspace beside it, or above where no other package needs another
 * version.
 */
function packageFile(name: string, file: string): string {
  for (let folder = CLIENT; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name, file);
    if (existsSync(path)) return path;
  }
  throw new Error(`${name} is not installed.`);
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectMainFlow } from '../../testing/generated-clients/expect-main-flow.ts';
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

test('the generated client charges to the centavo, withdraws, reads, refunds, and understands an event', async () => {
  await expectMainFlow(trilho, [process.execPath, 'main-flow.ts'], { cwd: CLIENT });
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

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparePython, runProgram } from '../../../scripts/python-library.mjs';
import { startTestService, type TestService } from '../test-service.ts';
import { expectMainFlow } from './expect-main-flow.ts';

/**
 * `npm run check:clients`: clients in Go and Python, generated from the committed document by
 * generators that merchants use. They leave nothing out, compile, and do what a merchant does. The
 * client in TypeScript is in `npm test` (src/server/rest/api-client.db.test.ts).
 */

const CHECKOUT = join(import.meta.dirname, '../../..');
const PROGRAMS = join(CHECKOUT, 'e2e/generated-clients');
const DOCUMENT = join(CHECKOUT, 'public/openapi.json');

let trilho: TestService;
/** A copy of the programs, which the clients are generated into. */
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-clients-'));
  cpSync(PROGRAMS, folder, { recursive: true });
  trilho = await startTestService();
});
afterAll(async () => {
  await trilho?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('oapi-codegen makes a Go client that is whole, compiles, and charges to the centavo', async () => {
  const cwd = join(folder, 'go');
  const go = (...args: string[]) => runProgram('go', args, cwd);
  await go('mod', 'verify');
  // It would report what it leaves out.
  expect(await go('tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', DOCUMENT)).toBe('');
  expect(await runProgram('gofmt', ['-l', 'main.go'], cwd)).toBe('');
  await go('vet', '.');
  await go('build', '-o', 'main-flow', '.');
  await expectMainFlow(trilho, [join(cwd, 'main-flow')], { cwd });
});

test('openapi-python-client makes a Python client that is whole, has right types, and charges to the centavo', async () => {
  const cwd = join(folder, 'python');
  const { python } = await preparePython(console.log, join(PROGRAMS, 'python'));
  const path = [dirname(python), process.env.PATH].join(delimiter);
  const run = (...args: string[]) => runProgram(python, ['-m', ...args], cwd, { PATH: path });
  const to = ['--output-path', 'trilho_api', '--meta', 'none'];
  await run('openapi_python_client', 'generate', '--path', DOCUMENT, ...to, '--fail-on-warning');
  await run('ruff', 'format', '--check', 'main_flow.py');
  await run('mypy', 'main_flow.py');
  await expectMainFlow(trilho, [python, 'main_flow.py'], { cwd });
});

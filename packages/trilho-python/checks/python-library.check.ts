import { beforeAll, expect, test } from 'vitest';
import { LIBRARY, preparePython, runProgram } from '../../../scripts/python-library.mjs';

/** packages/trilho-python: its own checks, as `npm test` runs them in the step `python`. */

let python: string;

beforeAll(async () => {
  ({ python } = await preparePython(console.log));
});

test('the Python library is formatted, and its linter finds nothing', async () => {
  await run('ruff', 'format', '--quiet', '--check', '.');
  await run('ruff', 'check', '--quiet', '.');
});

test('the Python library and its tests have right types', async () => {
  expect(await run('mypy', 'src', 'tests')).toContain('no issues');
});

test('the Python library’s own tests pass', async () => {
  expect(await run('pytest', '-p', 'no:cacheprovider')).toMatch(/\d{3} passed/);
});

/** Runs a tool of the library's environment in its folder. */
function run(tool: string, ...args: string[]): Promise<string> {
  return runProgram(python, ['-m', tool, ...args], LIBRARY, { PYTHONPATH: 'src' });
}

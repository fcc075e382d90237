import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openListenerState } from './open-listener-state.ts';

const API = { base: 'http://127.0.0.1:1', apiKey: 'tr_test_x' };
/** Enough for them to meet. */
const SAVES = 500;

test('listeners of one account that run at once save their positions without ending each other', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trilho-listeners-'));
  const program = `import('${join(import.meta.dirname, 'open-listener-state.ts')}').then(({ openListenerState }) => {
    const { save } = openListenerState(process.argv[1], ${JSON.stringify(API)});
    for (let i = 0; i < ${SAVES}; i++) save({ since: null, seen: ['x'.repeat(i)] });
  })`;
  const listen = () => promisify(execFile)(process.execPath, ['-e', program, home]);
  await Promise.all([listen(), listen(), listen()]);
  expect(openListenerState(home, API).position?.seen).toEqual(['x'.repeat(SAVES - 1)]);
  expect(readdirSync(join(home, 'listeners'))).toHaveLength(1);
  rmSync(home, { recursive: true });
});

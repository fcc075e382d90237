import { basename, dirname } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findExecutable } from './find-executable.ts';

test('a program in the search path is found, and one that is nowhere is not', () => {
  vi.stubEnv('PATH', `/nowhere:${dirname(process.execPath)}`);
  expect(findExecutable(basename(process.execPath))).toBe(process.execPath);
  expect(findExecutable('no-such-program')).toBeNull();
  vi.unstubAllEnvs();
});

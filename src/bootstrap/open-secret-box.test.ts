import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EnvironmentError, readEnvironment } from '#config/environment.ts';
import { openSecretBox } from './open-secret-box.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'trilho-keys-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = (variables = {}) => openSecretBox(readEnvironment({ TRILHO_HOME: home, ...variables }));

test('a start beside a database whose master keys are missing says what to put back, and makes no others', () => {
  writeFileSync(join(home, 'postgres-service-password'), 'x');
  expect(() => open()).toThrow(EnvironmentError);
  expect(() => open()).toThrow(`${home} are missing: put your copy of the file master-keys back`);
  expect(readdirSync(home)).toEqual(['postgres-service-password']);
  // Those of a database elsewhere, which may have none yet.
  open({ DATABASE_URL: 'postgres://127.0.0.1:1/trilho', DEMO: 'false' });
  expect(readdirSync(home)).toContain('master-keys');
});

test('a file without master keys in it is named', () => {
  writeFileSync(join(home, 'master-keys'), '');
  expect(() => open()).toThrow(EnvironmentError);
  expect(() => open()).toThrow(`The file ${join(home, 'master-keys')} can’t be used: put your copy of it back.`);
});

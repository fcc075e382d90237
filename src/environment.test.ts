import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EnvironmentError, readEnvironment, VARIABLE_NAMES } from './environment.ts';

const PSP = {
  PIX_PSP_URL: 'https://psp.example',
  PIX_CLIENT_ID: 'id',
  PIX_CLIENT_SECRET: 'secret',
  PIX_KEY: 'key',
  PIX_CERT_FILE: import.meta.filename,
  PIX_CERT_KEY_FILE: import.meta.filename,
};

test('.env.example lists every variable, and nothing else', () => {
  const example = readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8');
  const listed = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...VARIABLE_NAMES].sort());
});

test('without any variable it is a demo with its own database, on this machine only', () => {
  expect(readEnvironment({})).toMatchObject({
    role: 'all',
    port: 3000,
    host: '127.0.0.1',
    demo: true,
    databaseUrl: undefined,
    psp: null,
  });
});

test('an empty variable counts as absent', () => {
  expect(readEnvironment({ PORT: '', DEMO: '' })).toEqual(readEnvironment({}));
});

test.each([
  ['ROLE', 'boss'],
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '3000.5'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['DATABASE_CONNECTIONS', '0'],
  ['DEMO', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['CHARGE_EXPIRY_SECONDS', '0'],
  ['SANDBOX_URL', 'ftp://host'],
  ['PUBLIC_URL', 'nonsense'],
  ['PIX_PSP_URL', 'http://psp.example'],
  ['PIX_CERT_FILE', '/nowhere/cert.pem'],
])('%s=%s is one line that names the variable and says what to do', (name, value) => {
  const read = () => readEnvironment({ [name]: value });
  expect(read).toThrow(EnvironmentError);
  expect(read).toThrow(new RegExp(`^The variable ${name} must be [^\\n]+ start again\\.$`));
});

test('a secret is never repeated in the complaint about it', () => {
  const read = () => readEnvironment({ DATABASE_URL: 'mysql://me:hunter2@host/db' });
  expect(read).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
});

test('with a PSP it is no demo, and the PSP’s variables go together', () => {
  expect(readEnvironment(PSP)).toMatchObject({ demo: false, psp: { baseUrl: 'https://psp.example', clientId: 'id' } });
  for (const name of Object.keys(PSP).filter((other) => other !== 'PIX_PSP_URL')) {
    expect(() => readEnvironment({ ...PSP, [name]: '' })).toThrow(EnvironmentError);
  }
});

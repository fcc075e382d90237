import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Content, errorCodesOf, operationsOf } from '../scripts/reduce-document.ts';
import { Trilho, type TrilhoOptions } from './trilho.ts';
import { VERSION } from './version.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
const DOCUMENT = JSON.parse(readFileSync(join(CHECKOUT, 'public/openapi.json'), 'utf8'));
const PACKAGE = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
const ID = '01a1f8f3-e895-7c3a-9d41-5b6e7f8091a2';

/** A client whose requests are kept as `METHOD path`, with the id replaced. */
function recorded() {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push(`${init?.method} ${new URL(String(url)).pathname.replace(ID, '{}')}`);
    return Response.json({ success: true, data: { entries: [] }, next_cursor: null });
  };
  return { sent, trilho: new Trilho({ baseUrl: 'https://pay.example.com', apiKey: 'tr_test_x', fetch }) };
}

/** Every method of every resource, called once. */
async function callAll(trilho: Trilho): Promise<void> {
  for (const resource of Object.values(trilho).filter((value) => value !== trilho.webhooks)) {
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor');
    for (const name of names) {
      const result = resource[name](ID, {});
      await (typeof result.first === 'function' ? result.first() : result);
    }
  }
}

/** The operations of the document that no method calls. */
const missing = (paths: typeof DOCUMENT.paths, sent: string[]) =>
  operationsOf(paths)
    .filter(({ method, path }) => !sent.includes(`${method} ${path.replace(/\{\w+\}/, '{}')}`))
    .map(({ operation }) => operation.operationId);

test('every operation of the document has a method, and no method asks for anything else', async () => {
  const { sent, trilho } = recorded();
  await callAll(trilho);
  expect(missing(DOCUMENT.paths, sent)).toEqual([]);
  const known = operationsOf(DOCUMENT.paths).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/, '{}')}`);
  expect(sent.filter((request) => !known.includes(request))).toEqual([]);
});

test('planted: an operation without a method is found', async () => {
  const { sent, trilho } = recorded();
  await callAll(trilho);
  const paths = { ...DOCUMENT.paths, '/payments/new': { get: { operationId: 'getNew', responses: {} } } };
  expect(missing(paths, sent)).toEqual(['getNew']);
});

/** Status and code of every error in the document. */
function documentedErrors(): Set<string> {
  const own = operationsOf(DOCUMENT.paths).flatMap(({ operation }) => Object.entries(operation.responses));
  const shared = Object.entries(DOCUMENT.components.responses).map(
    ([name, answer]) => [name.slice(-3), answer] as const,
  );
  const pairs = [...own, ...shared].flatMap(([status, answer]) =>
    errorCodesOf(answer as Content).map((code) => `${status} ${code}`),
  );
  return new Set(pairs);
}

/** The errors that comments name, `400 \`code\``, and that the document does not have. */
function wrongErrors(source: string): string[] {
  const known = documentedErrors();
  return [...source.matchAll(/\b([45]\d\d)((?:,?[\s*]+`\w+`)+)/g)]
    .flatMap(([, status = '', codes = '']) => [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`))
    .filter((pair) => !known.has(pair));
}

test('the errors that the comments of methods name are those of the document', () => {
  const folder = join(import.meta.dirname, 'resources');
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(sources.flatMap(wrongErrors)).toEqual([]);
  expect(wrongErrors('/** 409 `not_cancellable`,\n * `webhook_disabled`. 404 `event_not_found`. */')).toEqual([
    '409 not_cancellable',
  ]);
});

describe('a client', () => {
  const options: TrilhoOptions = { baseUrl: 'https://pay.example.com', apiKey: 'tr_live_secret' };

  test.each([
    'https://pay.example.com/',
    'https://pay.example.com/api/',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    // As a file of settings may have it; URL trims it, and so it stands for the address alone.
    ' https://pay.example.com \n',
    'https://pay.example.com/a\n',
  ])('takes the address %j', async (baseUrl) => {
    const urls: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      urls.push(String(url));
      return Response.json({ success: true, data: {} });
    };
    await new Trilho({ ...options, baseUrl, fetch }).balance.get();
    expect(urls).toEqual([`${baseUrl.trim().replace(/\/$/, '')}/payments/balance`]);
  });

  test.each([
    '',
    'pay.example.com',
    'http://pay.example.com',
    'http://localhost.example.com',
    'ftp://x',
    'https://x/?a=1',
    'https://x/?',
    'https://x/#',
    'https://u@x',
    'https://:password@x',
  ])('does not take the address %j', (baseUrl) => {
    expect(() => new Trilho({ ...options, baseUrl })).toThrow(TypeError);
  });

  test('takes plain http to another machine with allowPlainHttp', () => {
    expect(new Trilho({ ...options, baseUrl: 'http://trilho.internal', allowPlainHttp: true })).toBeDefined();
  });

  test.each(['', 'a b', 'x\n', undefined])('does not take the key %j', (apiKey) => {
    expect(() => new Trilho({ ...options, apiKey: apiKey as string })).toThrow(TypeError);
  });

  test('does not show its key', () => {
    const shown = inspect(new Trilho(options), { depth: 10, showHidden: true }) + JSON.stringify(new Trilho(options));
    expect(shown).not.toContain('tr_live_secret');
  });
});

test('the version is that of the package', () => {
  expect(VERSION).toBe(PACKAGE.version);
});

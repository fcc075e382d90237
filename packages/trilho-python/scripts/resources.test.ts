import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Content, errorCodesOf, operationsOf } from '../../trilho-node/scripts/reduce-document.ts';
import { constantName } from './python-modules.ts';

/** Checks of the library's operations that need no Python. */

const DOCUMENT = JSON.parse(readFileSync(join(import.meta.dirname, '../../../public/openapi.json'), 'utf8'));
const FOLDER = join(import.meta.dirname, '../src/trilho/_resources');
const RESOURCES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.py'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
  .join('\n');
const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

/** The operations of the document that no method calls. */
const missing = (paths: typeof DOCUMENT.paths, source: string): string[] =>
  operationsOf(paths)
    .map(({ operation }) => operation.operationId)
    .filter((operationId) => !new RegExp(`\\bapi\\.${constantName(operationId)}\\b`).test(source));

test('every operation of the document has a method in the Python library', () => {
  expect(missing(DOCUMENT.paths, RESOURCES)).toEqual([]);
});

test('planted: an operation without a method is found', () => {
  const paths = { ...DOCUMENT.paths, '/payments/new': { get: { operationId: 'getNew', responses: {} } } };
  expect(missing(paths, RESOURCES)).toEqual(['getNew']);
});

test('every method of the Python library is named in its README', () => {
  const documented = (source: string) =>
    [...source.matchAll(/^ {4}def ([a-z]\w*)\(/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !README.includes(`\`${name}\``));
  expect(documented(RESOURCES)).toEqual([]);
  expect(documented(`${RESOURCES}    def refuse(self) -> None:\n`)).toEqual(['refuse']);
});

/** The errors that docstrings name, `400 \`code\``, and that the document does not have. */
function wrongErrors(source: string): string[] {
  const known = documentedErrors();
  return [...source.matchAll(/\b([45]\d\d)((?:,?\s+`\w+`)+)/g)]
    .flatMap(([, status = '', codes = '']) => [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`))
    .filter((pair) => !known.has(pair));
}

/** Status and code of every error in the document. */
function documentedErrors(): Set<string> {
  const own = operationsOf(DOCUMENT.paths).flatMap(({ operation }) => Object.entries(operation.responses));
  const shared = Object.entries(DOCUMENT.components.responses).map(
    ([name, answer]) => [name.slice(-3), answer] as const,
  );
  return new Set(
    [...own, ...shared].flatMap(([status, answer]) =>
      errorCodesOf(answer as Content).map((code) => `${status} ${code}`),
    ),
  );
}

test('the errors that the docstrings of methods name are those of the document', () => {
  expect(wrongErrors(RESOURCES)).toEqual([]);
  expect(wrongErrors('"""409 `not_cancellable`,\n  `webhook_disabled`. 404 `event_not_found`."""')).toEqual([
    '409 not_cancellable',
  ]);
});

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { restRouter } from '../procedures/rest-router.ts';
import { restDocument, restProcedures } from './openapi/document.ts';
import type { Schema } from './openapi/document-schemas.ts';
import { inlined } from './openapi/testing/document-checks.ts';
import { compileRoutes } from './routes.ts';
import { type KnownFields, knownFieldsOf, warnOfBody, warnOfQuery, withWarnings } from './unknown-fields.ts';

const IGNORED = 'Não existe nesta operação e foi ignorado.';
const document = restDocument();
const routes = compileRoutes(restRouter);

const knownTo = (path: string, method: string): KnownFields => {
  const match = routes.match(method, path.replaceAll(/\{\w+\}/g, 'x'));
  if (match.found !== 'route') throw new Error(`There is no operation ${method} ${path}.`);
  return match.route.knownFields;
};

/** The names of a documented object, and of the objects in it, as the walk knows them. */
const documented = ({ properties = {} }: Schema): object =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const [object] = [field, ...(field.anyOf ?? [])].filter((one) => one.properties);
      return [name, object ? documented(object) : null];
    }),
  );

test.each(restProcedures().map(({ meta }) => [meta.openapi.method, meta.openapi.path] as const))(
  'of %s %s every documented field is known, and no other',
  (method, path) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    const body = inlined(document, operation?.requestBody?.content['application/json'].schema);
    const query = operation?.parameters.flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : [])) ?? [];
    const fields = method === 'GET' ? Object.fromEntries(query.map((name) => [name, null])) : documented(body ?? {});
    expect(knownTo(path, method)).toEqual(fields);
  },
);

describe('a body', () => {
  const charge = knownTo('/payments/transactions', 'POST');

  test('without unknown members is not warned of', () => {
    const body = { amount: 10, callbackUrl: 'x', splitAmount: null };
    expect(warnOfBody(body, charge)).toEqual([]);
    expect(withWarnings(body, [])).toBe(body);
  });

  test('is warned of each unknown member, with what was probably meant', () => {
    expect(warnOfBody({ amount: 10, callbackURL: 'https://a.example', colour: 'red' }, charge)).toEqual([
      {
        ...{ field: 'callbackURL', code: 'unknown_field', suggestion: 'callbackUrl' },
        message: `${IGNORED} Você quis dizer callbackUrl?`,
      },
      { field: 'colour', code: 'unknown_field', message: IGNORED },
    ]);
  });

  test('is not given a suggestion that was sent as well', () => {
    const [warning] = warnOfBody({ callbackUrl: 'x', callbackURL: 'y' }, charge);
    expect(warning).toEqual({ field: 'callbackURL', code: 'unknown_field', message: IGNORED });
  });

  test('is warned of members of objects and lists in it, with their paths', () => {
    const known = knownFieldsOf(
      z.object({
        rows: z.array(z.object({ pixKey: z.string() })).optional(),
        repeat: z.object({ every: z.string() }).nullish(),
        free: z.record(z.string(), z.string()),
        loose: z.unknown(),
      }),
    );
    const body = {
      rows: [{ pixKey: 'x' }, { pixkey: 'x' }],
      repeat: { evry: 'week' },
      free: { a: 'b' },
      loose: { c: 1 },
    };
    expect(warnOfBody(body, known ?? {}).map(({ field, suggestion }) => [field, suggestion])).toEqual([
      ['rows.1.pixkey', 'rows.1.pixKey'],
      ['repeat.evry', 'repeat.every'],
    ]);
    // What is no object is the schema's to reject.
    expect(warnOfBody({ rows: 'x', repeat: [1, null] }, known ?? {})).toEqual([]);
  });

  test('is warned of a parameter of the path', () => {
    const refund = knownTo('/payments/transactions/{transactionId}/refund', 'POST');
    expect(warnOfBody({ transactionId: 'x' }, refund)).toMatchObject([{ field: 'transactionId' }]);
  });

  test('gives back no value, a few names, and of a name only what can be stored and printed', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `field${at}`);
    expect(warnOfBody(Object.fromEntries(names.map((name) => [name, 1])), charge)).toHaveLength(10);
    const hostile = ['\0', 'a\u202eb\nc', '\ud800x', '__proto__', 'constructor', 'é'.repeat(5_000)];
    const body = JSON.parse(`{${hostile.map((name) => `${JSON.stringify(name)}:"s3cret"`).join(',')}}`);
    const warnings = warnOfBody(body, charge);
    expect(warnings.map(({ field }) => field)).toEqual([
      ...['?', 'a b c', '\ufffdx', '__proto__', 'constructor'],
      `${'é'.repeat(60)}…`,
    ]);
    expect(JSON.stringify(warnings)).not.toContain('s3cret');
  });
});

test('a body of any depth is read', () => {
  const withdrawal = knownTo('/payments/transfers/pix', 'POST');
  for (const deep of [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`])
    expect(warnOfBody({ repeat: JSON.parse(deep) }, withdrawal).length).toBeLessThan(2);
});

describe('a query', () => {
  const list = knownTo('/payments/transactions', 'GET');

  test('is warned of each unknown parameter, once', () => {
    expect(warnOfQuery(['limit', 'stauts', 'stauts', 'status[]'], list)).toMatchObject([
      { field: 'stauts', suggestion: 'status' },
      { field: 'status[]', suggestion: 'status' },
    ]);
    expect(warnOfQuery(['from', 'to'], list)).toEqual([]);
  });

  test('of an operation that takes a body is not read at all, which each warning says', () => {
    expect(warnOfQuery(['amount'], null)).toEqual([
      { field: 'amount', code: 'unknown_field', message: expect.stringContaining('Envie os campos no corpo.') },
    ]);
  });

  test('of any length has a few warnings', () => {
    const names = Array.from({ length: 500 }, (_, at) => `p${at}`);
    expect(warnOfQuery(names, list)).toHaveLength(10);
    expect(warnOfQuery(names, null)).toHaveLength(10);
  });
});

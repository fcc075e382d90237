import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Encoded } from '../encoded.ts';
import { panelRouter } from '../panel-router.ts';
import type { ProcedureMeta } from '../procedure.ts';
import { restRouter } from '../rest-router.ts';
import { withoutSecrets } from './replay.ts';

/** Names of members of outputs that are secrets. */
const SECRET = /^(api_key|.*secret(_key)?|token|password|backup_codes|recovery_codes)$/;

type Procedures = Record<string, { _def: { type: string; meta?: ProcedureMeta; output?: Encoded } }>;

const mutations = [restRouter, panelRouter].flatMap((router) =>
  Object.entries(router._def.procedures as unknown as Procedures)
    .filter(([, { _def }]) => _def.type === 'mutation')
    .map(([name, { _def }]) => ({ name, meta: _def.meta, output: _def.output })),
);

/** The paths of a schema's members whose names say that they are secrets. */
function secretsIn(schema: unknown, path: string[] = []): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, unknown> };
  return Object.entries(properties).flatMap(([name, member]) =>
    SECRET.test(name) ? [[...path, name].join('.')] : secretsIn(member, [...path, name]),
  );
}

test.each(mutations)('$name says which members of its answer are secrets', ({ meta, output }) => {
  const schema = output ? z.toJSONSchema(output.schema, { io: 'input' }) : {};
  expect(secretsIn(schema)).toEqual(meta?.secrets ?? []);
});

test('the search for secrets finds some', () => {
  expect(mutations.filter(({ meta }) => meta?.secrets)).not.toHaveLength(0);
});

test('a secret becomes null in its place, and the response itself stays as it was', () => {
  const answer = { ok: true, data: { api_key: 'k', name: 'n' } };
  expect(withoutSecrets(answer, ['data.api_key', 'data.absent'])).toEqual({
    ok: true,
    data: { api_key: null, name: 'n' },
  });
  expect(answer.data.api_key).toBe('k');
  expect(withoutSecrets({ result: { data: { secret: 's' } } }, ['secret'], 'result.data.')).toEqual({
    result: { data: { secret: null } },
  });
});

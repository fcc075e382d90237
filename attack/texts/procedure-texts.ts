import { z } from 'zod';
import { panelRouter } from '#server/procedures/panel-router.ts';

type Json = Record<string, unknown>;

/**
 * Returns the procedures of the pages, those of REST among them, and the paths of the texts in
 * their inputs: `customerName`, `allowed_ips.0`.
 */
export function procedureTexts(): { name: string; paths: string[] }[] {
  const defined = panelRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: string; inputs: z.ZodType[] } }
  >;
  return Object.entries(defined)
    .filter(([, { _def }]) => _def.type !== 'subscription')
    .map(([name, { _def }]) => ({
      name,
      paths: [...new Set(_def.inputs.flatMap((input) => textPaths(schemaOf(input))))],
    }));
}

/** A value that a check transforms is still text on the wire. */
const schemaOf = (input: z.ZodType): Json =>
  z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'string') jsonSchema.type = 'string';
    },
  }) as Json;

/** The paths of texts, also in every alternative of a union. */
function textPaths(schema: Json, path: readonly string[] = []): string[] {
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((of) => (schema[of] as Json[] | undefined) ?? []);
  const members = Object.entries((schema.properties as Record<string, Json> | undefined) ?? {});
  return [
    ...(isText(schema.type) ? [path.join('.')] : []),
    ...alternatives.flatMap((each) => textPaths(each, path)),
    ...members.flatMap(([name, each]) => textPaths(each, [...path, name])),
    ...(schema.items ? textPaths(schema.items as Json, [...path, '0']) : []),
  ];
}

/** Returns an input with this text at that path. */
export const withText = (input: unknown, path: string, text: string): unknown => put(input, path.split('.'), text);

function put(input: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (name === '0') return [put(undefined, rest, text)];
  const object = (typeof input === 'object' && input !== null ? input : {}) as Json;
  return { ...object, [name]: put(object[name], rest, text) };
}

const isText = (type: unknown) => type === 'string' || (Array.isArray(type) && type.includes('string'));

import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { OPEN_SET } from '#contract/value-sets.ts';
import { jsonText } from '../http/json.ts';
import { cleanSchema, type Schema, withoutNames } from '../rest/openapi/document-schemas.ts';
import { fieldText } from './field-text.ts';

/** JSON Schema of an object, as tools have it. */
export type ToolSchema = Tool['inputSchema'];

/**
 * Every assistant reads all tools before it calls one: a longer schema costs more than it helps.
 */
const OUTPUT_SCHEMA_LENGTH_MAX = 1_500;

/** The argument of every tool that changes something. */
export const IDEMPOTENCY_KEY = 'idempotency_key';
/**
 * The longest idempotency key: an id of any system fits, and with its prefix it fits the column.
 */
const KEY_LENGTH_MAX = 200;
const KEY_PATTERN = `^[!-~]{1,${KEY_LENGTH_MAX}}$`;

/** Whether a value is a valid idempotency key. */
export const isIdempotencyArgument = (value: unknown): value is string =>
  typeof value === 'string' && new RegExp(KEY_PATTERN).test(value);

/**
 * Returns the schema of a tool's arguments: the procedure's own shape, with English texts, and
 * nothing else. `isOnce`: it changes something, and needs an idempotency key.
 */
export function inputSchemaOf(
  tool: string,
  input: z.ZodType,
  { fields, isOnce }: { fields: ReadonlySet<string>; isOnce: boolean },
): ToolSchema {
  const { properties = {}, required = [] } = schemaOf(input);
  const own = Object.entries(properties).filter(([name]) => fields.has(name));
  const key = { type: 'string', pattern: KEY_PATTERN, description: fieldText(tool, IDEMPOTENCY_KEY) };
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        own.map(([name, schema]) => [name, { ...simplified(schema), description: fieldText(tool, name) }]),
      ),
      ...(isOnce && { [IDEMPOTENCY_KEY]: key }),
    },
    required: [...required.filter((name) => fields.has(name)), ...(isOnce ? [IDEMPOTENCY_KEY] : [])],
    additionalProperties: false,
  } as ToolSchema;
}

/**
 * Returns the schema of a tool's result; undefined where it is long: names say what members mean.
 */
export function outputSchemaOf(output: z.ZodType): ToolSchema | undefined {
  const schema = simplified(schemaOf(output));
  if (jsonText(schema).length > OUTPUT_SCHEMA_LENGTH_MAX) return undefined;
  return { ...schema, type: 'object' } as ToolSchema;
}

const schemaOf = (schema: z.ZodType): Schema => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return withoutNames(cleanSchema(withOverrides(rest as Schema)));
};

/**
 * With what the contract has for the document in place of a shape: of a text in a query that is a
 * list or a number.
 */
function withOverrides({ override, ...schema }: Schema): Schema {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, withOverrides) }),
    ...(items && { items: withOverrides(items) }),
    ...(anyOf && { anyOf: anyOf.map(withOverrides) }),
    ...(typeof override === 'object' && override),
  };
}

const mapValues = (record: Record<string, Schema>, change: (value: Schema) => Schema): Record<string, Schema> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/**
 * A schema without Portuguese texts, and without `format: double`, which validators don't know.
 */
function simplified({ description, format, pattern, [OPEN_SET]: values, ...schema }: Schema): Schema {
  const { properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(Array.isArray(values) && { enum: values }),
    ...(format !== undefined && format !== 'double' && { format }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, simplified(one)])),
    }),
    ...(items && { items: simplified(items) }),
    ...(anyOf && { anyOf: anyOf.map(simplified) }),
  };
}

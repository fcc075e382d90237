import { SCHEMA_NAME } from '#contract/named.ts';

/** As much of JSON Schema as the contract's shapes need. */
export type Schema = {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: (Schema | { $ref: string })[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  additionalProperties?: unknown;
  [keyword: string]: unknown;
};

/** What a format says already; zod's patterns of these fill a screen each. */
const FORMATS_WITH_PATTERN = new Set(['uuid', 'date-time', 'date']);

/**
 * A schema as the document wants it: open to members that a later addition brings, unless all of
 * its members are of one kind; without patterns that say less than their format or belong to
 * another type, with null written as a type, and with numbers that are doubles: generators of
 * clients take a number without a format for one of 32 bits, which is off by a centavo from
 * 131,072.00 on.
 */
export function cleanSchema({ additionalProperties, propertyNames, ...schema }: Schema): Schema {
  const cleaned: Schema = { ...schema };
  if (isSchema(additionalProperties)) cleaned.additionalProperties = cleanSchema(additionalProperties);
  // Names are texts anyway.
  if (isSchema(propertyNames) && propertyNames.pattern !== undefined) cleaned.propertyNames = propertyNames;
  if (FORMATS_WITH_PATTERN.has(cleaned.format ?? '') || (cleaned.type !== undefined && cleaned.type !== 'string')) {
    delete cleaned.pattern;
  }
  if ([cleaned.type].flat().includes('number')) cleaned.format = 'double';
  if (cleaned.properties) cleaned.properties = mapValues(cleaned.properties, cleanSchema);
  if (cleaned.items) cleaned.items = cleanSchema(cleaned.items);
  if (cleaned.anyOf) cleaned.anyOf = cleaned.anyOf.map(cleanSchema);
  return nullAsType(cleaned);
}

/** Query parameters have no null: what is not sent is not there. */
export function withoutNull(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  return { ...schema, type: types.length === 1 ? types[0] : types } as Schema;
}

/** A schema without the marks of its names (`named`), for readers who have it all in one place. */
export function withoutNames({ [SCHEMA_NAME]: _, ...schema }: Schema): Schema {
  const { properties, items, anyOf } = schema;
  return nullAsType({
    ...schema,
    ...(properties && { properties: mapValues(properties, withoutNames) }),
    ...(items && { items: withoutNames(items) }),
    ...(anyOf && { anyOf: anyOf.map(withoutNames) }),
  });
}

/**
 * Writes null as a type beside the type of its value, where that has one and no name of its own.
 */
export function nullAsType(schema: Schema): Schema {
  const [value, none, ...more] = schema.anyOf ?? [];
  if (none?.type !== 'null' || more.length > 0 || typeof value?.type !== 'string') return schema;
  if (value.enum !== undefined || value.const !== undefined || value[SCHEMA_NAME] !== undefined) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...value, ...rest, type: [value.type, 'null'] };
}

/** Members of one kind have a schema; `false` says only that there are no others. */
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const mapValues = <T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

import { follow, type Schema } from './reference.ts';

/**
 * `name` is the path of a field: `data.customer.email`, `data[].id`; `place` is where a parameter
 * goes.
 */
export type Field = { name: string; schema: Schema; required: boolean; place?: string };

/** Returns the fields of an object; those of an inner object follow its own row. */
export function fieldsOf(object: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = follow(object);
  return Object.entries(properties).flatMap(([key, property]) => {
    const schema = follow(property);
    const name = prefix + key;
    const inner = schema.type === 'array' ? fieldsOf(schema.items ?? {}, `${name}[].`) : fieldsOf(schema, `${name}.`);
    return [{ name, schema, required: required.includes(key) }, ...inner];
  });
}

/**
 * Returns the types of a schema as JSON Schema calls them, with the format in place of `string`:
 * `number`, `uuid`, `date-time`.
 */
export function typesOf(schema: Schema) {
  const all = (schema.anyOf ?? [schema]).map((alternative) => follow(alternative)).flatMap(typeNames);
  const types = new Set(all.filter((type) => type !== 'null'));
  return { types: [...types].join(' | '), isNullable: all.includes('null') };
}

function typeNames({ type = 'object', format, items }: Schema): string[] {
  return [type].flat().map((one) => {
    if (one === 'array') return `${typeNames(items ?? {}).join(' | ')}[]`;
    return one === 'string' && format ? format : one;
  });
}

/** Returns the values that a schema names, as texts; empty where it names none. */
export const valuesOf = ({ enum: values, const: only, 'x-extensible-enum': open }: Schema): string[] =>
  (only === undefined ? (values ?? open ?? []) : [only]).map(String);

/**
 * Returns the name and the values of the text for a schema's range (`docs.operation`); null without
 * a range.
 */
export function rangeOf({ minimum, maximum, maxLength }: Schema) {
  if (minimum !== undefined && maximum !== undefined) return { text: 'range', values: { minimum, maximum } } as const;
  return maxLength === undefined ? null : ({ text: 'upTo', values: { count: maxLength } } as const);
}

/**
 * Whether an operation lists the field: those inside a warning are the same everywhere, and have a
 * section of their own.
 */
export const isOwnField = ({ name }: Field): boolean => !name.startsWith('warnings[]');

import { follow, type Schema } from './reference.ts';

/** `name` is the way to it: `data.customer.email`, `data[].id`; `place` where a parameter goes. */
export type Field = { name: string; schema: Schema; required: boolean; place?: string };

/** The fields of an object, its inner objects' after their own row. */
export function fieldsOf(object: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = follow(object);
  return Object.entries(properties).flatMap(([key, property]) => {
    const schema = follow(property);
    const name = prefix + key;
    const inner = schema.type === 'array' ? fieldsOf(schema.items ?? {}, `${name}[].`) : fieldsOf(schema, `${name}.`);
    return [{ name, schema, required: required.includes(key) }, ...inner];
  });
}

/** As JSON Schema calls them, with the format in a text's place: `number`, `uuid`, `date-time`. */
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

export const valuesOf = ({ enum: values, const: only, 'x-extensible-enum': open }: Schema): string[] =>
  (only === undefined ? (values ?? open ?? []) : [only]).map(String);

/** The text of a schema's range with what it names (`docs.operation`); null for none. */
export function rangeOf({ minimum, maximum, maxLength }: Schema) {
  if (minimum !== undefined && maximum !== undefined) return { text: 'range', values: { minimum, maximum } } as const;
  return maxLength === undefined ? null : ({ text: 'upTo', values: { count: maxLength } } as const);
}

/** What is in a warning is the same everywhere, and in a section of its own. */
export const isOwnField = ({ name }: Field): boolean => !name.startsWith('warnings[]');

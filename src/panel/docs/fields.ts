import { follow, type Schema } from './reference.ts';

/** One row of a table of fields. `name` is the way to it: `data.customer.email`, `data[].id`. */
export type Field = {
  name: string;
  /** As JSON Schema calls it, with the format in its place: `number`, `uuid`, `date-time`. */
  type: string;
  nullable: boolean;
  required: boolean;
  description: string | undefined;
  values: string[];
  range: { minimum: number | undefined; maximum: number | undefined; lengthMax: number | undefined };
};

/** The fields of an object, its inner objects' after their own row. */
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = follow(schema);
  return Object.entries(properties).flatMap(([key, property]) => {
    const inner = follow(property);
    const name = prefix + key;
    const field = fieldOf(name, inner, required.includes(key));
    return inner.type === 'array'
      ? [field, ...fieldsOf(inner.items ?? {}, `${name}[].`)]
      : [field, ...fieldsOf(inner, `${name}.`)];
  });
}

/** The row of one value, a parameter's too. */
export function fieldOf(name: string, schema: Schema, required: boolean): Field {
  const alternatives = schema.anyOf?.map((alternative) => follow(alternative)) ?? [schema];
  const types = alternatives.flatMap(typesOf);
  const { description, minimum, maximum, maxLength } = schema;
  return {
    name,
    type: [...new Set(types.filter((type) => type !== 'null'))].join(' | '),
    nullable: types.includes('null'),
    required,
    description,
    values: valuesOf(schema.type === 'array' ? (schema.items ?? {}) : schema),
    range: { minimum, maximum, lengthMax: maxLength },
  };
}

function typesOf({ type = 'object', format, items }: Schema): string[] {
  return [type].flat().map((one) => {
    if (one === 'array') return `${typesOf(items ?? {}).join(' | ')}[]`;
    return one === 'string' && format ? format : one;
  });
}

const valuesOf = ({ enum: values, const: only }: Schema): string[] =>
  only === undefined ? (values ?? []).map(String) : [String(only)];

/** A JSON Schema, with the keywords that the OpenAPI document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
};

/**
 * Whether a value is sent or received. A received value has one exact type, and may be newer than
 * the library; a sent one may have every type with one clear meaning.
 */
export type Direction = 'sent' | 'received';

const PRIMITIVES: Record<Direction, Record<string, string>> = {
  received: {
    string: 'str',
    'string date-time': 'datetime',
    'string date': 'date',
    integer: 'int',
    // A float would not be exactly what the JSON has.
    number: 'Decimal',
    boolean: 'bool',
  },
  sent: {
    string: 'str',
    'string date-time': 'datetime | str',
    'string date': 'date | str',
    'string uuid': 'UUID | str',
    integer: 'int',
    number: 'Decimal | float',
    boolean: 'bool',
  },
};

/**
 * Returns the Python type of a schema; `nameOf` gives the name of a shape there. Throws where there
 * is none.
 */
export function pythonType(schema: Schema, direction: Direction, nameOf: (shape: string) => string): string {
  const inner = (part: Schema) => pythonType(part, direction, nameOf);
  if (schema.$ref !== undefined) return nameOf(shapeOf(schema.$ref));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.flatMap((choice) => inner(choice).split(' | ')));
  const [types, isNullable] = typesOf(schema);
  const orNone = isNullable ? ['None'] : [];
  if (types.length === 0) return 'None';
  if (schema.enum ?? schema.const) return union([literal(schema, direction), ...orNone]);
  return union([...types.flatMap((type) => single({ ...schema, type }, direction, inner).split(' | ')), ...orNone]);
}

/** The name of the shape that a reference names. */
export const shapeOf = (reference: string): string => reference.replace('#/components/schemas/', '');

function single(schema: Schema & { type: string }, direction: Direction, inner: (part: Schema) => string): string {
  const { type, format, items, properties, additionalProperties } = schema;
  if (type === 'array' && items) return `${direction === 'sent' ? 'Sequence' : 'list'}[${inner(items)}]`;
  if (type === 'object' && additionalProperties) {
    return `${direction === 'sent' ? 'Mapping' : 'dict'}[str, ${inner(additionalProperties)}]`;
  }
  if (properties) throw new Error(`A shape without a name: ${Object.keys(properties).join(', ')}.`);
  const primitives = PRIMITIVES[direction];
  const primitive = primitives[`${type} ${format}`] ?? primitives[type];
  if (primitive === undefined) throw new Error(`A schema that has no type in Python: ${JSON.stringify(schema)}`);
  return primitive;
}

/**
 * A closed set for what is sent, so that a misspelt value is found; an answer of a newer service
 * may have another value.
 */
function literal({ enum: values, const: only, type }: Schema, direction: Direction): string {
  const all = (values ?? [only]).filter((value) => value !== null);
  if (all.every((value) => typeof value === 'boolean')) return 'bool';
  const closed = `Literal[${all.map((value) => JSON.stringify(value)).join(', ')}]`;
  if (direction === 'sent') return closed;
  return `${closed} | ${[type].flat().includes('integer') ? 'int' : 'str'}`;
}

function typesOf({ type = [], enum: values, const: only }: Schema): [string[], boolean] {
  const all = [type].flat();
  if (all.length === 0 && (values ?? only) !== undefined) all.push('string');
  return [all.filter((each) => each !== 'null'), all.includes('null')];
}

/** Joins the parts, each once, None at the end. */
function union(parts: string[]): string {
  const unique = new Set(parts);
  const isNullable = unique.delete('None');
  return [...unique, ...(isNullable ? ['None'] : [])].join(' | ');
}

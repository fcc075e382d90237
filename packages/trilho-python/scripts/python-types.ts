/** A JSON Schema, as far as the OpenAPI document uses it. */
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
 * Whether a type is of what is sent or of what comes: what comes is one exact type, and may be
 * newer than the library; what is sent is whatever has one meaning only.
 */
export type Direction = 'sent' | 'received';

const PRIMITIVES: Record<Direction, Record<string, string>> = {
  received: {
    string: 'str',
    'string date-time': 'datetime',
    'string date': 'date',
    integer: 'int',
    // A float would not be what the text of the JSON says.
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

/** The Python type of a schema; `nameOf` gives what a shape of the document is called there. */
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

/** Closed for what is sent, so that a misspelt value is found; newer services may answer others. */
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

/** Each part once, None at the end. */
function union(parts: string[]): string {
  const unique = new Set(parts);
  const isNullable = unique.delete('None');
  return [...unique, ...(isNullable ? ['None'] : [])].join(' | ');
}

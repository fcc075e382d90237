import { z } from 'zod';
import { OPEN_SET } from '#contract/value-sets.ts';
import { nullAsType, type Schema } from '../document-schemas.ts';

/**
 * Checks of the OpenAPI document without a validator of JSON Schema: the document uses few
 * keywords, and these are all of them.
 */

/** The references of a document that lead nowhere. */
export function danglingReferences(document: object): string[] {
  return [...references(document)].filter((reference) => resolve(document, reference) === undefined);
}

/** What was sent, decoded by its schema and encoded again. */
export const reencoded = (schema: z.ZodType, sent: unknown): unknown => z.encode(schema, z.decode(schema, sent));

/** The target of a value that may be a reference. */
export function follow<T extends object>(document: object, value: T | { $ref: string }): T {
  return '$ref' in value ? (resolve(document, value.$ref) as T) : value;
}

/**
 * A part of the document with the schemas that it refers to in their places, and null written as a
 * type there too: what it says, however it is shared.
 */
export function inlined<T>(document: object, part: T): T {
  if (Array.isArray(part)) return part.map((member) => inlined(document, member)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...place } = part as { $ref?: unknown };
  if (typeof $ref === 'string' && $ref.startsWith('#/components/schemas/'))
    return { ...inlined(document, resolve(document, $ref) as T & object), ...place };
  const members = Object.entries(part).map(([key, member]) => [
    key,
    key === 'example' || key === 'examples' ? member : inlined(document, member),
  ]);
  return nullAsType(Object.fromEntries(members)) as T;
}

/**
 * Returns what is wrong with a value by a schema of the document; empty when nothing is. Members
 * that the schema does not name are wrong here, although a receiver must accept them: the document
 * should contain all that the service sends.
 */
export function schemaErrors(
  document: object,
  schemaOrReference: Schema | { $ref: string },
  value: unknown,
  at = '',
): string[] {
  const schema = whole(document, follow<Schema>(document, schemaOrReference));
  const { anyOf, type, properties = {}, required = [], items, additionalProperties: others } = schema;
  if (anyOf) {
    const each = anyOf.map((option) => schemaErrors(document, option, value, at));
    return each.some((found) => found.length === 0) ? [] : each.flat();
  }
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) return [`${at} is no ${types.join(' or ')}`];
  const found = limitErrors(schema, value).map((error) => `${at} ${error}`);
  if (Array.isArray(value) && items)
    found.push(...value.flatMap((item, i) => schemaErrors(document, items, item, `${at}/${i}`)));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const name of required) if (!Object.hasOwn(value, name)) found.push(`${at}/${name} is missing`);
    for (const [name, member] of Object.entries(value)) {
      const property = properties[name] ?? (others as Schema | undefined);
      if (property) found.push(...schemaErrors(document, property, member, `${at}/${name}`));
      else found.push(`${at}/${name} is not documented`);
    }
  }
  return found;
}

/** A schema merged with the parts of its `allOf`; what a later part says of a member is added. */
function whole(document: object, { allOf, ...schema }: Schema): Schema {
  const merged: Schema = { ...schema };
  for (const part of allOf ?? []) {
    const { properties = {}, required = [], ...rest } = whole(document, follow<Schema>(document, part));
    Object.assign(merged, rest);
    merged.required = [...(merged.required ?? []), ...required];
    merged.properties = { ...merged.properties };
    for (const [name, property] of Object.entries(properties))
      merged.properties[name] = { ...merged.properties[name], ...property };
  }
  return merged;
}

function limitErrors(schema: Schema, value: unknown): string[] {
  const found: string[] = [];
  const {
    enum: closed,
    [OPEN_SET]: open,
    const: only,
    minimum,
    maximum,
    minLength,
    maxLength,
    pattern,
    format,
  } = schema;
  // A newer service may send others; the document lists all that this one sends.
  const values = closed ?? (open as unknown[] | undefined);
  if (values && !values.includes(value)) found.push(`is none of ${values.join(', ')}`);
  if (only !== undefined && value !== only) found.push(`is not ${only}`);
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) found.push(`is below ${minimum}`);
    if (typeof maximum === 'number' && value > maximum) found.push(`is above ${maximum}`);
  }
  if (typeof value === 'string') {
    if (typeof minLength === 'number' && value.length < minLength) found.push(`is shorter than ${minLength}`);
    if (typeof maxLength === 'number' && Array.from(value).length > maxLength)
      found.push(`is longer than ${maxLength}`);
    if (pattern && !new RegExp(pattern).test(value)) found.push(`does not match ${pattern}`);
    if (format && FORMATS[format]?.test(value) === false) found.push(`is no ${format}`);
  }
  return found;
}

const FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^\S+@\S+$/,
};

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

export function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('$ref' in value && typeof value.$ref === 'string') yield value.$ref;
  for (const member of Object.values(value)) yield* references(member);
}

function resolve(document: object, reference: string): unknown {
  const [root, ...path] = reference.split('/');
  if (root !== '#') return undefined;
  return path.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}

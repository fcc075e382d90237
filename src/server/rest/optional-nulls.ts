import { z } from 'zod';

/**
 * The fields of an operation's input in which null means that there is none, each with such fields
 * of the object that it may hold. Not those in which a null changes something, such as an
 * endpoint's description, which stays where it is left out.
 */
export type OptionalNulls = ReadonlyMap<string, { isOptional: boolean; inner: OptionalNulls }>;

/** Returns those fields of an input's zod schema; none for a schema that is no object. */
export function optionalNullsOf(input: unknown): OptionalNulls {
  const object = objectIn(input);
  const fields = Object.entries<z.core.$ZodType>(object?.shape ?? {}).map(([name, field]) => {
    const [ofNull, ofNothing] = [z.safeParse(field, null), z.safeParse(field, undefined)];
    const isOptional = ofNull.success && ofNothing.success && ofNull.data === ofNothing.data;
    return [name, { isOptional, inner: optionalNullsOf(field) }] as const;
  });
  return new Map(fields.filter(([, { isOptional, inner }]) => isOptional || inner.size > 0));
}

/**
 * The input without such nulls: a request that is repeated under its Idempotency-Key is the same
 * whether a serializer writes its empty fields or leaves them out.
 */
export function withoutNulls(input: Record<string, unknown>, nulls: OptionalNulls): Record<string, unknown> {
  const kept = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const field = nulls.get(name);
    if (value === null && field?.isOptional) return [];
    return [[name, field && field.inner.size > 0 && isObject(value) ? withoutNulls(value, field.inner) : value]];
  });
  return Object.fromEntries(kept);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The object that a field takes from the wire, under what may be around it. */
function objectIn(field: unknown): z.ZodObject | null {
  if (field instanceof z.ZodObject) return field;
  if (field instanceof z.ZodPipe) return objectIn(field.in);
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault)
    return objectIn(field.def.innerType);
  return null;
}

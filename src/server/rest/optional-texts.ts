import { z } from 'zod';

/**
 * The fields of an operation's input that may be absent and hold a text: there an empty text is an
 * absent one, because forms and templates send one for an empty field. Not fields of another type:
 * an amount of `""` is an error, not an absent amount. Nor a date: a payment without one is sent
 * now.
 */
export function optionalTextsOf(input: unknown): ReadonlySet<string> {
  // The object inside a schema that reads its fields together.
  if (input instanceof z.ZodPipe) return optionalTextsOf(input.in);
  if (!(input instanceof z.ZodObject)) return new Set();
  const fields = Object.entries<z.core.$ZodType>(input.shape);
  return new Set(fields.filter(([, field]) => isOptional(field) && isText(field)).map(([name]) => name));
}

/** The input without its empty optional texts. */
export function withoutEmptyTexts(
  input: Record<string, unknown>,
  optionalTexts: ReadonlySet<string>,
): Record<string, unknown> {
  const isEmpty = ([name, value]: [string, unknown]) => value === '' && optionalTexts.has(name);
  const fields = Object.entries(input);
  return fields.some(isEmpty) ? Object.fromEntries(fields.filter((field) => !isEmpty(field))) : input;
}

const isOptional = (field: z.core.$ZodType): boolean => z.safeParse(field, undefined).success;

/** What a field takes from the wire, under what may be around it. */
function isText(field: z.core.$ZodType): boolean {
  const { def } = field._zod;
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault)
    return isText(field.def.innerType);
  if (field instanceof z.ZodPipe) return isText(field.def.in);
  if (field instanceof z.ZodUnion) return field.def.options.every(isText);
  if (def.type === 'string') return z.globalRegistry.get(field)?.format !== 'date';
  return def.type === 'enum';
}

import { z } from 'zod';

/**
 * Reads query parameters. Of one that was sent twice the first counts. Those of `lists` are one
 * list, sent twice or with commas: many clients repeat a name whatever the document says of its
 * style, and one value of several would answer another question.
 */
export function readQuery(query: string, lists: ReadonlySet<string>): Record<string, string> {
  const input: Record<string, string> = {};
  if (query === '') return input;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(input, name)) input[name] = value;
    else if (lists.has(name)) input[name] += `,${value}`;
  }
  return input;
}

/** The parameters of an operation that are lists, as the document has them. */
export function listParametersOf(input: unknown): ReadonlySet<string> {
  // The object inside a schema that reads its fields together.
  if (input instanceof z.ZodPipe) return listParametersOf(input.in);
  if (!(input instanceof z.ZodObject)) return new Set();
  const fields = Object.entries<z.core.$ZodType>(input.shape);
  return new Set(fields.filter(([, field]) => isList(field)).map(([name]) => name));
}

function isList(field: z.core.$ZodType): boolean {
  const { override } = z.globalRegistry.get(field) ?? {};
  if (typeof override === 'object' && (override as { type?: unknown }).type === 'array') return true;
  if (field instanceof z.ZodOptional) return isList(field.def.innerType);
  return field instanceof z.ZodPipe && isList(field.def.in);
}

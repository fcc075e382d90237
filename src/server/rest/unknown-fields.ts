import { z } from 'zod';
import type { Warning } from '#contract/warnings.ts';
import { closestName } from '#domain/values/closest-name.ts';
import { RoundedNumber } from '#domain/values/parse-exact-json.ts';
import { cutText } from '#domain/values/storable-text.ts';
import { onOneLine } from '#domain/values/typed-name.ts';

/**
 * Members of a body and query parameters that an operation does not have. They are ignored, because
 * a client of another version may send them, and named in `warnings`, because most are misspelt.
 * Never with a value that was sent.
 */

/** The fields of an object by name; null: what is inside is not checked. */
export type KnownFields = { readonly [name: string]: KnownFields | null };

/** Enough to find the mistake; a flood of names is not returned. */
export const WARNINGS_MAX = 10;
/** Longer than any name of ours. */
const WARNED_NAME_LENGTH_MAX = 60;

const UNKNOWN = 'Não existe nesta operação e foi ignorado.';
const NO_QUERY = 'Esta operação não tem parâmetros na URL: foi ignorado. Envie os campos no corpo.';

/** The fields that an operation's input has, under what reads them together. */
export function knownFieldsOf(schema: unknown): KnownFields | null {
  if (schema instanceof z.ZodPipe) return knownFieldsOf(schema.in);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return knownFieldsOf(schema.def.innerType);
  if (schema instanceof z.ZodArray) return knownFieldsOf(schema.element);
  if (!(schema instanceof z.ZodObject)) return null;
  return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, knownFieldsOf(field)]));
}

/** The warnings about a body; `known` is without the fields that the path has. */
export function warnOfBody(body: Record<string, unknown>, known: KnownFields): Warning[] {
  const warnings: Warning[] = [];
  walk(body, known, '', warnings);
  return warnings;
}

/** The warnings about the names in a query; null: the operation takes none. */
export function warnOfQuery(names: Iterable<string>, known: KnownFields | null): Warning[] {
  const warnings: Warning[] = [];
  for (const name of new Set(names)) {
    if (warnings.length === WARNINGS_MAX) break;
    if (known === null) warnings.push({ field: shown(name), message: NO_QUERY, code: 'unknown_field' });
    else if (!Object.hasOwn(known, name)) warnings.push(warnOf(name, '', known, new Set(names)));
  }
  return warnings;
}

/** Adds warnings to a body; without any it returns the body itself. */
export const withWarnings = <T extends object | undefined>(body: T, warnings: readonly Warning[]): T =>
  warnings.length === 0 ? body : { ...body, warnings };

/** Goes only where fields are known, so that it is as deep as the operation's input. */
function walk(value: unknown, known: KnownFields, at: string, warnings: Warning[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (warnings.length === WARNINGS_MAX) return;
      // No input has lists in lists; what is sent may be deeper than the stack.
      if (!Array.isArray(item)) walk(item, known, `${at}${index}.`, warnings);
    }
    return;
  }
  if (typeof value !== 'object' || value === null || value instanceof RoundedNumber) return;
  const members = Object.entries(value);
  for (const [name, member] of members) {
    if (warnings.length === WARNINGS_MAX) return;
    const inner = Object.hasOwn(known, name) ? known[name] : undefined;
    if (inner === undefined) warnings.push(warnOf(name, at, known, new Set(members.map(([sent]) => sent))));
    else if (inner !== null) walk(member, inner, `${at}${name}.`, warnings);
  }
}

/** A name that was sent as well is not suggested. */
function warnOf(name: string, at: string, known: KnownFields, sent: ReadonlySet<string>): Warning {
  const meant = closestName(
    name,
    Object.keys(known).filter((one) => !sent.has(one)),
  );
  const field = at + shown(name);
  if (meant === null) return { field, message: UNKNOWN, code: 'unknown_field' };
  const suggestion = at + meant;
  return { field, message: `${UNKNOWN} Você quis dizer ${suggestion}?`, code: 'unknown_field', suggestion };
}

/** A name that somebody sent, so that it can be stored and printed. */
const shown = (name: string): string => {
  const printable = onOneLine(cutText(name.toWellFormed(), WARNED_NAME_LENGTH_MAX + 1)) || '?';
  return printable.length > WARNED_NAME_LENGTH_MAX ? `${cutText(printable, WARNED_NAME_LENGTH_MAX)}…` : printable;
};

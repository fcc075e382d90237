import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { pixProblem, type Violation } from './problems.ts';

/** Far above any body of the standard's routes. */
const MAX_BODY_BYTES = 64 * 1024;
/** A hostile list of thousands of wrong items must not be answered with thousands of violations. */
const MAX_VIOLATIONS = 50;

/** Reads a request's body as text. Throws a 413 Problem above 64 KiB. */
export function readText(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      // The rest of the body is read and dropped, so that the client receives the answer.
      req.off('data', take);
      req.resume();
      reject(tooLarge());
    };
    req.on('data', take);
    req.on('end', () => resolve(Buffer.concat(chunks).toString()));
    req.on('error', reject);
  });
}

/** Parses a body as JSON. Throws a 400 Problem when it is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw pixProblem('RequisicaoInvalida', { detail: 'O corpo da requisição não é um JSON válido.' });
  }
}

/**
 * A schema for texts of at most `max` characters. PostgreSQL stores neither NUL nor half a
 * surrogate pair.
 */
export function text(max: number) {
  return z.string().refine((value) => !value.includes('\0') && value.isWellFormed() && [...value].length <= max);
}

/**
 * Checks `body` against `schema`.
 * @param entity the name that the standard's texts put before a property, e.g. `cob`
 * @returns the parsed value, or the standard's violations: a schema's own message, else "não
 *   respeita o _schema_"
 */
export function check<T>(
  schema: z.ZodType<T>,
  body: unknown,
  entity: string,
): { ok: true; value: T } | { ok: false; violacoes: Violation[] } {
  const propertyOf = (path: readonly PropertyKey[] = []) => [entity, ...path.map(String)].join('.');
  const result = schema.safeParse(body, {
    error: (issue) => `O campo ${propertyOf(issue.path)} não respeita o _schema_.`,
  });
  if (result.success) return { ok: true, value: result.data };
  const violacoes = result.error.issues.slice(0, MAX_VIOLATIONS).map((issue) => ({
    razao: issue.message,
    propriedade: propertyOf(issue.path),
    ...plainValue(body, issue.path),
  }));
  return { ok: false, violacoes };
}

function plainValue(body: unknown, path: readonly PropertyKey[]): { valor?: string } {
  let value = body;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { valor: String(value) }
    : {};
}

function tooLarge() {
  return pixProblem('RequisicaoInvalida', {
    status: 413,
    detail: 'O corpo da requisição excede 64 KiB.',
    headers: { connection: 'close' },
  });
}

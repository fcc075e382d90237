import type { Reply } from '../sandbox-request.ts';

/** An error that is answered in Plisio's own shape. */
export class PlisioError extends Error {
  readonly reply: Exclude<Reply, symbol>;

  constructor(status: number, name: string, message: string, code = 0) {
    super(`${status} ${name}`);
    this.reply = { status, body: { status: 'error', data: { name, message, code } } };
  }
}

/** Returns a 422 error; its `message` is JSON text with one entry per field. */
export const unprocessable = (field: string, why: string, code: number): PlisioError =>
  new PlisioError(422, 'Unprocessable entity', JSON.stringify({ [field]: why }), code);

export const badRequest = (message: string): PlisioError => new PlisioError(400, 'Bad Request', message);

export const notFound = (message: string): PlisioError => new PlisioError(404, 'Not Found', message);

export const internalError = (): PlisioError =>
  new PlisioError(500, 'Internal Server Error', 'An internal server error occurred.');

/**
 * Returns the values of these parameters. Throws a 400 PlisioError that names those missing or
 * empty.
 */
export function requireParameters<Name extends string>(query: URLSearchParams, ...names: Name[]): Record<Name, string> {
  const missing = names.filter((name) => !query.get(name));
  if (missing.length > 0) throw badRequest(`Missing required parameters: ${missing.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, query.get(name)])) as Record<Name, string>;
}

import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { isUnavailable } from '#db/database.ts';
import { DomainError, ERROR_CATALOGUE, type ErrorCode, type FieldFault } from '#domain/errors.ts';

/** The body of every error of the status, balance and PIX endpoints. */
export type RestErrorBody = {
  success: false;
  error: string;
  message: string;
  details?: FieldFault[];
  [extra: string]: unknown;
};

export type RestError = {
  code: ErrorCode;
  status: number;
  body: RestErrorBody;
  /** What happened, for the log; undefined where the caller's own mistake is the whole story. */
  cause: unknown;
};

/** What goes on the wire for whatever a procedure threw. Never a text of an unknown error: it may hold SQL or a customer's data. */
export function toRestError(thrown: unknown, inputError?: (fields: ReadonlySet<string>) => ErrorCode): RestError {
  const error = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof DomainError) return restError(error);
  if (error instanceof ZodError && thrown instanceof TRPCError && thrown.code === 'BAD_REQUEST') {
    const details = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
    const code = inputError?.(new Set(details.map(({ field }) => field))) ?? 'invalid_input';
    return restError(new DomainError(code, { details }));
  }
  return restError(new DomainError(isUnavailable(error) ? 'unavailable' : 'internal', { cause: error }));
}

export function restError({ code, details, extra, cause }: DomainError): RestError {
  const { status, error, message } = ERROR_CATALOGUE[code];
  return { code, status, cause, body: { success: false, error, message, ...(details && { details }), ...extra } };
}

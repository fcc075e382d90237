import { TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { ZodError } from 'zod';
import { fieldIssuesOf } from '#contract/issues/issue-message.ts';
import { DomainError, errorMessage } from '#domain/errors/domain-error.ts';
import { type ApiErrorCode, ERROR_CATALOGUE, isApiError } from '#domain/errors/error-catalogue.ts';
import type { FieldIssue } from '#domain/errors/issues.ts';
import { isUnavailable } from '#services/health/is-unavailable.ts';

/** What tRPC rejects by itself, before any procedure; anything else of its own is a bad_request. */
const REJECTED_BY_TRPC: Partial<Record<TRPC_ERROR_CODE_KEY, ApiErrorCode>> = {
  PARSE_ERROR: 'invalid_json',
  NOT_FOUND: 'route_not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'body_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
  INTERNAL_SERVER_ERROR: 'internal',
  SERVICE_UNAVAILABLE: 'unavailable',
};

/**
 * Always a text of the catalogue. Those of causes stay inside: they may hold SQL, addresses, what a
 * customer typed, or the words of a parser or of a library, which show a stranger what runs here.
 */
export function messageOf({ code, cause, message }: TRPCError): string {
  if (cause instanceof DomainError && code !== 'INTERNAL_SERVER_ERROR') return message;
  return ERROR_CATALOGUE[rejectionOf(code, cause)].message;
}

function rejectionOf(code: TRPC_ERROR_CODE_KEY, cause: unknown): ApiErrorCode {
  if (cause instanceof ZodError) return 'invalid_input';
  const known = REJECTED_BY_TRPC[code];
  if (known !== undefined) return known;
  return cause instanceof SyntaxError ? 'invalid_json' : 'bad_request';
}

type Reason = { reason: string | null; fields: readonly FieldIssue[]; params: Record<string, string> };

/** For the pages: which error it is, which fields it is about, and further params. */
export function reasonOf({ cause }: TRPCError): Reason {
  if (cause instanceof DomainError) {
    return { reason: cause.code, fields: cause.details ?? [], params: { ...cause.extra, ...cause.params } };
  }
  if (cause instanceof ZodError) {
    return { reason: 'invalid_input', fields: fieldIssuesOf(cause), params: {} };
  }
  return { reason: null, fields: [], params: {} };
}

/**
 * Returns a procedure's result; throws its DomainError under the status that its code has, and what
 * says that the database is away as SERVICE_UNAVAILABLE.
 */
export function translated<R extends { ok: true } | { ok: false; error: TRPCError }>(result: R): R {
  if (result.ok) return result;
  const { cause } = result.error;
  if (cause instanceof DomainError || isUnavailable(cause)) reject(cause);
  return result;
}

/** Throws an error as translated() does. */
export function reject(error: unknown): never {
  if (error instanceof DomainError) throw toTrpcError(error);
  // Without a reason: a page asks again, under the same Idempotency-Key.
  throw isUnavailable(error) ? new TRPCError({ code: 'SERVICE_UNAVAILABLE', cause: error }) : error;
}

/** Whether an error is a failure of the service's own, which its log has to explain. */
export const isOwnFailure = (code: string): boolean =>
  code === 'INTERNAL_SERVER_ERROR' || code === 'SERVICE_UNAVAILABLE';

const CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<number, keyof typeof TRPC_ERROR_CODES_BY_KEY>;

/**
 * Returns a DomainError as tRPC's error, under the status that its code has. Only for what is
 * thrown outside of a procedure's result, as in the middle of a stream: `translated` does it for
 * the rest.
 */
export function toTrpcError(error: DomainError): TRPCError {
  // Over REST a rail that the operator has turned off is 503, which a program repeats later. A page
  // would take the service for away, and the log for failing.
  const status = error.code === 'rail_closed' ? 409 : ERROR_CATALOGUE[error.code].status;
  const code = (CODES as Record<number, (typeof CODES)[keyof typeof CODES]>)[status] ?? 'INTERNAL_SERVER_ERROR';
  const message = isApiError(error.code) ? errorMessage(error.code, error) : error.code;
  return new TRPCError({ code, message, cause: error });
}

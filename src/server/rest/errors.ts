import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { issuesOfInput } from '#contract/issues/issue-message.ts';
import type { Warning } from '#contract/warnings.ts';
import { DomainError, errorMessage } from '#domain/errors/domain-error.ts';
import { type ApiErrorCode, ERROR_CATALOGUE, isApiError } from '#domain/errors/error-catalogue.ts';
import { isUnavailable } from '#services/health/is-unavailable.ts';
import type { InputError } from '../procedures/procedure.ts';
import { type IssueDetail, issueDetail } from './issue-text.ts';
import { withWarnings } from './unknown-fields.ts';

/** The body of an error; the crypto endpoints leave `error` out. */
export type RestErrorBody = {
  success: false;
  error?: string;
  message: string;
  code: ApiErrorCode;
  details?: IssueDetail[];
  warnings?: readonly Warning[];
  [extra: string]: unknown;
};

export type RestError = {
  code: ApiErrorCode;
  status: number;
  body: RestErrorBody;
  /** What happened, for the log; undefined where the caller's own mistake explains it. */
  cause: unknown;
};

/** What an operation says of its errors. */
export type ErrorRules = {
  inputError?: InputError | undefined;
  crypto?: { failure: string } | undefined;
};

/**
 * Returns what is answered for whatever a procedure threw. Never a text of an unknown error: it may
 * hold SQL or a customer's data. `input` is what was sent, `requestId` names the line of the log
 * that says more. Where fields are rejected, the body has `warnings` too: a missing field may have
 * been sent under a wrong name.
 */
export function toRestError(
  thrown: unknown,
  rules: ErrorRules = {},
  request: { input?: Record<string, unknown>; requestId?: string; warnings?: readonly Warning[] } = {},
): RestError {
  const error = restError(toDomainError(thrown, rules.inputError, request.input ?? {}));
  const body = rules.crypto ? cryptoBody(error, rules.crypto.failure, request.requestId ?? '') : error.body;
  return { ...error, body: body.details ? withWarnings(body, request.warnings ?? []) : body };
}

function toDomainError(
  thrown: unknown,
  inputError: InputError | undefined,
  input: Record<string, unknown>,
): DomainError {
  const error = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof DomainError) return error;
  if (error instanceof ZodError && thrown instanceof TRPCError && thrown.code === 'BAD_REQUEST') {
    const details = issuesOfInput(error, input);
    return new DomainError(inputError?.(new Set(details.map(({ field }) => field)), input) ?? 'invalid_input', {
      details,
    });
  }
  return new DomainError(isUnavailable(error) ? 'unavailable' : 'internal', { cause: error });
}

/** Returns what is answered for a DomainError, with its `cause` for the log. */
export function restError(thrown: DomainError): RestError {
  const { code, details, extra, cause } = thrown;
  // The API has no words for what only the panel shows: an internal error.
  if (!isApiError(code)) return restError(new DomainError('internal', { cause: thrown }));
  const { status, error } = ERROR_CATALOGUE[code];
  const message = errorMessage(code, thrown);
  return {
    code,
    status,
    cause,
    body: { success: false, error, message, code, ...(details && { details: details.map(issueDetail) }), ...extra },
  };
}

/** The contract's words for the crypto endpoints, whose missing and unknown keys have one text. */
const CRYPTO_KEY_MESSAGE = 'API key inválida ou não encontrada';

/**
 * The body of an error of the crypto endpoints: its `message` is what `error` is elsewhere; a 500
 * has `error` too, with details that say nothing of our insides (ASVS 16.5.1). KYC has the same
 * body everywhere.
 */
function cryptoBody({ code, status, body }: RestError, failure: string, requestId: string): RestErrorBody {
  if (code === 'kyc_not_approved') return body;

  if (status === 500)
    return { success: false, message: failure, error: `internal_error (x-request-id ${requestId})`, code };
  const isKey = code === 'api_key_missing' || code === 'api_key_invalid';
  const message = isKey ? CRYPTO_KEY_MESSAGE : ERROR_CATALOGUE[code].error;
  const { details, paused_until, usable_from, transaction_id } = body;
  return {
    ...{ success: false, message, code },
    ...(details !== undefined && { details }),
    ...(paused_until !== undefined && { paused_until }),
    ...(usable_from !== undefined && { usable_from }),
    ...(transaction_id !== undefined && { transaction_id }),
  };
}

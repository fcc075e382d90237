import type { ErrorCode, FieldError, Warning } from './generated/api.ts';

/** The base class of the errors of API calls. */
export class TrilhoError extends Error {
  override name = 'TrilhoError';
  /** The key under which a POST was sent; null for a GET. */
  readonly idempotencyKey: string | null;

  constructor(message: string, options: { idempotencyKey?: string | null; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey ?? null;
  }
}

/**
 * The request did not reach the service, or it was a GET whose answer did not arrive. Nothing has
 * happened: it may be sent again under any key.
 */
export class ConnectionError extends TrilhoError {
  override name = 'ConnectionError';
}

/**
 * A POST was sent and no answer says whether it was executed: a time-out, a lost connection, a
 * failure of the service, or an abort by the caller. The operation may have happened. Send the same
 * request again with `idempotencyKey`: it is executed at most once, and its answer says what
 * happened. A new key could pay twice. `cause` is the last failure, or the reason of the abort.
 */
export class OutcomeUnknownError extends TrilhoError {
  override name = 'OutcomeUnknownError';
  declare readonly idempotencyKey: string;

  constructor(idempotencyKey: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`Whether the operation happened is unknown: send it again with the idempotencyKey of this error. ${why}`, {
      idempotencyKey,
      cause,
    });
  }
}

/** The code of an error: a known one, or one that is newer than this library. */
export type ApiErrorCode = ErrorCode | (string & {});

/** The options of an ApiError. */
export type ApiErrorInit = {
  status: number;
  /** The parsed body; anything where it is not the service's. */
  body: unknown;
  requestId: string | null;
  retryAfterMs: number | null;
  idempotencyKey: string | null;
};

/**
 * The service answered with an error: this call did nothing. Of an earlier call under the same key,
 * one that ended as unknown, 401, 403, 429 and an answer without a code say nothing.
 */
export class ApiError extends TrilhoError {
  override name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /**
   * The stable code, to compare with; null where the answer is not the service's (a proxy's, say).
   */
  readonly code: ApiErrorCode | null;
  /** `x-request-id`, which support asks for. */
  readonly requestId: string | null;
  /** The fields that are wrong; empty unless the error is about fields. */
  readonly details: readonly FieldError[];
  /** The fields that were sent and that the operation does not have. */
  readonly warnings: readonly Warning[];
  /** How many milliseconds to wait before the next try, by `Retry-After`; null without it. */
  readonly retryAfterMs: number | null;
  /** `withdrawals_paused`: when the pause ends, in ISO 8601. */
  readonly pausedUntil: string | null;
  /** `payee_waits`: from when on the payee can be paid, in ISO 8601. */
  readonly usableFrom: string | null;
  /** `kyc_not_approved`: `pending` or `rejected`. */
  readonly kycStatus: string | null;
  /** `reference_taken`: the id of the transaction that has the reference. */
  readonly transactionId: string | null;
  /** The whole body, for members that are newer than this library. */
  readonly body: unknown;

  constructor({ status, body, requestId, retryAfterMs, idempotencyKey }: ApiErrorInit) {
    const members = isRecord(body) ? body : {};
    const text = (name: string): string | null => (typeof members[name] === 'string' ? members[name] : null);
    const said = [text('error'), text('message')].filter((part) => part !== null).join(': ');
    super(said === '' ? `The address answered ${status}, without an error of the API.` : said, { idempotencyKey });
    this.status = status;
    this.code = text('code');
    this.requestId = requestId;
    this.details = Array.isArray(members.details) ? members.details : [];
    this.warnings = Array.isArray(members.warnings) ? members.warnings : [];
    this.retryAfterMs = retryAfterMs;
    this.pausedUntil = text('paused_until');
    this.usableFrom = text('usable_from');
    this.kycStatus = text('kyc_status');
    this.transactionId = text('transaction_id');
    this.body = body;
  }
}

/** 400, 413, 415 and others below 500: the request, or the state of its subject, has to change. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';
}
/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
/** 403: the key, the account or its KYC does not allow this now. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
/** 404: the account has nothing with this id. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** 409: something that exists does not allow it: an account, a reference, a webhook that is off. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
/** 422: the idempotency key was used with another request. */
export class IdempotencyError extends ApiError {
  override name = 'IdempotencyError';
}
/** 429: too many requests, also after the retries. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
/** 5xx of a GET, and 503 `rail_closed` of any operation. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: IdempotencyError,
  429: RateLimitError,
};

/** Makes the error of an unsuccessful answer, of the class of its status. */
export function toApiError(init: ApiErrorInit): ApiError {
  const ErrorClass = BY_STATUS[init.status] ?? (init.status >= 500 ? ServerError : InvalidRequestError);
  return new ErrorClass(init);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

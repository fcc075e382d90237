import { fillIn } from '../values/fill-in.ts';
import { type ApiErrorCode, ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.ts';
import type { FieldIssue } from './issues.ts';

/**
 * The one error type, of the REST API and of the panel. What happened (`cause`) goes to the log,
 * the catalogue's text goes to the wire.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  /** What is wrong with the fields of the input. */
  readonly details: readonly FieldIssue[] | undefined;
  /** Further members of the body, e.g. kyc_status. */
  readonly extra: Record<string, string> | undefined;
  /**
   * The params of the text in the catalogue or the pages: `{name}` is replaced by the param of that
   * name.
   */
  readonly params: Record<string, string> | undefined;

  constructor(
    code: ErrorCode,
    options: {
      details?: readonly FieldIssue[];
      extra?: Record<string, string>;
      params?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.details = options.details;
    this.extra = options.extra;
    this.params = options.params;
  }
}

/** Returns the catalogue's text, with `extra` and `params` in place of their names. */
export function errorMessage(code: ApiErrorCode, { extra, params }: Pick<DomainError, 'extra' | 'params'>): string {
  return fillIn(ERROR_CATALOGUE[code].message, { ...extra, ...params });
}

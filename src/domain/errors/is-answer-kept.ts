import type { ApiErrorCode } from './error-catalogue.ts';

/**
 * Returns whether an answer with this error is stored, and given again to the same Idempotency-Key.
 * Errors of the request itself, or of ours at that moment, are not: the corrected or repeated
 * request executes.
 */
export const isAnswerKept = (code: ApiErrorCode): boolean => !RETRYABLE.has(code);

const RETRYABLE: ReadonlySet<ApiErrorCode> = new Set([
  'api_key_missing',
  'api_key_invalid',
  'unsupported_version',
  'invalid_amount',
  'invalid_input',
  'invalid_pix_key',
  'unsupported_currency',
  'wallet_required',
  'invalid_wallet',
  'own_deposit_address',
  'invalid_memo',
  'kyc_not_approved',
  'permission_denied',
  'account_suspended',
  'withdrawals_paused',
  'not_a_payee',
  'payee_waits',
  // The transaction that has the reference may fail; then the same request executes.
  'reference_taken',
  'ip_not_allowed',
  'transaction_not_found',
  'dispute_not_found',
  'event_not_found',
  // A member switches it on, and the same request sends.
  'webhook_disabled',
  'endpoint_not_found',
  'endpoint_disabled',
  'too_many_endpoints',
  'too_many_test_events',
  'secret_overlap',
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'idempotency_key_running',
  'rate_limited',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'bad_request',
  'route_not_found',
  'method_not_allowed',
  // The operator turns it on again, and the same request executes.
  'rail_closed',
  // The PSP answers again; a charge that it has cancelled is found to be so.
  'key_owner_unknown',
  'charge_not_cancelled',
  // The clock arrives.
  'clock_moving',
  'unavailable',
  'internal',
]);

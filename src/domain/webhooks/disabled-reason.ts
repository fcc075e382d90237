/**
 * Why an endpoint is disabled. `merchant`: they wanted it so; `gone`: it answered 410; `failing`:
 * it took nothing for days.
 */
export const DISABLED_REASONS = ['merchant', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Null: it is not disabled. A 410 ends `failingSince`. */
export function disabledReason(endpoint: {
  disabledAt: Date | null;
  disabledByMerchant: boolean;
  failingSince: Date | null;
}): DisabledReason | null {
  if (endpoint.disabledAt === null) return null;
  if (endpoint.disabledByMerchant) return 'merchant';
  return endpoint.failingSince === null ? 'gone' : 'failing';
}

/** How long and how often a call is tried. */
export type Limits = {
  /** How long one try may take, in milliseconds. */
  timeoutMs: number;
  /**
   * How long the call may take with all its retries and the waits between them, in milliseconds.
   */
  totalTimeoutMs: number;
  /** How often a failed try is repeated; 0 for never. */
  maxRetries: number;
};

/** The limits where neither the client nor the call sets others. */
export const DEFAULT_LIMITS: Limits = {
  // Longer than the service waits for a provider.
  timeoutMs: 30_000,
  // Enough for three tries that time out, or for a restart of the service.
  totalTimeoutMs: 90_000,
  // With waits that double from half a second on: about fifteen seconds in all.
  maxRetries: 5,
};

/** The longest time of a timer: a longer one fires at once. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

/**
 * Returns `base` with the limits that `own` sets. Throws RangeError for a limit that is out of
 * range.
 */
export function limitsFrom(base: Limits, own: { [Name in keyof Limits]?: Limits[Name] | undefined }): Limits {
  const { timeoutMs = base.timeoutMs, totalTimeoutMs = base.totalTimeoutMs, maxRetries = base.maxRetries } = own;
  for (const [name, ms] of Object.entries({ timeoutMs, totalTimeoutMs })) {
    if (!(ms > 0 && ms <= TIMEOUT_MS_MAX)) {
      throw new RangeError(`${name} is a number of milliseconds above zero and up to ${TIMEOUT_MS_MAX}.`);
    }
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new RangeError('maxRetries is 0 or a whole number above it.');
  return { timeoutMs, totalTimeoutMs, maxRetries };
}

/**
 * After so many calls in a row without a usable answer a provider is taken to be away. With fewer,
 * charges would be rejected that a provider which fails now and then would have created.
 */
export const BREAKER_FAILURES = 10;
/**
 * One call in this time is sent to a provider that is away: the first answer ends it, so this is
 * the longest that a provider which is back goes unnoticed.
 */
export const BREAKER_PROBE_MS = 1_000;

/**
 * Keeps clients from waiting for a provider that is away: nothing is sent that somebody waits for,
 * but for one call in BREAKER_PROBE_MS. It decides nothing about calls that were sent.
 */
export type Breaker = {
  /**
   * Returns whether a call that somebody waits for may be sent now; `true` while the provider is
   * away makes this call the one of its time.
   */
  mayCall(): boolean;
  /** Takes the end of any call: whether a usable answer came. */
  note(isAnswered: boolean): void;
};

export type BreakerOptions = {
  /**
   * It fails for chosen amounts, from which nothing follows for the next call: nothing is kept from
   * it.
   */
  isSandbox?: boolean;
};

/** A circuit breaker of one connection to one provider, in one process. */
export function createBreaker({ isSandbox = false }: BreakerOptions): Breaker {
  let failures = 0;
  let calledAt = Number.NEGATIVE_INFINITY;
  return {
    mayCall() {
      if (isSandbox || failures < BREAKER_FAILURES) return true;
      const now = performance.now();
      if (now - calledAt < BREAKER_PROBE_MS) return false;
      calledAt = now;
      return true;
    },
    note(isAnswered) {
      failures = isAnswered ? 0 : failures + 1;
    },
  };
}

/** Why a call was not sent. */
export const NOT_SENT = `not sent: ${BREAKER_FAILURES} calls in a row had no usable answer`;

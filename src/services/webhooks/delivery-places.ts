/**
 * How many attempts a receiver may have under way, of the 64 tasks that a worker runs at once. One
 * that stops answering holds its places until the attempts time out; two such receivers still leave
 * places for all others.
 */
const HEALTHY_AT_ONCE = 24;
/** The same for a receiver that does not answer, or did not answer last time. */
const TROUBLED_AT_ONCE = 2;
/** The same for a receiver that was not tried before. */
const NEW_AT_ONCE = 4;
/**
 * Of all receivers of one account together, more than one of them may have: an account has as many
 * as it likes, with a URL for each payment. Those of both accounts of a merchant leave places for
 * all others.
 */
const ACCOUNT_AT_ONCE = 28;
/** Of those of an account's receivers that were not tried before: each may be one that hangs. */
const ACCOUNT_NEW_AT_ONCE = 12;
/** Of all receivers in trouble together: half of the worker. */
const ALL_TROUBLED_AT_ONCE = 32;
/**
 * A receiver with an attempt that has been under way for longer is in trouble, long before that
 * attempt times out.
 */
const SLOW_MS = 1_000;
/** After how long a delivery that got no place is tried again. */
const STEP_BACK_MS = { healthy: 250, troubled: 5_000 };
/** At more, all are dropped: a receiver then counts as one that was not tried before. */
const RECEIVERS_MAX = 10_000;

/** `answered`: it has answered before, without a 5xx. */
type Receiver = { startedMs: Set<{ at: number }>; failed: boolean; answered: boolean };

/** Attempts under way, and those of them that go to receivers which were not tried before. */
type Account = { underway: number; newStartedMs: Set<{ at: number }> };

export type DeliveryPlaces = {
  /**
   * Takes a place for an attempt at the receiver of an account at this origin, or returns in how
   * many milliseconds to try again. `leave` gives the place back; `answered`: the receiver answered
   * without a 5xx.
   */
  enter(
    to: { accountId: string; origin: string },
    nowMs: number,
  ): { leave(answered: boolean): void } | { stepBackMs: number };
};

/**
 * Shares a worker's places among receivers, so that those that hang hold up no others. The counts
 * are of this process alone.
 */
export function createDeliveryPlaces(): DeliveryPlaces {
  const receivers = new Map<string, Receiver>();
  const accounts = new Map<string, Account>();
  let troubledUnderway = 0;

  const receiverOf = (name: string) => {
    const known = receivers.get(name);
    if (known) return known;
    if (receivers.size >= RECEIVERS_MAX) receivers.clear();
    const fresh: Receiver = { startedMs: new Set(), failed: false, answered: false };
    receivers.set(name, fresh);
    return fresh;
  };

  return {
    enter({ accountId, origin }, nowMs) {
      const receiver = receiverOf(`${accountId} ${origin}`);
      const troubled = receiver.failed || isSlow(receiver.startedMs, nowMs);
      const isNew = !receiver.answered && !receiver.failed;
      const atOnce = troubled ? TROUBLED_AT_ONCE : isNew ? NEW_AT_ONCE : HEALTHY_AT_ONCE;
      if (receiver.startedMs.size >= atOnce || (troubled && troubledUnderway >= ALL_TROUBLED_AT_ONCE)) {
        return { stepBackMs: troubled ? STEP_BACK_MS.troubled : STEP_BACK_MS.healthy };
      }
      const account = accounts.get(accountId) ?? { underway: 0, newStartedMs: new Set() };
      if (account.underway >= ACCOUNT_AT_ONCE || (isNew && account.newStartedMs.size >= ACCOUNT_NEW_AT_ONCE)) {
        return { stepBackMs: isSlow(account.newStartedMs, nowMs) ? STEP_BACK_MS.troubled : STEP_BACK_MS.healthy };
      }
      accounts.set(accountId, account);
      const attempt = { at: nowMs };
      receiver.startedMs.add(attempt);
      account.underway++;
      if (isNew) account.newStartedMs.add(attempt);
      if (troubled) troubledUnderway++;
      return {
        leave(answered) {
          receiver.startedMs.delete(attempt);
          account.underway--;
          account.newStartedMs.delete(attempt);
          if (account.underway === 0) accounts.delete(accountId);
          if (troubled) troubledUnderway--;
          receiver.failed = !answered;
          receiver.answered ||= answered;
        },
      };
    },
  };
}

/** Whether the oldest of these has been under way for too long. */
function isSlow(startedMs: ReadonlySet<{ at: number }>, nowMs: number): boolean {
  // A Set iterates in the order of insertion.
  const [oldest] = startedMs;
  return oldest !== undefined && nowMs - oldest.at >= SLOW_MS;
}

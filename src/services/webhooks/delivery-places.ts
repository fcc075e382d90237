/**
 * How many attempts a receiver may have under way, of the 64 tasks that a worker runs at once. One
 * that stops answering holds its places until the attempts time out; two such receivers still leave
 * places for all others.
 */
const HEALTHY_AT_ONCE = 24;
/** The same for a receiver that does not answer, or did not answer last time. */
const TROUBLED_AT_ONCE = 2;
/** Of all receivers in trouble together: half of the worker. */
const ALL_TROUBLED_AT_ONCE = 32;
/**
 * A receiver with an attempt that has been under way for longer is in trouble, long before that
 * attempt times out.
 */
const SLOW_MS = 1_000;
/** After how long a delivery that got no place is tried again. */
const STEP_BACK_MS = { healthy: 250, troubled: 5_000 };
/** At more, all are dropped: a receiver then counts as healthy until it fails again. */
const RECEIVERS_MAX = 10_000;

type Receiver = { startedMs: Set<{ at: number }>; failed: boolean };

export type DeliveryPlaces = {
  /**
   * Takes a place for an attempt at this receiver, or returns in how many milliseconds to try
   * again. `leave` gives the place back; `answered`: the receiver answered without a 5xx.
   */
  enter(receiver: string, nowMs: number): { leave(answered: boolean): void } | { stepBackMs: number };
};

/**
 * Shares a worker's places among receivers, so that those that hang hold up no others. The counts
 * are of this process alone.
 */
export function createDeliveryPlaces(): DeliveryPlaces {
  const receivers = new Map<string, Receiver>();
  let troubledUnderway = 0;

  const receiverOf = (name: string) => {
    const known = receivers.get(name);
    if (known) return known;
    if (receivers.size >= RECEIVERS_MAX) receivers.clear();
    const fresh: Receiver = { startedMs: new Set(), failed: false };
    receivers.set(name, fresh);
    return fresh;
  };

  return {
    enter(name, nowMs) {
      const receiver = receiverOf(name);
      // A Set iterates in the order of insertion.
      const [oldest] = receiver.startedMs;
      const troubled = receiver.failed || (oldest !== undefined && nowMs - oldest.at >= SLOW_MS);
      const atOnce = troubled ? TROUBLED_AT_ONCE : HEALTHY_AT_ONCE;
      if (receiver.startedMs.size >= atOnce || (troubled && troubledUnderway >= ALL_TROUBLED_AT_ONCE)) {
        return { stepBackMs: troubled ? STEP_BACK_MS.troubled : STEP_BACK_MS.healthy };
      }
      const attempt = { at: nowMs };
      receiver.startedMs.add(attempt);
      if (troubled) troubledUnderway++;
      return {
        leave(answered) {
          receiver.startedMs.delete(attempt);
          if (troubled) troubledUnderway--;
          receiver.failed = !answered;
        },
      };
    },
  };
}

/**
 * How many attempts may be under way at once, of the 64 tasks that a worker does side by side: one
 * receiver that stops answering holds these places until its attempts time out, and two of them
 * leave places for everybody else.
 */
const HEALTHY_AT_ONCE = 24;
/** Of a receiver that does not answer, or did not answer last time. */
const TROUBLED_AT_ONCE = 2;
/** Of all receivers in trouble together: half of the worker. */
const ALL_TROUBLED_AT_ONCE = 32;
/**
 * A receiver whose oldest attempt is older is in trouble already, long before the attempt times
 * out.
 */
const SLOW_MS = 1_000;
/** When a delivery that found no place comes again. */
const STEP_BACK_MS = { healthy: 250, troubled: 5_000 };
/** Forgetting is harmless: a receiver is then healthy until it fails again. */
const RECEIVERS_MAX = 10_000;

type Receiver = { startedMs: Set<{ at: number }>; failed: boolean };

export type DeliveryPlaces = {
  /**
   * A place for an attempt at this receiver, or in how many milliseconds to come again. `leave`
   * says whether the receiver answered without an error of its server.
   */
  enter(receiver: string, nowMs: number): { leave(answered: boolean): void } | { stepBackMs: number };
};

/**
 * Shares a worker's places among receivers, so that those that hang hold up no others. What is
 * known of a receiver is known to this process alone.
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
      // In the order in which they began.
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

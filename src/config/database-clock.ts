/** What the database said the time is, and how long its answer took, in ms. */
export type TimeSample = { now: Date; roundTripMs: number };

export type DatabaseClock = {
  now(): Date;
  follow(sample: TimeSample): void;
  /**
   * For how long, in ms as this process measures durations, the time has gone on without a step:
   * since the first sample, or since the clock of the database's machine was set.
   */
  steadyForMs(): number;
};

/** Machines with synchronised clocks differ by less: such a difference does not change the time. */
const TOLERANCE_MS = 20;
/** Up to this much the time stands still instead of going back. */
const STANDS_STILL_MAX_MS = 1_000;
/** Whoever keeps clocks synchronised corrects them by less. */
const STEP_MIN_MS = 5_000;

/**
 * Creates a clock with the time of the database's machine, which is the same for all processes of
 * an installation: what one of them plans is due for the others at that time, however wrong the
 * clocks of their own machines are, and also when one is set by an hour while they run. `follow`
 * takes each sample; between two samples time passes as this process measures durations. Before the
 * first sample it is the machine's own time.
 */
export function createDatabaseClock(
  machine: { now(): number; elapsedMs(): number } = { now: Date.now, elapsedMs: () => performance.now() },
): DatabaseClock {
  let sample: { ms: number; takenAtMs: number } | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let steppedAtMs: number | undefined;
  const current = () => (sample ? sample.ms + machine.elapsedMs() - sample.takenAtMs : machine.now());
  return {
    now() {
      const ms = current();
      if (ms >= last || last - ms > STANDS_STILL_MAX_MS) last = ms;
      return new Date(last);
    },
    follow({ now, roundTripMs }) {
      // The database read its clock at some moment of the round trip: its time is now between these
      // two.
      const [earliest, latest] = [now.getTime(), now.getTime() + roundTripMs];
      const own = current();
      const isRight = own > earliest - TOLERANCE_MS && own < latest + TOLERANCE_MS;
      const isStep = own < earliest - STEP_MIN_MS || own > latest + STEP_MIN_MS;
      if (steppedAtMs === undefined || isStep) steppedAtMs = machine.elapsedMs();
      sample = { ms: isRight ? own : Math.min(Math.max(own, earliest), latest), takenAtMs: machine.elapsedMs() };
    },
    steadyForMs: () => (steppedAtMs === undefined ? 0 : machine.elapsedMs() - steppedAtMs),
  };
}

/**
 * While fewer tasks than this are under way and every server is quick, nobody needs to know whom
 * one waits for, which costs a query.
 */
const UNCOUNTED = 24;
/**
 * How many tasks may wait for one server, of the 64 that a worker runs at once, beside UNCOUNTED
 * that were not counted. A bank that stops answering holds its places until its calls time
 * out: the others are for everybody else's.
 */
const HEALTHY_AT_ONCE = 32;
/** The same for a server whose last answer was slow. */
const SLOW_AT_ONCE = 12;
/** Of all slow servers together: less than half of the worker. */
const ALL_SLOW_AT_ONCE = 24;
/**
 * A call takes a provider some hundred milliseconds, and times out after 10 to 15 seconds, the
 * sandbox's after three.
 */
const SLOW_MS = 2_500;
/**
 * After how long a task that got no place is tried again: the first after `fromMs`, each further
 * one `everyMs` later, and none after more than `toMs`. Each try costs two writes, so thousands
 * that wait for a bank that is away don't come back together, and all of them soon when it is back.
 */
const STEP_BACK = {
  healthy: { fromMs: 250, everyMs: 10, toMs: 5_000 },
  slow: { fromMs: 5_000, everyMs: 50, toMs: 60_000 },
};
/** At more, quick ones that nothing waits for are forgotten. */
const SERVERS_MAX = 10_000;

type Server = {
  underway: number;
  /** Whether the call that ended last took too long. */
  isSlow: boolean;
  /** When the task that got no place last is tried again. */
  backAtMs: number;
};

export type TaskPlaces = {
  /**
   * Takes a place for a task that waits for this server, or returns in how many milliseconds to try
   * again. `nowMs`: of a monotonic clock. `leave` gives the place back.
   */
  enter(server: string, nowMs: number): { leave(): void } | { stepBackMs: number };
  /** Whether the servers of tasks have to be counted while so many are under way. */
  areShort(underway: number): boolean;
  /** Takes how long a call to a server took that has ended, whoever made it. */
  note(server: string, durationMs: number): void;
};

/**
 * Shares a worker's places among the servers that its tasks wait for, so that one that hangs holds
 * up nothing else. The counts are of this process alone. `onSlow`: a server that was quick is slow.
 */
export function createTaskPlaces(onSlow: (server: string) => void): TaskPlaces {
  const servers = new Map<string, Server>();
  let slowUnderway = 0;
  let slowServers = 0;

  const serverOf = (name: string) => {
    const known = servers.get(name);
    if (known) return known;
    if (servers.size >= SERVERS_MAX)
      for (const [old, { underway, isSlow }] of servers) if (underway === 0 && !isSlow) servers.delete(old);
    const fresh: Server = { underway: 0, isSlow: false, backAtMs: 0 };
    servers.set(name, fresh);
    return fresh;
  };

  return {
    enter(name, nowMs) {
      const server = serverOf(name);
      const { isSlow } = server;
      if (
        server.underway >= (isSlow ? SLOW_AT_ONCE : HEALTHY_AT_ONCE) ||
        (isSlow && slowUnderway >= ALL_SLOW_AT_ONCE)
      ) {
        const { fromMs, everyMs, toMs } = isSlow ? STEP_BACK.slow : STEP_BACK.healthy;
        server.backAtMs = Math.min(Math.max(server.backAtMs + everyMs, nowMs + fromMs), nowMs + toMs);
        return { stepBackMs: server.backAtMs - nowMs };
      }
      server.underway++;
      if (isSlow) slowUnderway++;
      return {
        leave() {
          server.underway--;
          if (isSlow) slowUnderway--;
        },
      };
    },
    areShort: (underway) => underway >= UNCOUNTED || slowServers > 0,
    note(name, durationMs) {
      const server = serverOf(name);
      const isSlow = durationMs >= SLOW_MS;
      if (isSlow === server.isSlow) return;
      server.isSlow = isSlow;
      slowServers += isSlow ? 1 : -1;
      if (isSlow) onSlow(name);
    },
  };
}

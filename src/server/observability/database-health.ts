/**
 * Time enough for a database to be started again, and too long for a process that could be
 * replaced.
 */
const GONE_MAX_MS = 60_000;

export type DatabaseHealth = {
  setConnected(connected: boolean): void;
  /** False when the database has been away for a minute. */
  isHealthy(): boolean;
};

/**
 * Whether this process still has a database, by the listening connection, which is checked every
 * second. A short outage does not make it unhealthy: the process recovers when the database does.
 */
export function createDatabaseHealth(clock: () => Date): DatabaseHealth {
  let goneSince: Date | undefined = clock();
  return {
    setConnected(connected) {
      goneSince = connected ? undefined : clock();
    },
    isHealthy: () => goneSince === undefined || clock().getTime() - goneSince.getTime() < GONE_MAX_MS,
  };
}

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
 * Whether this process still has a database, told by the connection that listens: it is asked every
 * second. A short absence is no illness: the process is back by itself when the database is.
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

/**
 * A failure is logged at once, and again after this time while it lasts; more would fill the log.
 */
const LOG_EVERY_MS = 15 * 60_000;
/** A failure that ends by itself, as when a file server restarts, needs no message. */
const MAIL_AFTER_MS = 10 * 60_000;

export type FailureReports = {
  /** Records a failure; returns whether to log it, and whether to send a message. */
  fail(now: Date): { log: boolean; mail: boolean };
  /** Records that the failure has ended: the next one is a new one. */
  succeed(): void;
};

/** Decides when something that fails again and again is logged, and when a message is sent. */
export function createFailureReports(): FailureReports {
  let since: number | undefined;
  let loggedAt: number | undefined;
  let isMailed = false;
  return {
    fail(now) {
      const at = now.getTime();
      since ??= at;
      const log = loggedAt === undefined || at - loggedAt >= LOG_EVERY_MS;
      const mail = !isMailed && at - since >= MAIL_AFTER_MS;
      if (log) loggedAt = at;
      isMailed ||= mail;
      return { log, mail };
    },
    succeed() {
      since = undefined;
      loggedAt = undefined;
      isMailed = false;
    },
  };
}

/** The operator hears of a failure at once, and is reminded of it; a log is no place for more. */
const LOG_EVERY_MS = 15 * 60_000;
/** What ends by itself, as a restart of a file server does, is no reason for a message. */
const MAIL_AFTER_MS = 10 * 60_000;

export type FailureReports = {
  /** What is to be done about a failure at this time. */
  fail(now: Date): { log: boolean; mail: boolean };
  /** The failure has ended: the next one is another one. */
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

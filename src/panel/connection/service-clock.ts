/** The precision of an answer's `Date`, which has whole seconds. */
const DATE_PRECISION_MS = 1_000;

/**
 * One answer: when it was asked for and arrived by this device's clock, and when it was made by the
 * service's.
 */
export type TimedAnswer = { sentAt: number; receivedAt: number; madeFrom: number; madeTo: number };

/**
 * Tracks how far the service's clock is ahead of this device's, which may have been set to any
 * time. All times are in milliseconds. A difference that an answer's journey explains is none: a
 * device whose clock is right keeps it.
 */
export function createServiceClock(deviceNow: () => number = Date.now) {
  let aheadMs = 0;
  return {
    aheadMs: () => aheadMs,
    now: () => new Date(deviceNow() + aheadMs),
    note({ sentAt, receivedAt, madeFrom, madeTo }: TimedAnswer): void {
      const [least, most] = [madeFrom - receivedAt, madeTo - sentAt];
      // Not so where a time is missing, and where the device's clock was set back meanwhile.
      if (!(least <= most)) return;
      const explains = (ms: number) => least <= ms && ms <= most;
      if (!explains(aheadMs)) aheadMs = explains(0) ? 0 : (least + most) / 2;
    },
  };
}

/** The clock of this page's service; on the server the device is the service. */
export const serviceClock = createServiceClock();

/** The service's time, by which keys expire and days begin. */
export const serviceNow = (): Date => serviceClock.now();

/** Notes the time of an answer to a call that was sent at `sentAt`. */
export function noteServiceTime({ headers }: Response, sentAt: number): void {
  const madeFrom = Date.parse(headers.get('date') ?? '');
  serviceClock.note({ sentAt, receivedAt: Date.now(), madeFrom, madeTo: madeFrom + DATE_PRECISION_MS });
}

// What the page shows at first goes by the time that it was made with. Reckoned back from now: the
// origin of the browser's own times goes by the clock as it was when the browser was started.
if (typeof window !== 'undefined') {
  const madeAt = Number(document.documentElement.dataset.servedAt ?? Number.NaN);
  const receivedAt = Date.now();
  serviceClock.note({ sentAt: receivedAt - performance.now(), receivedAt, madeFrom: madeAt, madeTo: madeAt });
}

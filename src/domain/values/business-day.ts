/**
 * Days and nights of America/Sao_Paulo, on which limits are counted, whatever the machine's own
 * zone is. The zone's rules come from the ICU data of Node: there is no daylight saving time today,
 * there was until 2019, and there may be again.
 */
const TIME_ZONE = 'America/Sao_Paulo';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The night of PIX limits, Resolução BCB 142/2021: from 20:00 up to 06:00. */
export const NIGHT_START_HOUR = 20;
export const NIGHT_END_HOUR = 6;

/** Made once: making one takes as long as thirty uses (126 µs and 4 µs, measured). */
const WALL_CLOCK = new Intl.DateTimeFormat('en-US', {
  timeZone: TIME_ZONE,
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/**
 * The offsets that were read, by the hour in which they hold: since 1970 the clocks changed at
 * whole hours of UTC. The bounds of a day and a night take a dozen readings, which were a sixteenth
 * of a withdrawal's processor time.
 */
const OFFSETS = new Map<number, number>();
/** The hours that today's requests ask about are some dozens; a report of years asks about more. */
const OFFSETS_MAX = 1_000;

/**
 * The instant at which the São Paulo day that contains `now` began.
 * @throws RangeError for an invalid date, as do all of these.
 */
export function dayStart(now: Date): Date {
  return instantOf(wallMidnight(now));
}

/**
 * The instant at which the next day begins; a day has 23 or 25 hours where daylight saving time
 * begins or ends.
 */
export function nextDayStart(now: Date): Date {
  return instantOf(wallMidnight(now) + DAY_MS);
}

/** The date that it is in São Paulo: `YYYY-MM-DD`. */
export const dateInSaoPaulo = (now: Date): string => new Date(wallMs(now.getTime())).toISOString().slice(0, 10);

/**
 * The night that contains `now`: `start` is its first instant, and `end` the first one after it.
 * `null` by day.
 */
export function nightWindow(now: Date): { start: Date; end: Date } | null {
  const midnight = wallMidnight(now);
  const hour = Math.floor((wallMs(now.getTime()) - midnight) / HOUR_MS);
  if (hour >= NIGHT_END_HOUR && hour < NIGHT_START_HOUR) return null;
  const evening = hour >= NIGHT_START_HOUR ? midnight : midnight - DAY_MS;
  return {
    start: instantOf(evening + NIGHT_START_HOUR * HOUR_MS),
    end: instantOf(evening + DAY_MS + NIGHT_END_HOUR * HOUR_MS),
  };
}

/**
 * What a clock in São Paulo shows at an instant, to the second, as the milliseconds of the same
 * reading in UTC.
 */
export function wallMs(instantMs: number): number {
  if (!(instantMs >= 0)) return readWallMs(instantMs);
  const hourMs = Math.floor(instantMs / HOUR_MS) * HOUR_MS;
  let offset = OFFSETS.get(hourMs);
  if (offset === undefined) {
    offset = readWallMs(hourMs) - hourMs;
    if (OFFSETS.size >= OFFSETS_MAX) OFFSETS.clear();
    OFFSETS.set(hourMs, offset);
  }
  return Math.floor(instantMs / 1_000) * 1_000 + offset;
}

function readWallMs(instantMs: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of WALL_CLOCK.formatToParts(instantMs)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function wallMidnight(now: Date): number {
  return Math.floor(wallMs(now.getTime()) / DAY_MS) * DAY_MS;
}

/**
 * The first instant at which the clock shows a reading or, where it skips that reading, at which it
 * has passed it. (Daylight saving time used to begin at midnight: after 23:59:59 the clock showed
 * 01:00, and the day began then.)
 */
export function instantOf(readingMs: number): Date {
  // No change of the offset is nearer to another one than a day, so one of these two is right, or
  // the reading is skipped.
  const byOffsetBefore = readingMs - offsetMs(readingMs - DAY_MS);
  const byOffsetAfter = readingMs - offsetMs(readingMs + DAY_MS);
  const onlyAfterIsRight = wallMs(byOffsetBefore) !== readingMs && wallMs(byOffsetAfter) === readingMs;
  return new Date(onlyAfterIsRight ? byOffsetAfter : byOffsetBefore);
}

/** Of an instant on a whole second. */
const offsetMs = (instantMs: number): number => wallMs(instantMs) - instantMs;

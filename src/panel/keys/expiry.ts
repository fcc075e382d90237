import { KEY_LIFETIME_DAYS_MAX } from '#domain/api-keys/api-key-state.ts';
import { dateInSaoPaulo, nextDayStart } from '#domain/values/business-day.ts';

/** How long a new key works: for ever, for so many days, or up to a day that is picked. */
export const EXPIRY_CHOICES = ['never', '30', '90', '365', 'date'] as const;
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number];

const DAY_MS = 86_400_000;
/**
 * 15:00 UTC is about noon in São Paulo: it falls on the same day there at any offset of the zone.
 */
const AROUND_NOON = 'T15:00:00.000Z';

/**
 * Returns when a key made at `now` expires: at the last instant of a day in São Paulo, so that it
 * works on the whole of the day that the form names. `day` is that day (`2027-01-31`) for the
 * choice `date`. Null: never.
 */
export function expiryOf(choice: ExpiryChoice, day: string | null, now: Date): Date | null {
  if (choice === 'never') return null;
  if (choice !== 'date') return lastInstantOf(new Date(now.getTime() + Number(choice) * DAY_MS));
  return day === null ? null : lastInstantOf(new Date(day + AROUND_NOON));
}

/** Returns the first and the last day on which a key made at `now` may still work to the end. */
export const expiryDays = (now: Date): { from: string; to: string } => ({
  from: dateInSaoPaulo(now),
  // That day is over before the longest lifetime is.
  to: dateInSaoPaulo(new Date(now.getTime() + (KEY_LIFETIME_DAYS_MAX - 1) * DAY_MS)),
});

const lastInstantOf = (instant: Date) => new Date(nextDayStart(instant).getTime() - 1);

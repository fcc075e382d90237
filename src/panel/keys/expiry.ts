import { nextDayStart } from '#domain/values/business-day.ts';

/** How long a new key is to work: for ever, for so many days, or up to a day that is picked. */
export const EXPIRY_CHOICES = ['never', '30', '90', '365', 'date'] as const;
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number];

export const DAY_MS = 86_400_000;
/** Noon in São Paulo, whatever its offset was or will be, falls on the same day there. */
const AROUND_NOON = 'T15:00:00.000Z';

/**
 * When a key made at `now` expires: at the last instant of a day in São Paulo, so that it is good
 * for the whole of the day that the form names. `day` is that day (`2027-01-31`) for the choice
 * `date`. Null: never.
 */
export function expiryOf(choice: ExpiryChoice, day: string | null, now: Date): Date | null {
  if (choice === 'never') return null;
  if (choice !== 'date') return lastInstantOf(new Date(now.getTime() + Number(choice) * DAY_MS));
  return day === null ? null : lastInstantOf(new Date(day + AROUND_NOON));
}

const lastInstantOf = (instant: Date) => new Date(nextDayStart(instant).getTime() - 1);

const BRAZILIAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * A day as somebody types it, `31/1/2027` or `2027-01-31`, as the latter; null for what is none.
 */
export function readDay(text: string): string | null {
  const iso = ISO.exec(text.trim());
  const [, day, month, year] = iso ? ['', iso[3], iso[2], iso[1]] : (BRAZILIAN.exec(text.trim()) ?? []);
  if (!day || !month || !year) return null;
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(written + AROUND_NOON);
  // The 31st of February is read as a day of March.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(written) ? written : null;
}

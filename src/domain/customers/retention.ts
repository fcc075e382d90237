import { dateInSaoPaulo } from '../values/business-day.ts';

/**
 * How long a person's data in a payment are kept before they may be erased at the person's request:
 * docs/adr/0058-customers-and-their-data.md has the law, and what of it is uncertain.
 */

/**
 * Ten years, which Circular BCB 3.978/2020, art. 67, asks of institutions that the central bank
 * authorises: the longest of the periods that may apply.
 */
export const RETENTION_YEARS_DEFAULT = 10;

/**
 * Five years, which Lei 9.613/1998, art. 10, § 2º, and the CTN, arts. 173, 174 and 195, ask of
 * those that it does not: no installation may keep less.
 */
export const RETENTION_YEARS_MIN = 5;

/** Far above every legal period that may apply. */
export const RETENTION_YEARS_MAX = 30;

/**
 * Returns the first day, as `2037-01-01`, on which a transaction may be erased whose money last
 * moved in this year: the retention counts from the first day of the next year (CTN, art. 173, I).
 * Years and days are those of São Paulo. `null`: no money has moved, and nothing has to be kept.
 */
export const erasableFrom = (lastYear: number | null, retentionYears: number): string | null =>
  lastYear === null ? null : `${lastYear + 1 + retentionYears}-01-01`;

/** Returns whether erasableFrom's day has come; always true for `null`. */
export const isErasable = (from: string | null, now: Date): boolean => from === null || from <= dateInSaoPaulo(now);

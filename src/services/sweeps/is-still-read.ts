import type { LastSweep } from '#db/sweeps/sweeps.ts';

/** A provider that was read in this time answers to credentials that are no longer in use. */
export const ANSWERS_WITHIN_MS = 24 * 60 * 60_000;

/**
 * Whether the lists of a rail are still to be read: its credentials are in use, or its provider
 * still answers to them. Otherwise nobody can make them be read, so no alarm reports them as late.
 */
export const isStillRead = ({ at, isInUse }: LastSweep, now: Date): boolean =>
  isInUse || now.getTime() - at.getTime() < ANSWERS_WITHIN_MS;

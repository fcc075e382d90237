import { isFailedAttempt } from './is-failed-attempt.ts';

const ACCEPTED = `FROM attempts a WHERE a.delivery_id = d.id AND NOT ${isFailedAttempt('a')}`;
const ACCEPTED_AT = `(SELECT max(a.started_at + make_interval(secs => a.duration_ms / 1000.0)) ${ACCEPTED})`;

/**
 * SQL that sets what becomes of delivery d which its endpoint does not take any more: one that was
 * accepted before it was sent again is what it was, and another one is held.
 */
export const HELD_OR_ACCEPTED = `status = CASE WHEN EXISTS (SELECT ${ACCEPTED}) THEN 'delivered' ELSE 'held' END::delivery_status,
          finished_at = ${ACCEPTED_AT}`;

/** The same where the endpoint was removed for good: another one is given up, at `now`. */
export const failedOrAccepted = (now: string): string =>
  `status = CASE WHEN EXISTS (SELECT ${ACCEPTED}) THEN 'delivered' ELSE 'failed' END::delivery_status,
          finished_at = coalesce(${ACCEPTED_AT}, ${now})`;

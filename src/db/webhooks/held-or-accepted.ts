import { isFailedAttempt } from './is-failed-attempt.ts';

const ACCEPTED = `FROM attempts a WHERE a.delivery_id = d.id AND NOT ${isFailedAttempt('a')}`;

/**
 * SQL that sets what becomes of delivery d which its endpoint does not take any more: one that was
 * accepted before it was sent again is what it was, and another one is held.
 */
export const HELD_OR_ACCEPTED = `status = CASE WHEN EXISTS (SELECT ${ACCEPTED}) THEN 'delivered' ELSE 'held' END::delivery_status,
          finished_at = (SELECT max(a.started_at + make_interval(secs => a.duration_ms / 1000.0)) ${ACCEPTED})`;

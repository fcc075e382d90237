import type { DeliveryStatus } from '#domain/webhooks/events.ts';
import { isFailedAttempt } from './is-failed-attempt.ts';

const ACCEPTED = `FROM attempts a WHERE a.delivery_id = d.id AND NOT ${isFailedAttempt('a')}`;
const ACCEPTED_AT = `(SELECT max(a.started_at + make_interval(secs => a.duration_ms / 1000.0)) ${ACCEPTED})`;

/** What was accepted before it was sent again is that again; the rest gets `status`, and `at`. */
const orAccepted = (status: DeliveryStatus, at: string): string =>
  `status = CASE WHEN EXISTS (SELECT ${ACCEPTED}) THEN 'delivered' ELSE '${status}' END::delivery_status,
          finished_at = coalesce(${ACCEPTED_AT}, ${at})`;

/**
 * SQL that sets what becomes of delivery d which its endpoint does not take any more: it is held,
 * unless it was accepted before it was sent again.
 */
export const HELD_OR_ACCEPTED = orAccepted('held', 'NULL');

/** The same where the endpoint was removed for good: it is given up, at `now`. */
export const failedOrAccepted = (now: string): string => orAccepted('failed', now);

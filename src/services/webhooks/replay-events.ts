import { withAudit } from '#db/audit/with-audit.ts';
import type { Task } from '#db/tasks/tasks.ts';
import { askReplay, endReplay, isOfEndpoint, putBackReplayed, takeOldestReplayed } from '#db/webhooks/replays.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import type { DeliveryStatus } from '#domain/webhooks/events.ts';
import type { Acting } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { requireApiEndpoint } from './manage-api-endpoints.ts';
import { RESENDABLE_DAYS, resendableSince } from './resend-webhooks.ts';
import { sendInOrder } from './send-in-order.ts';

/** Events that one call searches, so that its statement is short. */
const SCAN_MAX = 5_000;

export type Replay = {
  since: Date;
  /** Null: up to now. */
  until: Date | null;
  types: readonly string[];
  statuses: readonly Exclude<DeliveryStatus, 'pending'>[];
  /** Only to this endpoint, which has no topic; null: wherever they go. */
  endpointId: string | null;
  /** The `nextCursor` of the call before; null: from the oldest on. */
  afterEventId: string | null;
};

/**
 * Sends an account's events of a period again, with the same `webhook-id` and bytes, one after the
 * other, the oldest first. Deliveries that are pending or go to a disabled endpoint are left out.
 * An endpoint without a topic also gets the events that it missed while it was disabled or did not
 * exist; they count as held. A delivery that is already to be sent again is sent once. Returns how
 * many deliveries there are among the next SCAN_MAX events, and the cursor for those after them.
 * Throws DomainError `invalid_input` for a period that began too long ago, or that ends before it
 * begins, and `endpoint_not_found`.
 */
export async function replayEvents(
  deps: Deps,
  acting: Acting,
  replay: Replay,
): Promise<{ count: number; nextCursor: string | null }> {
  const now = deps.clock();
  const { since, until, types, statuses, endpointId, afterEventId } = replay;
  if (since < resendableSince(now)) throw invalidField(fieldIssue('since', 'too_long_ago', { days: RESENDABLE_DAYS }));
  if (until !== null && until <= since) throw invalidField(fieldIssue('until', 'not_after', { field: 'since' }));
  const { accountId } = acting;
  if (endpointId !== null) await requireApiEndpoint(deps, accountId, endpointId);
  const wish = { accountId, since, until: until ?? now, types, statuses, endpointId, afterEventId };
  const { count, scanned, last } = await withAudit(
    deps.db.pool,
    (client) => askReplay(client, { ...wish, scan: SCAN_MAX, now }),
    ({ count }) => (count > 0 ? actorEntry(deps, acting, 'webhooks.replayed', auditOf(wish, count)) : null),
  );
  if (count > 0) deps.wakeWorkers();
  return { count, nextCursor: scanned === SCAN_MAX ? last : null };
}

const auditOf = (
  { since, until, types, statuses, endpointId }: Omit<Replay, 'until' | 'afterEventId'> & { until: Date },
  count: number,
) => ({
  since: since.toISOString(),
  until: until.toISOString(),
  types: types.join(' '),
  statuses: statuses.join(' '),
  ...(endpointId !== null && { endpoint_id: endpointId }),
  count,
});

/**
 * Sends the marked deliveries of an endpoint, or those to the own URLs of an account's
 * transactions. The first one that an endpoint does not accept ends the replay, and so does an
 * endpoint that is disabled. With own URLs it goes on, because the receivers differ.
 */
export async function sendReplayed(deps: Deps, task: Task): Promise<'done' | { dueAt: Date; attempts: 'keep' }> {
  const { pool } = deps.db;
  const result = await sendInOrder(deps, {
    takeOldest: (leaseUntil) => takeOldestReplayed(pool, task.subjectId, leaseUntil),
    putBack: (delivery) => putBackReplayed(pool, delivery, task.subjectId),
    goesOn: !(await isOfEndpoint(pool, task.subjectId)),
  });
  if (typeof result === 'object') return result;
  await endReplay(pool, task.subjectId, { onlyLeftOut: result === 'ended' });
  return 'done';
}

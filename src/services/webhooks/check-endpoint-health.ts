import type { Task } from '#db/tasks/tasks.ts';
import { findEndpointHealth, scheduleHealthCheck } from '#db/webhooks/endpoint-health.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/**
 * Members are notified when no event was delivered for an hour: by then a restart or a deployment
 * of the receiver is over.
 */
const FAILING_AFTER_MS = 3_600_000;
/**
 * The checks that notify members, of whom each is notified once: a worker may have died in the
 * first one before it did.
 */
const NOTIFYING_CHECKS = 3;
/** The worker may be late between two checks: what was delivered in between still counts. */
const LATE_MS = 60_000;
/** Far above what it takes to disable an endpoint after its 410. */
const CHECK_AFTER_MS = 5_000;
/** The next try of a check that failed, e.g. because the database did not answer. */
const RETRY_MS = 30_000;

type HealthDeps = Pick<Deps, 'db' | 'clock'>;

/** Schedules a check in an hour; called after an attempt that failed. */
export const scheduleFailingCheck = (deps: HealthDeps, endpointId: string): Promise<void> =>
  scheduleCheck(deps, { id: endpointId, url: null }, FAILING_AFTER_MS);

/**
 * Schedules a check in five seconds; called before a 410 of this URL disables an endpoint, so that
 * a crash in between does not lose the notification.
 */
export const scheduleGoneCheck = (deps: HealthDeps, endpoint: { id: string; url: string }): Promise<void> =>
  scheduleCheck(deps, endpoint, CHECK_AFTER_MS);

const scheduleCheck = (
  { db, clock }: HealthDeps,
  endpoint: { id: string; url: string | null },
  afterMs: number,
): Promise<void> => scheduleHealthCheck(db.pool, { ...endpoint, dueAt: new Date(clock().getTime() + afterMs) });

/**
 * Checks an endpoint that failed, and notifies its merchant's members once. The task stays until
 * events are delivered again.
 */
export async function checkEndpointHealth(
  deps: Deps,
  task: Task,
): Promise<'done' | { dueAt: Date; attempts: 'count' | 'keep' }> {
  const now = deps.clock().getTime();
  const { attempts } = task;
  try {
    const since = new Date(now - FAILING_AFTER_MS - (attempts > 1 ? LATE_MS : 0));
    const endpoint = await findEndpointHealth(deps.db.pool, task.subjectId, since);
    // Without an address: the merchant removed it.
    if (!endpoint || endpoint.url === '') return 'done';
    const { merchantId, accountId, url, disabledAt, disabledByMerchant, failingId } = endpoint;
    if (disabledByMerchant || (!disabledAt && failingId === null)) return 'done';
    if (disabledAt || attempts <= NOTIFYING_CHECKS) {
      await notifyMembers(deps, {
        kind: disabledAt ? 'webhook_disabled' : 'webhook_failing',
        ...{ merchantId, accountId, subjectId: task.subjectId },
        // What waits longest stays the same in these checks.
        occasion: disabledAt?.toISOString() ?? failingId ?? '',
        // Not the path: some receivers keep a secret in it.
        params: { host: new URL(url).host },
      });
    }
    return disabledAt ? 'done' : { dueAt: new Date(now + FAILING_AFTER_MS), attempts: 'count' };
  } catch (error) {
    deps.log.warn({ err: error, endpointId: task.subjectId }, 'Could not check a failing webhook; trying again.');
    return { dueAt: new Date(now + RETRY_MS), attempts: 'keep' };
  }
}

import type { Task } from '#db/tasks/tasks.ts';
import { findEndpointHealth, scheduleHealthCheck } from '#db/webhooks/endpoint-health.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/**
 * After an hour without one event that got through its members are notified; restarts and
 * deployments are over by then.
 */
const FAILING_AFTER_MS = 3_600_000;
/** The worker may be late between two checks: what was delivered in between still counts. */
const LATE_MS = 60_000;
/** Far above what it takes to disable an endpoint after its 410. */
const CHECK_AFTER_MS = 5_000;
/** The database or the mail's table did not answer. */
const RETRY_MS = 30_000;

type HealthDeps = Pick<Deps, 'db' | 'clock'>;

/** To be called after an attempt that failed. */
export const scheduleFailingCheck = (deps: HealthDeps, endpointId: string): Promise<void> =>
  scheduleHealthCheck(deps.db.pool, endpointId, new Date(deps.clock().getTime() + FAILING_AFTER_MS));

/**
 * To be called before an endpoint is disabled because it said so: then no crash in between swallows
 * the message.
 */
export const scheduleGoneCheck = (deps: HealthDeps, endpointId: string): Promise<void> =>
  scheduleHealthCheck(deps.db.pool, endpointId, new Date(deps.clock().getTime() + CHECK_AFTER_MS));

/**
 * Checks an endpoint that failed, and notifies its merchant's members once: the task stays until
 * events are delivered again, and its attempts say whether they were notified.
 */
export async function checkEndpointHealth(
  deps: Deps,
  task: Task,
): Promise<'done' | { dueAt: Date; countAttempt: boolean }> {
  const now = deps.clock().getTime();
  const isNotified = task.attempts > 1;
  try {
    const since = new Date(now - FAILING_AFTER_MS - (isNotified ? LATE_MS : 0));
    const endpoint = await findEndpointHealth(deps.db.pool, task.subjectId, since);
    // Without an address: the merchant removed it.
    if (!endpoint || endpoint.url === '') return 'done';
    const { merchantId, accountId, url, disabledAt, disabledByMerchant, failing } = endpoint;
    if (disabledByMerchant || (!disabledAt && !failing)) return 'done';
    if (disabledAt || !isNotified) {
      await notifyMembers(deps, {
        kind: disabledAt ? 'webhook_disabled' : 'webhook_failing',
        ...{ merchantId, accountId, subjectId: task.subjectId },
        occasion: (disabledAt ?? new Date(now)).toISOString(),
        // Not the path: some receivers keep a secret in it.
        params: { host: new URL(url).host },
      });
    }
    return disabledAt ? 'done' : { dueAt: new Date(now + FAILING_AFTER_MS), countAttempt: true };
  } catch (error) {
    deps.log.warn({ err: error, endpointId: task.subjectId }, 'Could not check a failing webhook; trying again.');
    return { dueAt: new Date(now + RETRY_MS), countAttempt: false };
  }
}

import type { Task } from '#db/tasks/tasks.ts';
import { findEndpointHealth, noteFailing, noteWorking, scheduleHealthCheck } from '#db/webhooks/endpoint-health.ts';
import { disableFailingEndpoint } from '#db/webhooks/endpoints.ts';
import { type DisabledReason, disabledReason } from '#domain/webhooks/disabled-reason.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/**
 * Members are notified when no event was delivered for an hour: by then a restart or a deployment
 * of the receiver is over.
 */
const FAILING_AFTER_MS = 3_600_000;
/**
 * An endpoint to which nothing got through for so long is disabled, as Standard Webhooks advises:
 * longer than a weekend, and than the three days after which the first event was given up.
 */
const DISABLED_AFTER_MS = 5 * 24 * 3_600_000;
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
 * Checks an endpoint that failed, and notifies its merchant's members once. After five days it is
 * disabled, of which they are notified too. The task stays until then, or until events are
 * delivered again.
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
    if (endpoint.disabledByMerchant) return 'done';
    const { merchantId, accountId, failingId } = endpoint;
    // Not the path: some receivers keep a secret in it.
    const about = { merchantId, accountId, subjectId: task.subjectId, host: new URL(endpoint.url).host };
    if (endpoint.disabledAt) {
      await notifyOfDisabled(deps, about, endpoint.disabledAt, disabledReason(endpoint));
      return 'done';
    }
    if (failingId === null) {
      await noteWorking(deps.db.pool, task.subjectId);
      return 'done';
    }
    await noteFailing(deps.db.pool, { id: task.subjectId, since });
    const failing = { id: task.subjectId, forMs: DISABLED_AFTER_MS, now: deps.clock() };
    const disabledAt = await disableFailingEndpoint(deps.db.pool, failing);
    if (disabledAt) {
      await notifyOfDisabled(deps, about, disabledAt, 'failing');
      return 'done';
    }
    if (attempts <= NOTIFYING_CHECKS) {
      const { host, ...whom } = about;
      // What waits longest stays the same in these checks.
      await notifyMembers(deps, { kind: 'webhook_failing', ...whom, occasion: failingId, params: { host } });
    }
    return { dueAt: new Date(now + FAILING_AFTER_MS), attempts: 'count' };
  } catch (error) {
    deps.log.warn({ err: error, endpointId: task.subjectId }, 'Could not check a failing webhook; trying again.');
    return { dueAt: new Date(now + RETRY_MS), attempts: 'keep' };
  }
}

/** Once for each time that it was disabled, however often this runs. */
const notifyOfDisabled = (
  deps: Deps,
  { host, ...whom }: { merchantId: string; accountId: string; subjectId: string; host: string },
  disabledAt: Date,
  reason: DisabledReason | null,
): Promise<void> =>
  notifyMembers(deps, {
    kind: 'webhook_disabled',
    ...whom,
    occasion: disabledAt.toISOString(),
    params: { host, reason: reason === 'failing' ? 'failing' : 'gone' },
  });

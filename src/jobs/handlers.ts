import { deliverWebhook } from '#services/deliver-webhook.ts';
import { processCallback } from '#services/process-callback.ts';
import { watchCharge } from '#services/watch-charge.ts';
import type { TaskHandlers } from './worker.ts';

/** What each kind of task means. */
export const TASK_HANDLERS: TaskHandlers = {
  async process_callback(deps, task) {
    await processCallback(deps, task.subjectId);
    return 'done';
  },
  async watch_charge(deps, task) {
    const next = await watchCharge(deps, task.subjectId);
    return next ? { dueAt: next } : 'done';
  },
  deliver_webhook: (deps, task) => deliverWebhook(deps, task),
};

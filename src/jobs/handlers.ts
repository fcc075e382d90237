import { deliverWebhook } from '#services/deliver-webhook.ts';
import { runInvitation } from '#services/invite-member.ts';
import { processCallback } from '#services/process-callback.ts';
import { runPayout } from '#services/run-payout.ts';
import { runRefund } from '#services/run-refund.ts';
import { sendHeld } from '#services/send-held-webhooks.ts';
import { runMail } from '#services/send-mail.ts';
import { runSignUp } from '#services/sign-up.ts';
import { tellVerification } from '#services/tell-verification.ts';
import { tellWithdrawalFailed } from '#services/tell-withdrawal-failed.ts';
import { watchCharge } from '#services/watch-charge.ts';
import { lookAtEndpoint } from '#services/watch-endpoint.ts';
import { watchInvoice } from '#services/watch-invoice.ts';
import type { TaskHandlers, TaskResult } from './worker.ts';

/** What each kind of task means. */
export const TASK_HANDLERS: TaskHandlers = {
  async process_callback(deps, task) {
    await processCallback(deps, task.subjectId);
    return 'done';
  },
  watch_charge: (deps, task) => again(watchCharge(deps, task.subjectId)),
  watch_invoice: (deps, task) => again(watchInvoice(deps, task.subjectId)),
  payout: (deps, task) => again(runPayout(deps, task.subjectId)),
  refund: (deps, task) => again(runRefund(deps, task.subjectId)),
  deliver_webhook: (deps, task) => deliverWebhook(deps, task),
  send_mail: (deps, task) => again(runMail(deps, task)),
  async sign_up(deps, task) {
    await runSignUp(deps, task.subjectId);
    return 'done';
  },
  async invite_member(deps, task) {
    await runInvitation(deps, task.subjectId);
    return 'done';
  },
  async tell_verification(deps, task) {
    await tellVerification(deps, task.subjectId);
    return 'done';
  },
  async tell_withdrawal_failed(deps, task) {
    await tellWithdrawalFailed(deps, task.subjectId);
    return 'done';
  },
  watch_endpoint: lookAtEndpoint,
  send_held: sendHeld,
};

/** Due again when there is a next time, else done. */
async function again(next: Promise<Date | null>): Promise<TaskResult> {
  const dueAt = await next;
  return dueAt ? { dueAt } : 'done';
}

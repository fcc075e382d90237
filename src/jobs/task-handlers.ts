import { applyPlannedTerms } from '#services/accounts/apply-planned-terms.ts';
import { notifyNearLimits } from '#services/accounts/notify-near-limits.ts';
import { processCallback } from '#services/callbacks/process-callback.ts';
import { syncCharge } from '#services/charges/sync-charge.ts';
import { remind } from '#services/disputes/manage-disputes.ts';
import { notifyDispute } from '#services/disputes/notify-dispute.ts';
import { sendDisputeAnswer } from '#services/disputes/send-dispute-answer.ts';
import { syncInvoice } from '#services/invoices/sync-invoice.ts';
import { notifyKycDecision } from '#services/kyc/notify-kyc-decision.ts';
import { runMail } from '#services/mail/send-mail.ts';
import { runInvitation } from '#services/members/invite-member.ts';
import { runSignUp } from '#services/members/sign-up.ts';
import { sendDigest } from '#services/notices/send-digest.ts';
import { reconcileDay } from '#services/reconciliation/reconcile-day.ts';
import { runPaymentReturn } from '#services/refunds/run-payment-return.ts';
import { runRefund } from '#services/refunds/run-refund.ts';
import { runSweep } from '#services/sweeps/sweep-payments.ts';
import { checkEndpointHealth } from '#services/webhooks/check-endpoint-health.ts';
import { deliverWebhook } from '#services/webhooks/deliver-webhook.ts';
import { endRemovedDeliveries } from '#services/webhooks/end-removed-deliveries.ts';
import { sendReplayed } from '#services/webhooks/replay-events.ts';
import { sendHeld } from '#services/webhooks/send-held-webhooks.ts';
import { expireApproval } from '#services/withdrawals/fail-waiting.ts';
import { notifyApproval } from '#services/withdrawals/notify-approval.ts';
import { notifyBatch } from '#services/withdrawals/notify-batch.ts';
import { notifyWithdrawalFailed } from '#services/withdrawals/notify-withdrawal-failed.ts';
import { runPayout } from '#services/withdrawals/run-payout.ts';
import { runPayoutBatch } from '#services/withdrawals/run-payout-batch.ts';
import { runScheduledPayout } from '#services/withdrawals/run-scheduled-payout.ts';
import type { TaskHandlers, TaskResult } from './run-task.ts';

/** The handler of each kind of task. */
export const TASK_HANDLERS: TaskHandlers = {
  process_callback: (deps, task) => processCallback(deps, task),
  sync_charge: (deps, task) => again(syncCharge(deps, task.subjectId)),
  sync_invoice: (deps, task) => again(syncInvoice(deps, task.subjectId)),
  payout: (deps, task) => again(runPayout(deps, task.subjectId)),
  refund: (deps, task) => again(runRefund(deps, task.subjectId)),
  dispute_reminder: remind,
  send_dispute_answer: (deps, task) => once(sendDisputeAnswer(deps, task.subjectId)),
  return_payment: (deps, task) => again(runPaymentReturn(deps, task.subjectId)),
  async sweep(deps, task) {
    const dueAt = await runSweep(deps, task.subjectId, task.attempts);
    return dueAt ? { dueAt, attempts: 'reset' } : 'done';
  },
  async reconcile_day(deps, task) {
    const dueAt = await reconcileDay(deps, task.subjectId);
    return dueAt ? { dueAt, attempts: 'reset' } : 'done';
  },
  deliver_webhook: (deps, task) => deliverWebhook(deps, task),
  async send_mail(deps, task) {
    // It was not accepted: the attempts say when the next one is.
    const dueAt = await runMail(deps, task);
    return dueAt ? { dueAt, attempts: 'count' } : 'done';
  },
  sign_up: (deps, task) => once(runSignUp(deps, task.subjectId)),
  invite_member: (deps, task) => once(runInvitation(deps, task.subjectId)),
  notify_kyc_decision: (deps, task) => once(notifyKycDecision(deps, task.subjectId)),
  notify_withdrawal_failed: (deps, task) => once(notifyWithdrawalFailed(deps, task.subjectId)),
  notify_approval: (deps, task) => once(notifyApproval(deps, task.subjectId)),
  expire_approval: (deps, task) => again(expireApproval(deps, task.subjectId)),
  notify_dispute: (deps, task) => once(notifyDispute(deps, task.subjectId)),
  apply_terms: (deps, task) => once(applyPlannedTerms(deps, task.subjectId)),
  async scheduled_payout(deps, task) {
    const dueAt = await runScheduledPayout(deps, task.subjectId);
    return dueAt ? { dueAt, attempts: 'reset' } : 'done';
  },
  async payout_batch(deps, task) {
    const dueAt = await runPayoutBatch(deps, task.subjectId);
    return dueAt ? { dueAt, attempts: 'reset' } : 'done';
  },
  notify_batch: (deps, task) => once(notifyBatch(deps, task.subjectId)),
  check_limits: (deps, task) => once(notifyNearLimits(deps, task.subjectId)),
  async notice_digest(deps, task) {
    const dueAt = await sendDigest(deps, task.subjectId);
    return dueAt ? { dueAt, attempts: 'reset' } : 'done';
  },
  check_endpoint_health: checkEndpointHealth,
  send_held: sendHeld,
  send_replayed: sendReplayed,
  end_deliveries: endRemovedDeliveries,
};

/** Due again when there is a next time, else done. */
async function again(next: Promise<Date | null>): Promise<TaskResult> {
  const dueAt = await next;
  return dueAt ? { dueAt, attempts: 'reset' } : 'done';
}

/** Done after one run that did not throw. */
async function once(run: Promise<unknown>): Promise<TaskResult> {
  await run;
  return 'done';
}

import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { scheduleTask } from '#db/tasks/tasks.ts';
import { findWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { toBrl } from '#domain/values/money.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/**
 * Far above the time to record a failure: by then either it is recorded and the message is sent, or
 * the withdrawal has not failed.
 */
const CHECK_AFTER_MS = 5_000;

/**
 * Called before a withdrawal is recorded as failed, so that no crash in between loses the message:
 * the next attempt finds the failure again and writes the same task. Test accounts get no message.
 */
export async function planWithdrawalFailedMail(
  deps: Pick<Deps, 'db' | 'clock'>,
  { id, livemode }: { id: string; livemode: boolean },
): Promise<void> {
  if (!livemode) return;
  const dueAt = new Date(deps.clock().getTime() + CHECK_AFTER_MS);
  await scheduleTask(deps.db.pool, { kind: 'notify_withdrawal_failed', subjectId: id, dueAt });
}

/** Notifies a merchant's members that a withdrawal failed, if it did. */
export async function notifyWithdrawalFailed(deps: Deps, id: string): Promise<void> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  if (withdrawal?.status !== 'failed') return;
  const terms = await findAccountTerms(deps.db.pool, withdrawal.accountId, deps.clock());
  if (!terms) return;
  await notifyMembers(deps, {
    kind: 'withdrawal_failed',
    merchantId: terms.merchantId,
    accountId: withdrawal.accountId,
    subjectId: id,
    params: { reais: toBrl(withdrawal.amountCentavos) },
  });
}

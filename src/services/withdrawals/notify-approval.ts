import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { findApproval } from '#db/withdrawals/approvals.ts';
import { findWithdrawal } from '#db/withdrawals/withdrawals.ts';
import type { Role } from '#domain/members/roles.ts';
import { toBrl } from '#domain/values/money.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/** Who may decide about withdrawals; a test compares it with the table of what roles may call. */
export const APPROVERS: readonly Role[] = ['owner', 'finance'];

/**
 * Notifies the members who may approve a withdrawal that it waits for one of them, except the one
 * who requested it. The task is written with the withdrawal. Test accounts get none: their money is
 * not real.
 */
export async function notifyApproval(deps: Deps, id: string): Promise<void> {
  const withdrawal = await findWithdrawal(deps.db.pool, id);
  const approval = await findApproval(deps.db.pool, id);
  if (!approval || withdrawal?.subStatus !== 'pending_approval' || !withdrawal.livemode) return;
  const terms = await findAccountTerms(deps.db.pool, withdrawal.accountId, deps.clock());
  if (!terms) return;
  const reais = toBrl(withdrawal.amountCentavos);
  await notifyMembers(deps, {
    kind: 'withdrawal_waits',
    merchantId: terms.merchantId,
    accountId: withdrawal.accountId,
    subjectId: id,
    params: { reais, by: approval.askedBy ?? '', decideBy: approval.expiresAt },
    isFor: (member) => APPROVERS.includes(member.role) && !approval.askerIds.includes(member.id),
  });
}

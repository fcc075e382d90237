import { sealContext } from '#db/encryption/sealed-columns.ts';
import { type ApprovalRow, findApproval } from '#db/withdrawals/approvals.ts';
import type { Deps } from '../deps.ts';

export type Approval = Omit<ApprovalRow, 'askerIds' | 'assistantId'> & {
  /** An assistant requested it: any member whose role sends money may confirm it. */
  isOfAssistant: boolean;
  /** This member counts as having requested it, and can't approve it. */
  isOwn: boolean;
};

/**
 * Returns who requested a withdrawal that needs a second person's approval, and the decision; null
 * when it needs none. The caller has checked the account.
 */
export async function getApproval(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  memberId: string,
  transactionId: string,
): Promise<Approval | null> {
  const found = await findApproval(deps.db.pool, transactionId);
  if (!found) return null;
  const { askerIds, assistantId, reason, ...row } = found;
  const context = sealContext('withdrawal_approvals.reason', { transaction_id: transactionId });
  return {
    ...row,
    isOfAssistant: assistantId !== null,
    isOwn: askerIds.includes(memberId),
    reason: reason && deps.secretBox.open(reason, context),
  };
}

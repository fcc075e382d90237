import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { findBatch } from '#db/withdrawals/payout-batches.ts';
import { toBrl } from '#domain/values/money.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';
import { APPROVERS } from './notify-approval.ts';

/**
 * Notifies the members who may approve a batch that it waits for one of them, except the one who
 * made it. The task is written with the batch. Test accounts get none: their money is not real.
 */
export async function notifyBatch(deps: Deps, id: string): Promise<void> {
  const batch = await findBatch(deps.db.pool, id);
  if (batch?.status !== 'pending_approval' || batch.decideUntil === null) return;
  const terms = await findAccountTerms(deps.db.pool, batch.accountId, deps.clock());
  if (terms?.mode !== 'live') return;
  await notifyMembers(deps, {
    kind: 'batch_waits',
    merchantId: terms.merchantId,
    accountId: batch.accountId,
    subjectId: id,
    params: {
      ...{ reais: toBrl(batch.centavos), rows: String(batch.rows) },
      ...{ by: batch.madeBy ?? '', decideBy: batch.decideUntil },
    },
    isFor: (member) => APPROVERS.includes(member.role) && member.id !== batch.madeById,
  });
}

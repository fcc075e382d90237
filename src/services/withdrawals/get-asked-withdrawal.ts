import { findFirstKeyId } from '#db/api-keys/api-keys.ts';
import { findApproval } from '#db/withdrawals/approvals.ts';
import { findWithdrawal } from '#db/withdrawals/withdrawals.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { type AskedState, askedState } from '#domain/withdrawals/asked-withdrawal.ts';
import type { Principal } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';

export type AskedWithdrawal = {
  id: string;
  state: AskedState;
  amountCentavos: bigint;
  feeCentavos: bigint;
  /** Where a member confirms it, and until when; null when it does not wait for a member. */
  confirm: { url: string; until: Date } | null;
  failureCode: string | null;
  createdAt: Date;
  paidAt: Date | null;
};

/**
 * A withdrawal that this assistant requested, also with a key that was rotated since. Errors:
 * transaction_not_found (also for a withdrawal that others requested).
 */
export async function getAskedWithdrawal(deps: Deps, principal: Principal, id: string): Promise<AskedWithdrawal> {
  const { accountId, actor, mode } = principal;
  const withdrawal = isUuid(id) ? await findWithdrawal(deps.db.pool, id) : null;
  const approval = withdrawal?.accountId === accountId ? await findApproval(deps.db.pool, withdrawal.id) : null;
  const assistantId = actor.kind === 'key' ? await findFirstKeyId(deps.db, actor.keyId) : null;
  if (!withdrawal || !approval || assistantId === null || approval.assistantId !== assistantId) {
    throw new DomainError('transaction_not_found');
  }
  const { amountCentavos, feeCentavos, failureCode, createdAt, paidAt } = withdrawal;
  const state = askedState(withdrawal);
  const url = `${deps.settings.publicUrl}/${mode}/transacoes/${withdrawal.id}`;
  return {
    ...{ id: withdrawal.id, state, amountCentavos, feeCentavos, failureCode, createdAt, paidAt },
    confirm: state === 'waiting_for_confirmation' ? { url, until: approval.expiresAt } : null,
  };
}

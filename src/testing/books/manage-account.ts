import { addMemberOf } from '#db/testing/add-member.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { setAccount } from '#services/accounts/set-account.ts';
import { resumeAccount, suspendAccount } from '#services/accounts/suspend-account.ts';
import { panelCaller } from '../panel-caller.ts';
import type { PspUnderTest } from '../psp-under-test.ts';
import type { ManagedStep } from './steps.ts';

/**
 * Does what a member or an operator does with an account; `payoutId` is the withdrawal that an
 * approval is about. Returns whether the service has taken it.
 */
export async function manageAccount(
  psp: PspUnderTest,
  { accountId, payoutId }: { accountId: string; payoutId: string | undefined },
  step: ManagedStep,
): Promise<boolean> {
  const { deps } = psp.service();
  const asOperator = { ...deps, operator: 'ana' };
  if (step.do === 'threshold') {
    await psp.pool.query(
      `INSERT INTO withdrawal_thresholds (account_id, kind, centavos) VALUES ($1, 'approval', $2)
       ON CONFLICT (account_id, kind) DO UPDATE SET centavos = excluded.centavos`,
      [accountId, step.centavos],
    );
    return true;
  }
  if (step.do === 'suspension') {
    const changed = step.on
      ? suspendAccount(asOperator, { accountId, reason: 'as agreed' })
      : resumeAccount(asOperator, accountId);
    return (await changed) ?? false;
  }
  if (step.do === 'fees') {
    const fee = { bps: 100, fixedCentavos: step.fixedCentavos };
    const fees = (['pix_in', 'pix_out', 'crypto_in', 'crypto_out'] as const).map((type) => ({ type, fee }));
    const unchanged = { merchant: {}, account: {}, limits: [], rails: [], webhookUrl: undefined, credentials: [] };
    return setAccount(asOperator, { ...unchanged, accountId, fees });
  }
  if (!payoutId) return false;
  const { approvals } = await panelCaller(deps, accountId, { memberId: await addMemberOf(psp.pool, accountId) });
  return isTaken(
    step.decision === 'approve'
      ? approvals.approve({ transaction_id: payoutId })
      : approvals.decline({ transaction_id: payoutId, reason: 'not agreed' }),
  );
}

/** False where the service rejects it: it waits no more, or the account is suspended. */
async function isTaken(decided: Promise<unknown>): Promise<boolean> {
  try {
    await decided;
    return true;
  } catch (error) {
    if ((error as Error).cause instanceof DomainError) return false;
    throw error;
  }
}

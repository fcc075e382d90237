import type { DisputeReason } from '#domain/disputes/dispute-states.ts';
import { enterDispute } from '#services/disputes/manage-disputes.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import type { TestService } from './test-service.ts';
import { transactionIdOf } from './transaction-id-of.ts';

/** Makes a paid charge that its payer contests. Returns its id, and the id of the case. */
export async function disputedCharge(
  trilho: TestService,
  apiKey: string,
  amount: number,
  { answerBy = null, ...fields }: { answerBy?: Date | null; [field: string]: unknown } = {},
): Promise<{ chargeId: string; disputeId: string }> {
  const created = await trilho.post('/payments/transactions', apiKey, { amount, ...fields });
  const chargeId = transactionIdOf(created);
  await trilho.pay(chargeId);
  const reason: DisputeReason = 'fraud';
  const dispute = { chargeId, reason, centavos: null, answerBy, by: byOperator('ana') };
  await trilho.until('a case is open', async () => {
    const outcome = await enterDispute(trilho.deps, dispute);
    return outcome === 'opened' ? true : null;
  });
  const { rows } = await trilho.deps.db.pool.query<{ id: string }>(
    'SELECT id FROM disputes WHERE transaction_id = $1',
    [chargeId],
  );
  return { chargeId, disputeId: rows[0]?.id ?? '' };
}

import type { Deps } from '../deps.ts';
import { getTransactionDetail, type TransactionDetail } from '../transactions/get-transaction-detail.ts';
import { getDispute, type OwnDispute } from './get-dispute.ts';

export type DisputeCase = { dispute: OwnDispute; isAnswerable: boolean; payment: TransactionDetail };

/** A case of this account with its payment. Errors: dispute_not_found. */
export async function getDisputeCase(deps: Deps, accountId: string, id: string): Promise<DisputeCase> {
  const dispute = await getDispute(deps, accountId, id);
  const payment = await getTransactionDetail(deps, accountId, dispute.transactionId);
  return { dispute, isAnswerable: dispute.state === 'open' && deps.clock() <= dispute.answerBy, payment };
}

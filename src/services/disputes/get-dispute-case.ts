import type { DisputeFileRow } from '#db/disputes/dispute-files.ts';
import type { Deps } from '../deps.ts';
import { getTransactionDetail, type TransactionDetail } from '../transactions/get-transaction-detail.ts';
import { getDispute, type OwnDispute } from './get-dispute.ts';
import { listReadableFiles } from './manage-dispute-files.ts';

export type DisputeCase = {
  dispute: OwnDispute;
  files: DisputeFileRow[];
  isAnswerable: boolean;
  payment: TransactionDetail;
};

/** A case of this account with its evidence and its payment. Errors: dispute_not_found. */
export async function getDisputeCase(deps: Deps, accountId: string, id: string): Promise<DisputeCase> {
  const dispute = await getDispute(deps, accountId, id);
  const [files, payment] = await Promise.all([
    listReadableFiles(deps, dispute.id),
    getTransactionDetail(deps, accountId, dispute.transactionId),
  ]);
  return { dispute, files, isAnswerable: dispute.state === 'open' && deps.clock() <= dispute.answerBy, payment };
}

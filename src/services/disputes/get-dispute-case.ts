import type { DisputeFileRow } from '#db/disputes/dispute-files.ts';
import { type EntrySeal, findEntrySeal } from '#db/ledger/find-entry-seal.ts';
import type { Deps } from '../deps.ts';
import { getTransactionDetail, type TransactionDetail } from '../transactions/get-transaction-detail.ts';
import { getDispute, type OwnDispute } from './get-dispute.ts';
import { listReadableFiles } from './manage-dispute-files.ts';

export type DisputeCase = {
  dispute: OwnDispute;
  files: DisputeFileRow[];
  /** Null while the day of the payment's entry is not closed. */
  proof: EntrySeal | null;
  isAnswerable: boolean;
  payment: TransactionDetail;
};

/** A case of this account with its evidence and its payment. Errors: dispute_not_found. */
export async function getDisputeCase(deps: Deps, accountId: string, id: string): Promise<DisputeCase> {
  const dispute = await getDispute(deps, accountId, id);
  const [files, payment, proof] = await Promise.all([
    listReadableFiles(deps, dispute.id),
    getTransactionDetail(deps, accountId, dispute.transactionId),
    findEntrySeal(deps.db.pool, accountId, dispute.transactionId),
  ]);
  const isAnswerable = dispute.state === 'open' && deps.clock() <= dispute.answerBy;
  return { dispute, files, proof, isAnswerable, payment };
}

import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { type AsOperator, recordOperatorAudit } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { getDispute } from './get-dispute.ts';
import { listReadableFiles, openStoredFile } from './manage-dispute-files.ts';

export type EvidenceFile = { fileName: string; mediaType: string; bytes: Buffer };

/**
 * What a merchant handed in with the answer to a case, for the operator to forward: the text of the
 * answer, then its files, one by one. The audit records it first. Errors: dispute_not_found.
 */
export async function* openEvidence(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox'> & AsOperator,
  id: string,
): AsyncGenerator<EvidenceFile> {
  const dispute = await getDispute(deps, null, id);
  const { accountId, transactionId: subject } = dispute;
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms) throw new Error(`There is no account ${accountId}.`);
  const about = { merchantId: terms.merchantId, accountId };
  await recordOperatorAudit(deps, about, 'dispute.evidence_read', { subject, dispute_id: dispute.id });
  if (dispute.answerText !== null)
    yield { fileName: 'answer', mediaType: 'text/plain', bytes: Buffer.from(dispute.answerText) };
  for (const { id: fileId } of await listReadableFiles(deps, dispute.id)) {
    const file = await openStoredFile(deps, dispute.id, fileId);
    // Until the case is answered, the merchant may take a file back meanwhile.
    if (file) yield file;
  }
}

import { findMerchantVerification, type KycDocumentRow, type KycSubmissionRow } from '#db/kyc/kyc.ts';
import type { KycForm } from '#domain/kyc/kyc-form.ts';
import { openMerchantDocument } from '../accounts/merchant-document.ts';
import type { Deps } from '../deps.ts';
import { openFileNames, openForm } from './kyc-seals.ts';

export type Verification = {
  status: 'pending' | 'approved' | 'rejected';
  /** Whether a form can be submitted: it is not approved, and no decision is awaited. */
  canSubmit: boolean;
  /** What was typed last; null before the first time. */
  form: KycForm | null;
  /** What the account was opened with. */
  merchant: { name: string; document: string; documentType: 'cpf' | 'cnpj' };
  /** Newest first. */
  submissions: KycSubmissionRow[];
  /** The documents of the newest submission. */
  submitted: KycDocumentRow[];
  /** The documents that are not submitted yet. */
  documents: KycDocumentRow[];
};

/** The state of a merchant's verification. */
export async function getVerification(deps: Pick<Deps, 'db' | 'secretBox'>, merchantId: string): Promise<Verification> {
  const found = await findMerchantVerification(deps.db, merchantId);
  if (!found) throw new Error(`There is no merchant ${merchantId}.`);
  const { submissions, submitted, documents } = found;
  const { status, ...merchant } = found.merchant;
  const [newest] = submissions;
  return {
    status,
    canSubmit: status !== 'approved' && newest?.decision !== 'submitted',
    form: newest ? openForm(deps, newest) : null,
    merchant: openMerchantDocument(deps, merchantId, merchant),
    submissions,
    submitted: openFileNames(deps, merchantId, submitted),
    documents: openFileNames(deps, merchantId, documents),
  };
}

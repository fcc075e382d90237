import { type KycDocumentRow, listDocuments } from '#db/kyc/kyc.ts';
import { decideCase, findCase, type KycCase, listCases, readDocuments } from '#db/kyc/kyc-decisions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { KycForm } from '#domain/kyc/kyc-form.ts';
import { parseEmail } from '#domain/values/contact.ts';
import { isUuid, uuidv7 } from '#domain/values/uuid.ts';
import { openMerchantDocument, sealMerchantDocument } from '../accounts/merchant-document.ts';
import { type AsOperator, operatorEntry, recordOperatorAudit } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { SHOWN_MAX } from '../shown-max.ts';
import { openDocument, openFileNames, openForm } from './kyc-seals.ts';
import { readKycDocument } from './manage-kyc-documents.ts';

/** What the operator's commands need: they also work beside a running service. */
type OperatorDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'> & AsOperator;

export type OpenCase = KycCase & { form: KycForm };

/**
 * Lists verifications that wait for a decision, oldest first, or all of them, newest first; at most
 * SHOWN_MAX.
 */
export async function listVerifications(deps: OperatorDeps, which: { waiting: boolean }): Promise<KycCase[]> {
  const cases = await listCases(deps.db, { ...which, limit: SHOWN_MAX });
  return cases.map((one) => opened(deps, one));
}

const opened = (deps: OperatorDeps, one: KycCase): KycCase => ({
  ...one,
  merchant: openMerchantDocument(deps, one.merchantId, one.merchant),
});

/**
 * Finds a verification by its id, or the newest of a merchant by the merchant's e-mail, with the
 * form opened; null when there is none.
 */
export async function findVerification(deps: OperatorDeps, idOrEmail: string): Promise<OpenCase | null> {
  const email = parseEmail(idOrEmail);
  const which = isUuid(idOrEmail) ? { id: idOrEmail } : email === null ? null : { email };
  const found = which && (await findCase(deps.db, which));
  return found && { ...opened(deps, found), form: openForm(deps, found) };
}

/**
 * Approves a verification: the merchant's document becomes the one that was verified, and a company
 * is called by its trade name, else its legal name; a person keeps the name of their shop. Every
 * process has the new status within a second. Returns false when it was decided before.
 */
export function approveVerification(deps: OperatorDeps, verification: OpenCase): Promise<boolean> {
  const { form, id, merchantId } = verification;
  const merchant =
    form.kind === 'company'
      ? { name: form.trade_name || form.legal_name, document: form.cnpj, documentType: 'cnpj' as const }
      : { document: form.cpf, documentType: 'cpf' as const };
  const document = sealMerchantDocument(deps, merchantId, merchant.document);
  return decide(deps, { id, decision: 'approved', merchant: { ...merchant, document } });
}

/**
 * Rejects a verification; the merchant reads `reason`. Returns false when it was decided before.
 */
export const rejectVerification = (deps: OperatorDeps, { id }: OpenCase, reason: string): Promise<boolean> =>
  decide(deps, { id, decision: 'rejected', reason });

type Decision = Parameters<typeof decideCase>[1] extends infer D
  ? D extends unknown
    ? Omit<D, 'now' | 'newId' | 'audit'>
    : never
  : never;

async function decide(deps: OperatorDeps, decision: Decision): Promise<boolean> {
  const now = deps.clock();
  const merchantId = await decideCase(deps.db, {
    ...decision,
    audit: (merchant) =>
      operatorEntry(deps, { merchantId: merchant, accountId: null }, `kyc.${decision.decision}`, {
        submission_id: decision.id,
        ...(decision.decision === 'rejected' && { reason: decision.reason }),
      }),
    now,
    newId: () => uuidv7(now),
  });
  return merchantId !== null;
}

/** The documents that were submitted with a verification, without their bytes. */
export const listCaseDocuments = async (
  deps: OperatorDeps,
  { id, merchantId }: Pick<OpenCase, 'id' | 'merchantId'>,
): Promise<KycDocumentRow[]> => openFileNames(deps, merchantId, await listDocuments(deps.db, merchantId, id));

/**
 * Opens a document of a verification, and records in the audit that the operator opened it. Errors
 * (DomainError): not_found.
 */
export async function openCaseDocument(
  deps: OperatorDeps,
  { verificationId, documentId }: { verificationId: string; documentId: string },
): Promise<{ fileName: string; mediaType: string; bytes: Buffer }> {
  const found = await findVerification(deps, verificationId);
  const listed = found && (await listCaseDocuments(deps, found)).some(({ id }) => id === documentId);
  if (!found || !listed) throw new DomainError('not_found');
  const about = { merchantId: found.merchantId, accountId: null };
  await recordOperatorAudit(deps, about, 'kyc.documents_read', { submission_id: found.id, document_id: documentId });
  return readKycDocument(deps, found.merchantId, documentId);
}

/**
 * Opens the documents of a verification one by one, and records in the audit that the operator did.
 */
export async function* openDocuments(
  deps: OperatorDeps,
  { id, merchantId }: OpenCase,
): AsyncGenerator<KycDocumentRow & { content: Buffer }> {
  const about = { merchantId, accountId: null };
  await recordOperatorAudit(deps, about, 'kyc.documents_read', { submission_id: id });
  for await (const { sealed, ...document } of readDocuments(deps.db, id)) {
    const [named = document] = openFileNames(deps, merchantId, [document]);
    yield { ...named, content: openDocument(deps, merchantId, { sealed }) };
  }
}

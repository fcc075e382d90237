import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { KycForm } from '#domain/kyc/kyc-form.ts';
import type { Deps } from '../deps.ts';

type SealDeps = Pick<Deps, 'secretBox'>;

/** Seals a form, bound to its submission. */
export const sealForm = ({ secretBox }: SealDeps, submissionId: string, form: KycForm): string =>
  secretBox.seal(JSON.stringify(form), sealContext('kyc_submissions.sealed', { id: submissionId }));

export const openForm = ({ secretBox }: SealDeps, submission: { id: string; sealed: string }): KycForm =>
  JSON.parse(
    secretBox.open(submission.sealed, sealContext('kyc_submissions.sealed', { id: submission.id })),
  ) as KycForm;

/** Seals a file, bound to its merchant, so that a copy in the next submission opens, too. */
export const sealDocument = ({ secretBox }: SealDeps, merchantId: string, bytes: Buffer): Buffer =>
  secretBox.sealBytes(bytes, sealContext('kyc_documents.sealed', { merchant_id: merchantId }));

export const openDocument = ({ secretBox }: SealDeps, merchantId: string, document: { sealed: Buffer }): Buffer =>
  secretBox.openBytes(document.sealed, sealContext('kyc_documents.sealed', { merchant_id: merchantId }));

/** Seals a file's name, bound to its merchant like the file. */
export const sealFileName = ({ secretBox }: SealDeps, merchantId: string, name: string): string =>
  secretBox.seal(name, sealContext('kyc_documents.file_name', { merchant_id: merchantId }));

/** Copies of documents with their sealed file names opened. */
export const openFileNames = <D extends { fileName: string }>(
  { secretBox }: SealDeps,
  merchantId: string,
  documents: readonly D[],
): D[] =>
  documents.map((document) => ({
    ...document,
    fileName: secretBox.open(document.fileName, sealContext('kyc_documents.file_name', { merchant_id: merchantId })),
  }));

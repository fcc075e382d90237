import { z } from 'zod';
import { kycDocumentOutput } from '#contract/kyc/kyc.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isKycDocumentKind } from '#domain/kyc/kyc.ts';
import type { Deps } from '#services/deps.ts';
import { addKycDocument, readKycDocument } from '#services/kyc/manage-kyc-documents.ts';
import { presentDocument } from './present-document.ts';
import type { ReadFile } from './send-uploaded-file.ts';
import type { KeepFile } from './uploads.ts';

/** Stores a document of a verification: `?kind=identity`. */
export const keepKycDocument =
  (deps: Deps): KeepFile =>
  async ({ query, member, origin }, file) => {
    const kind = query.get('kind') ?? '';
    if (!isKycDocumentKind(kind)) throw new DomainError('invalid_input', { params: { issue: 'kind' } });
    const document = await addKycDocument(deps, { member, origin }, { ...file, kind });
    return z.encode(kycDocumentOutput, presentDocument(document));
  };

/** Reads a document of the member's own merchant: `?id=…`. */
export const openKycDocument =
  (deps: Deps): ReadFile =>
  ({ query, member }) =>
    readKycDocument(deps, member.merchantId, query.get('id') ?? '');

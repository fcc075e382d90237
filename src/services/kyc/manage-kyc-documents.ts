import { deleteDocument, findDocument, insertDocument, type KycDocumentRow } from '#db/kyc/kyc.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { cleanFileName } from '#domain/files/clean-file-name.ts';
import { inspectFile } from '#domain/files/inspect-file.ts';
import { DOCUMENTS_PER_KIND_MAX, type KycDocumentKind } from '#domain/kyc/kyc.ts';
import { isUuid, uuidv7 } from '#domain/values/uuid.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { openDocument, openFileNames, sealDocument, sealFileName } from './kyc-seals.ts';

type DocumentDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'>;
type Who = { member: Member; origin: Origin };

/**
 * Stores a document for the next submission, sealed; its media type is read from its bytes, not
 * from its name. Errors: invalid_input (with the param `issue`: what is wrong with the file, or
 * too_many), invalid_state (approved, or a decision is awaited).
 */
export async function addKycDocument(
  deps: DocumentDeps,
  who: Who,
  file: { kind: KycDocumentKind; name: string; bytes: Buffer },
): Promise<KycDocumentRow> {
  const { merchantId } = who.member;
  const inspected = inspectFile(file.bytes);
  if (!inspected.ok) throw new DomainError('invalid_input', { params: { issue: inspected.issue } });
  const now = ownTime(deps);
  const document: KycDocumentRow = {
    id: uuidv7(now),
    kind: file.kind,
    fileName: cleanFileName(file.name),
    mediaType: inspected.mediaType,
    bytes: file.bytes.length,
    uploadedAt: now,
  };
  const sealed = sealDocument(deps, merchantId, file.bytes);
  const outcome = await insertDocument(
    deps.db,
    { ...document, merchantId, sealed, fileName: sealFileName(deps, merchantId, document.fileName) },
    DOCUMENTS_PER_KIND_MAX,
    memberEntry(deps, who, 'kyc.document_added', { kind: file.kind, bytes: document.bytes }),
  );
  if (outcome === 'invalid_state') throw new DomainError('invalid_state');
  if (outcome === 'too_many') throw new DomainError('invalid_input', { params: { issue: 'too_many' } });
  return document;
}

/** Deletes a document that is not submitted yet. Errors: not_found. */
export async function removeKycDocument(deps: DocumentDeps, who: Who, id: string): Promise<void> {
  const { merchantId } = who.member;
  const audit = (kind: KycDocumentKind) => memberEntry(deps, who, 'kyc.document_removed', { kind });
  const kind = isUuid(id) ? await deleteDocument(deps.db, { merchantId, id, audit }) : null;
  if (kind === null) throw new DomainError('not_found');
}

/** A document of this merchant, submitted or not, as it was uploaded. Errors: not_found. */
export async function readKycDocument(
  deps: DocumentDeps,
  merchantId: string,
  id: string,
): Promise<{ fileName: string; mediaType: string; bytes: Buffer }> {
  const document = isUuid(id) ? await findDocument(deps.db, merchantId, id) : null;
  const [found] = openFileNames(deps, merchantId, document ? [document] : []);
  if (!found) throw new DomainError('not_found');
  const { fileName, mediaType } = found;
  return { fileName, mediaType, bytes: openDocument(deps, merchantId, found) };
}

import { withAudit } from '#db/audit/with-audit.ts';
import {
  addDisputeFile as add,
  type DisputeFileRow,
  findDisputeFile,
  listDisputeFiles,
  removeDisputeFile as remove,
} from '#db/disputes/dispute-files.ts';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import { FILES_PER_DISPUTE_MAX } from '#domain/disputes/dispute-states.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { cleanFileName } from '#domain/files/clean-file-name.ts';
import { inspectFile } from '#domain/files/inspect-file.ts';
import { isUuid, uuidv7 } from '#domain/values/uuid.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { getDispute } from './get-dispute.ts';

type FileDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'>;
type Who = { member: Member; origin: Origin; accountId: string };
type ReadableFile = { fileName: string; mediaType: string; bytes: Buffer };

/**
 * Stores a file, sealed, as evidence of a case of this account that still waits for its answer. Its
 * type is determined by its bytes. Errors: dispute_not_found, invalid_input (with the param
 * `issue`: what is wrong with the file, or too_many), invalid_state (the case waits for no answer).
 */
export async function addDisputeFile(
  deps: FileDeps,
  who: Who,
  file: { disputeId: string; name: string; bytes: Buffer },
): Promise<DisputeFileRow> {
  const dispute = await getDispute(deps, who.accountId, file.disputeId);
  const inspected = inspectFile(file.bytes);
  if (!inspected.ok) throw new DomainError('invalid_input', { params: { issue: inspected.issue } });
  const now = deps.clock();
  const id = uuidv7(now);
  const kept = { id, mediaType: inspected.mediaType, bytes: file.bytes.length, uploadedAt: now };
  const fileName = cleanFileName(file.name);
  const row = {
    ...kept,
    disputeId: dispute.id,
    fileName: deps.secretBox.seal(fileName, sealContext('dispute_files.file_name', { id })),
    sealed: deps.secretBox.sealBytes(file.bytes, sealContext('dispute_files.sealed', { id })),
    max: FILES_PER_DISPUTE_MAX,
  };
  const about = { subject: dispute.transactionId, dispute_id: dispute.id, bytes: kept.bytes };
  const outcome = await withAudit(
    deps.db.pool,
    (client) => add(client, row),
    (outcome) => (outcome === 'stored' ? memberEntry(deps, who, 'dispute.file_added', about) : null),
  );
  if (outcome === 'decided') throw new DomainError('invalid_state');
  if (outcome === 'too_many') throw new DomainError('invalid_input', { params: { issue: 'too_many' } });
  return { ...kept, fileName };
}

/**
 * Takes a file back while the case waits for its answer. Errors: dispute_not_found, not_found,
 * invalid_state.
 */
export async function removeDisputeFile(
  deps: FileDeps,
  who: Who,
  file: { disputeId: string; id: string },
): Promise<void> {
  const dispute = await getDispute(deps, who.accountId, file.disputeId);
  const at = { id: file.id, disputeId: dispute.id, now: deps.clock() };
  const about = { subject: dispute.transactionId, dispute_id: dispute.id };
  const outcome = isUuid(file.id)
    ? await withAudit(
        deps.db.pool,
        (client) => remove(client, at),
        (outcome) => (outcome === 'removed' ? memberEntry(deps, who, 'dispute.file_removed', about) : null),
      )
    : 'unknown';
  if (outcome === 'unknown') throw new DomainError('not_found');
  if (outcome === 'decided') throw new DomainError('invalid_state');
}

/** The files of a case, with their names readable. */
export async function listReadableFiles(deps: FileDeps, disputeId: string): Promise<DisputeFileRow[]> {
  const files = await listDisputeFiles(deps.db.pool, disputeId);
  return files.map((file) => ({ ...file, fileName: openFileName(deps, file) }));
}

/** A file of a case of this account, as it was sent. Errors: dispute_not_found, not_found. */
export async function readDisputeFile(
  deps: FileDeps,
  accountId: string,
  file: { disputeId: string; id: string },
): Promise<ReadableFile> {
  const dispute = await getDispute(deps, accountId, file.disputeId);
  const found = isUuid(file.id) ? await openStoredFile(deps, dispute.id, file.id) : null;
  if (!found) throw new DomainError('not_found');
  return found;
}

/** A file of a case, as it was sent; null when the case has none of this id. */
export async function openStoredFile(deps: FileDeps, disputeId: string, id: string): Promise<ReadableFile | null> {
  const found = await findDisputeFile(deps.db.pool, disputeId, id);
  if (!found) return null;
  const bytes = deps.secretBox.openBytes(found.sealed, sealContext('dispute_files.sealed', { id: found.id }));
  return { fileName: openFileName(deps, found), mediaType: found.mediaType, bytes };
}

const openFileName = ({ secretBox }: Pick<Deps, 'secretBox'>, { id, fileName }: DisputeFileRow): string =>
  secretBox.open(fileName, sealContext('dispute_files.file_name', { id }));

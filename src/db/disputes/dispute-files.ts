import type pg from 'pg';

export type DisputeFileRow = {
  id: string;
  /** Sealed. */
  fileName: string;
  mediaType: string;
  bytes: number;
  uploadedAt: Date;
};

export type StoredFile = DisputeFileRow & { sealed: Buffer };

/** `decided`: the case waits for no answer. */
export type FileOutcome = 'stored' | 'decided' | 'too_many';

/** Stores a file of a case. A case never has more than `max`, however many are added at once. */
export async function addDisputeFile(
  db: pg.Pool | pg.PoolClient,
  file: StoredFile & { disputeId: string; max: number },
): Promise<FileOutcome> {
  const { id, disputeId, fileName, mediaType, bytes, sealed, uploadedAt, max } = file;
  const row = { id, dispute_id: disputeId, file_name: fileName, media_type: mediaType, bytes };
  const { rows } = await db.query<{ outcome: FileOutcome }>({
    name: 'dispute-add-file',
    text: 'SELECT dispute_add_file($1, $2, $3, $4) AS outcome',
    values: [JSON.stringify(row), sealed, max, uploadedAt],
  });
  if (!rows[0]) throw new Error('dispute_add_file answered nothing.');
  return rows[0].outcome;
}

/**
 * Removes a file of a case. `decided`: the case waits for no answer. `unknown`: it has no such
 * file.
 */
export async function removeDisputeFile(
  db: pg.Pool | pg.PoolClient,
  file: { id: string; disputeId: string; now: Date },
): Promise<'removed' | 'decided' | 'unknown'> {
  const { rows } = await db.query<{ outcome: 'removed' | 'decided' | 'unknown' }>({
    name: 'dispute-remove-file',
    text: 'SELECT dispute_remove_file($1, $2, $3) AS outcome',
    values: [file.id, file.disputeId, file.now],
  });
  if (!rows[0]) throw new Error('dispute_remove_file answered nothing.');
  return rows[0].outcome;
}

/** The files of a case without their bytes, in the order in which they were sent. */
export async function listDisputeFiles(db: pg.Pool, disputeId: string): Promise<DisputeFileRow[]> {
  const { rows } = await db.query<DisputeFileRow>({
    name: 'list-dispute-files',
    text: `SELECT id, file_name AS "fileName", media_type AS "mediaType", bytes, uploaded_at AS "uploadedAt"
      FROM dispute_files WHERE dispute_id = $1 ORDER BY uploaded_at, id`,
    values: [disputeId],
  });
  return rows;
}

/** A file of a case with its sealed bytes; null when the case has none of this id. */
export async function findDisputeFile(db: pg.Pool, disputeId: string, id: string): Promise<StoredFile | null> {
  const { rows } = await db.query<StoredFile>({
    name: 'find-dispute-file',
    text: `SELECT id, file_name AS "fileName", media_type AS "mediaType", bytes, uploaded_at AS "uploadedAt", sealed
      FROM dispute_files WHERE id = $2 AND dispute_id = $1`,
    values: [disputeId, id],
  });
  return rows[0] ?? null;
}

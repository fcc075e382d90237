import type pg from 'pg';
import { type KycDocumentKind, type KycKind, missingDocuments, REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import type { KycStatus } from '../accounts/accounts.ts';
import { atomically } from '../connection/atomically.ts';

/** A merchant's verification: what it hands in, and its documents. What the operator decides is in kyc-decisions.ts. */

export type KycDocumentRow = {
  id: string;
  kind: KycDocumentKind;
  fileName: string;
  mediaType: string;
  bytes: number;
  uploadedAt: Date;
};

export type KycSubmissionRow = {
  id: string;
  merchantId: string;
  kind: KycKind;
  sealed: string;
  decision: 'submitted' | 'approved' | 'rejected';
  reason: string | null;
  submittedAt: Date;
  decidedAt: Date | null;
};

export const DOCUMENT_COLUMNS = `d.id, d.kind, d.file_name AS "fileName", d.media_type AS "mediaType", d.bytes,
  d.uploaded_at AS "uploadedAt"`;
export const SUBMISSION_COLUMNS = `s.id, s.merchant_id AS "merchantId", s.kind, s.sealed, s.decision, s.reason,
  s.submitted_at AS "submittedAt", s.decided_at AS "decidedAt"`;

/** A page's worth of history: a merchant that was refused more often than that talks to the operator. */
const SUBMISSIONS_MAX = 20;

/** How a merchant stands; null when there is no such merchant. */
export async function findKycMerchant(db: pg.Pool, merchantId: string) {
  const { rows } = await db.query<{ name: string; document: string; documentType: 'cpf' | 'cnpj'; status: KycStatus }>(
    `SELECT name, document, document_type AS "documentType", kyc_status AS status FROM merchants WHERE id = $1`,
    [merchantId],
  );
  return rows[0] ?? null;
}

/** What a merchant has handed in, newest first. */
export async function listSubmissionsOf(db: pg.Pool, merchantId: string): Promise<KycSubmissionRow[]> {
  const { rows } = await db.query<KycSubmissionRow>(
    `SELECT ${SUBMISSION_COLUMNS} FROM kyc_submissions s WHERE s.merchant_id = $1 ORDER BY s.id DESC LIMIT $2`,
    [merchantId, SUBMISSIONS_MAX],
  );
  return rows;
}

/** The documents of a submission of this merchant; with null those that it has not handed in yet. Without their bytes. */
export async function listDocuments(
  db: pg.Pool,
  merchantId: string,
  submissionId: string | null,
): Promise<KycDocumentRow[]> {
  const { rows } = await db.query<KycDocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM kyc_documents d
     WHERE d.merchant_id = $1 AND d.submission_id IS NOT DISTINCT FROM $2 ORDER BY d.uploaded_at, d.id`,
    [merchantId, submissionId],
  );
  return rows;
}

/** A document of this merchant with its sealed bytes; null when it has none of this id. */
export async function findDocument(
  db: pg.Pool,
  merchantId: string,
  id: string,
): Promise<(KycDocumentRow & { sealed: Buffer }) | null> {
  const { rows } = await db.query<KycDocumentRow & { sealed: Buffer }>(
    `SELECT ${DOCUMENT_COLUMNS}, d.sealed FROM kyc_documents d WHERE d.merchant_id = $1 AND d.id = $2`,
    [merchantId, id],
  );
  return rows[0] ?? null;
}

export type NewDocument = KycDocumentRow & { merchantId: string; sealed: Buffer };

/** Keeps a document until it is handed in. Of any number at once none passes the greatest number of a kind. */
export async function insertDocument(
  db: pg.Pool,
  document: NewDocument,
  perKindMax: number,
): Promise<'stored' | 'not_now' | 'too_many'> {
  const { id, merchantId, kind, fileName, mediaType, bytes, sealed, uploadedAt } = document;
  return atomically(db, async (client) => {
    if (!(await lockOpen(client, merchantId))) return 'not_now';
    const { rows } = await client.query<{ there: bigint }>(
      'SELECT count(*) AS there FROM kyc_documents WHERE merchant_id = $1 AND submission_id IS NULL AND kind = $2',
      [merchantId, kind],
    );
    if (Number(rows[0]?.there) >= perKindMax) return 'too_many';
    await client.query(
      `INSERT INTO kyc_documents (id, merchant_id, kind, file_name, media_type, bytes, sealed, uploaded_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, merchantId, kind, fileName, mediaType, bytes, sealed, uploadedAt],
    );
    return 'stored';
  });
}

/** Takes a document back that was not handed in; what kind it was, null when there is none. */
export async function deleteDocument(db: pg.Pool, merchantId: string, id: string): Promise<KycDocumentKind | null> {
  const { rows } = await db.query<{ kind: KycDocumentKind }>(
    'DELETE FROM kyc_documents WHERE merchant_id = $1 AND id = $2 AND submission_id IS NULL RETURNING kind',
    [merchantId, id],
  );
  return rows[0]?.kind ?? null;
}

export type NewSubmission = { id: string; merchantId: string; kind: KycKind; sealed: string; now: Date };

/**
 * Hands in the form with the documents that this kind of merchant needs; a refused merchant is pending again. Documents of other
 * kinds are let go: nobody asked for them. Nothing is done when some are missing, or when this is not the time.
 */
export async function submitVerification(
  db: pg.Pool,
  { id, merchantId, kind, sealed, now }: NewSubmission,
): Promise<'submitted' | 'not_now' | { missing: KycDocumentKind[] }> {
  return atomically(db, async (client) => {
    if (!(await lockOpen(client, merchantId))) return 'not_now';
    const there = await client.query<{ kind: KycDocumentKind }>(
      'SELECT DISTINCT kind FROM kyc_documents WHERE merchant_id = $1 AND submission_id IS NULL',
      [merchantId],
    );
    const missing = missingDocuments(
      kind,
      there.rows.map((document) => document.kind),
    );
    if (missing.length > 0) return { missing };
    await client.query(
      'INSERT INTO kyc_submissions (id, merchant_id, kind, sealed, submitted_at) VALUES ($1, $2, $3, $4, $5)',
      [id, merchantId, kind, sealed, now],
    );
    await client.query(
      'UPDATE kyc_documents SET submission_id = $2 WHERE merchant_id = $1 AND submission_id IS NULL AND kind = ANY ($3)',
      [merchantId, id, REQUIRED_DOCUMENTS[kind]],
    );
    await client.query('DELETE FROM kyc_documents WHERE merchant_id = $1 AND submission_id IS NULL', [merchantId]);
    await client.query(`UPDATE merchants SET kyc_status = 'pending' WHERE id = $1`, [merchantId]);
    return 'submitted';
  });
}

/**
 * Whether the merchant may hand something in: it is not approved, and nothing waits for a decision. It stays so until the
 * transaction ends, for everybody who asks this way.
 */
async function lockOpen(client: pg.PoolClient, merchantId: string): Promise<boolean> {
  const merchant = await client.query<{ status: KycStatus }>(
    'SELECT kyc_status AS status FROM merchants WHERE id = $1 FOR NO KEY UPDATE',
    [merchantId],
  );
  const waiting = await client.query(
    `SELECT FROM kyc_submissions WHERE merchant_id = $1 AND decision = 'submitted' LIMIT 1`,
    [merchantId],
  );
  return merchant.rows[0]?.status !== 'approved' && merchant.rowCount === 1 && waiting.rowCount === 0;
}

import type pg from 'pg';
import type { AuditEntry } from '../audit/audit.ts';
import { atomically } from '../connection/atomically.ts';
import { DOCUMENT_COLUMNS, type KycDocumentRow, type KycSubmissionRow, SUBMISSION_COLUMNS } from './kyc.ts';

/** What the operator sees of verifications, and what he decides. */

export type KycCase = KycSubmissionRow & {
  merchant: { name: string; email: string; document: string; documentType: string };
};

type CaseRow = KycSubmissionRow & { name: string; email: string; document: string; documentType: string };

const CASE_COLUMNS = `${SUBMISSION_COLUMNS}, m.name, m.email, m.document, m.document_type AS "documentType"`;

const toCase = ({ name, email, document, documentType, ...submission }: CaseRow): KycCase => ({
  ...submission,
  merchant: { name, email, document, documentType },
});

/** Verifications: those that wait, oldest first, or all, newest first. */
export async function listCases(db: pg.Pool, which: { waiting: boolean; limit: number }): Promise<KycCase[]> {
  const { rows } = await db.query<CaseRow>(
    which.waiting
      ? `SELECT ${CASE_COLUMNS} FROM kyc_submissions s JOIN merchants m ON m.id = s.merchant_id
         WHERE s.decision = 'submitted' ORDER BY s.id LIMIT $1`
      : `SELECT ${CASE_COLUMNS} FROM kyc_submissions s JOIN merchants m ON m.id = s.merchant_id ORDER BY s.id DESC LIMIT $1`,
    [which.limit],
  );
  return rows.map(toCase);
}

/** A verification by its id, or the newest of the merchant with this e-mail; null when there is none. */
export async function findCase(db: pg.Pool, which: { id: string } | { email: string }): Promise<KycCase | null> {
  const [condition, value] = 'id' in which ? ['s.id = $1', which.id] : ['m.email = $1', which.email];
  const { rows } = await db.query<CaseRow>(
    `SELECT ${CASE_COLUMNS} FROM kyc_submissions s JOIN merchants m ON m.id = s.merchant_id
     WHERE ${condition} ORDER BY s.id DESC LIMIT 1`,
    [value],
  );
  return rows[0] ? toCase(rows[0]) : null;
}

/** The documents of a verification with their sealed bytes, one by one: all of them at once would fill the memory. */
export async function* readDocuments(
  db: pg.Pool,
  submissionId: string,
): AsyncGenerator<KycDocumentRow & { sealed: Buffer }> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM kyc_documents WHERE submission_id = $1 ORDER BY uploaded_at, id',
    [submissionId],
  );
  for (const { id } of rows) {
    const found = await db.query<KycDocumentRow & { sealed: Buffer }>(
      `SELECT ${DOCUMENT_COLUMNS}, d.sealed FROM kyc_documents d WHERE d.id = $1`,
      [id],
    );
    if (found.rows[0]) yield found.rows[0];
  }
}

export type KycDecision = {
  id: string;
  now: Date;
  /** Who decides, as the audit names them. */
  by: AuditEntry['details'];
  /** The names under which the documents of a refused one are copied, old to new. */
  newId: () => string;
} & (
  | {
      decision: 'approved';
      /** What the merchant is called and known by from now on; a name that is absent stays. */
      merchant: { name?: string; document: string; documentType: 'cpf' | 'cnpj' };
    }
  | { decision: 'rejected'; reason: string }
);

/**
 * Decides a verification that waits: submission, merchant, audit and the task that tells its members, in one commit. The merchant of a
 * refused one gets its documents again, to replace only what was wrong. Gives the merchant; null when it was decided before.
 */
export async function decideCase(db: pg.Pool, decision: KycDecision): Promise<string | null> {
  const { id, now, by } = decision;
  const reason = decision.decision === 'rejected' ? decision.reason : null;
  return atomically(db, async (client) => {
    const { rows } = await client.query<{ merchantId: string }>(
      `UPDATE kyc_submissions SET decision = $2, reason = $3, decided_at = $4
       WHERE id = $1 AND decision = 'submitted' RETURNING merchant_id AS "merchantId"`,
      [id, decision.decision, reason, now],
    );
    const merchantId = rows[0]?.merchantId;
    if (merchantId === undefined) return null;
    if (decision.decision === 'approved') {
      const { name, document, documentType } = decision.merchant;
      await client.query(
        `UPDATE merchants SET kyc_status = 'approved', name = coalesce($2, name), document = $3, document_type = $4
         WHERE id = $1`,
        [merchantId, name ?? null, document, documentType],
      );
    } else {
      await client.query(`UPDATE merchants SET kyc_status = 'rejected' WHERE id = $1`, [merchantId]);
      await copyDocuments(client, id, decision.newId);
    }
    await client.query('INSERT INTO audit_records (merchant_id, action, details, at) VALUES ($1, $2, $3, $4)', [
      merchantId,
      `kyc.${decision.decision}`,
      JSON.stringify({ submission_id: id, ...(reason === null ? {} : { reason }), ...by }),
      now,
    ]);
    await client.query(`INSERT INTO tasks (kind, subject_id, due_at) VALUES ('tell_verification', $1, $2)`, [id, now]);
    return merchantId;
  });
}

async function copyDocuments(client: pg.PoolClient, submissionId: string, newId: () => string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM kyc_documents WHERE submission_id = $1 ORDER BY uploaded_at, id',
    [submissionId],
  );
  for (const { id } of rows) {
    await client.query(
      `INSERT INTO kyc_documents (id, merchant_id, kind, file_name, media_type, bytes, sealed, uploaded_at)
       SELECT $2, merchant_id, kind, file_name, media_type, bytes, sealed, uploaded_at FROM kyc_documents WHERE id = $1`,
      [id, newId()],
    );
  }
}

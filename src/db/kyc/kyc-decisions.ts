import type { Prisma } from '#prisma';
import { invalidateAccountCachesIn } from '../api-keys/api-keys.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import { toBuffer } from '../connection/bytes.ts';
import type { Database } from '../connection/database.ts';
import { insertTask } from '../tasks/tasks.ts';
import {
  BY_UPLOAD,
  DOCUMENT,
  type KycDocumentRow,
  type KycSubmissionRow,
  SUBMISSION,
  toDocument,
  toSubmission,
} from './kyc.ts';

/** What the operator sees of verifications, and what they decide. */

export type KycCase = KycSubmissionRow & {
  merchant: { name: string; email: string; document: string; documentType: string };
};

const CASE = {
  ...SUBMISSION,
  merchant: { select: { name: true, email: true, document: true, documentType: true } },
} as const satisfies Prisma.KycSubmissionSelect;

/** Verifications: those that wait, oldest first, or all, newest first. */
export async function listCases(db: Database, which: { waiting: boolean; limit: number }): Promise<KycCase[]> {
  const rows = await db.prisma.kycSubmission.findMany({
    where: which.waiting ? { decision: 'submitted' } : {},
    orderBy: { id: which.waiting ? 'asc' : 'desc' },
    take: which.limit,
    select: CASE,
  });
  return rows.map(toSubmission);
}

/** How many verifications wait for a decision. */
export const countWaitingCases = (db: Database): Promise<number> =>
  db.prisma.kycSubmission.count({ where: { decision: 'submitted' } });

/**
 * A verification by its id, or the newest of the merchant with this e-mail; null when there is
 * none.
 */
export async function findCase(db: Database, which: { id: string } | { email: string }): Promise<KycCase | null> {
  const where = 'id' in which ? { id: which.id } : { merchant: { email: which.email } };
  const row = await db.prisma.kycSubmission.findFirst({ where, orderBy: { id: 'desc' }, select: CASE });
  return row && toSubmission(row);
}

/**
 * The documents of a verification with their sealed bytes, one by one: all of them at once would
 * fill the memory.
 */
export async function* readDocuments(
  db: Database,
  submissionId: string,
): AsyncGenerator<KycDocumentRow & { sealed: Buffer }> {
  const { kycDocument } = db.prisma;
  const select = { ...DOCUMENT, sealed: true } as const;
  for (const { id } of await kycDocument.findMany({
    where: { submissionId },
    orderBy: BY_UPLOAD,
    select: { id: true },
  })) {
    const found = await kycDocument.findUnique({ where: { id }, select });
    if (found) yield { ...toDocument(found), sealed: toBuffer(found.sealed) };
  }
}

export type KycDecision = {
  id: string;
  now: Date;
  /** Makes the audit entry; it names who decides. */
  audit: (merchantId: string) => AuditEntry;
  /** Makes the ids under which the documents of a rejected verification are copied. */
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
 * Decides a verification that waits: submission, merchant, audit and the task that notifies its
 * members, in one commit. The merchant of a rejected one gets its documents again, to replace only
 * what was wrong. Returns the merchant's id; null when the verification was decided before.
 */
export async function decideCase(db: Database, decision: KycDecision): Promise<string | null> {
  const { id, now, audit } = decision;
  const reason = decision.decision === 'rejected' ? decision.reason : null;
  return db.prisma.$transaction(async (tx) => {
    const { count } = await tx.kycSubmission.updateMany({
      where: { id, decision: 'submitted' },
      data: { decision: decision.decision, reason, decidedAt: now },
    });
    if (count === 0) return null;
    const { merchantId } = await tx.kycSubmission.findUniqueOrThrow({ where: { id }, select: { merchantId: true } });
    const merchant = decision.decision === 'approved' ? decision.merchant : {};
    const change = { kycStatus: decision.decision, ...merchant };
    await tx.merchant.update({ where: { id: merchantId }, data: change, select: { id: true } });
    if (decision.decision === 'rejected') await copyDocuments(tx, id, decision.newId);
    await insertAuditIn(tx, audit(merchantId));
    await invalidateAccountCachesIn(tx, merchantId);
    await insertTask(tx, { kind: 'notify_kyc_decision', subjectId: id, dueAt: now });
    return merchantId;
  });
}

/** In SQL, so that megabytes stay in the database. */
async function copyDocuments(tx: Prisma.TransactionClient, submissionId: string, newId: () => string): Promise<void> {
  const where = { submissionId };
  for (const { id } of await tx.kycDocument.findMany({ where, orderBy: BY_UPLOAD, select: { id: true } })) {
    await tx.$executeRaw`
      INSERT INTO kyc_documents (id, merchant_id, kind, file_name, media_type, bytes, sealed, uploaded_at)
      SELECT ${newId()}::uuid, merchant_id, kind, file_name, media_type, bytes, sealed, uploaded_at
      FROM kyc_documents WHERE id = ${id}::uuid`;
  }
}

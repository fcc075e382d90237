import { type KycDocumentKind, type KycKind, missingDocuments, REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import type { Prisma } from '#prisma';
import type { KycStatus } from '../accounts/accounts.ts';
import { invalidateAccountCachesIn } from '../api-keys/api-keys.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import { toBuffer, toBytes } from '../connection/bytes.ts';
import type { Database } from '../connection/database.ts';

/**
 * A merchant's verification: the form it submits, and its documents. What the operator decides is
 * in kyc-decisions.ts.
 */

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

export const DOCUMENT = {
  id: true,
  kind: true,
  fileName: true,
  mediaType: true,
  bytes: true,
  uploadedAt: true,
} as const satisfies Prisma.KycDocumentSelect;

export const SUBMISSION = {
  id: true,
  merchantId: true,
  kind: true,
  sealed: true,
  decision: true,
  reason: true,
  submittedAt: true,
  decidedAt: true,
} as const satisfies Prisma.KycSubmissionSelect;

/** The order in which documents were handed in. */
export const BY_UPLOAD: Prisma.KycDocumentOrderByWithRelationInput[] = [{ uploadedAt: 'asc' }, { id: 'asc' }];

/** The database has the kinds as texts. */
export const toDocument = <Row extends { kind: string }>(row: Row) => ({ ...row, kind: row.kind as KycDocumentKind });
export const toSubmission = <Row extends { kind: string }>(row: Row) => ({ ...row, kind: row.kind as KycKind });

/**
 * A page's worth of history: a merchant that was rejected more often than that talks to the
 * operator.
 */
const SUBMISSIONS_MAX = 20;

type MerchantRow = { name: string; document: string; documentType: 'cpf' | 'cnpj'; status: KycStatus };

/**
 * A merchant with what it has handed in, newest first, the documents of the newest, and those that
 * it has not handed in yet, all of one moment; null when there is no such merchant.
 */
export async function findMerchantVerification(
  db: Database,
  merchantId: string,
): Promise<{
  merchant: MerchantRow;
  submissions: KycSubmissionRow[];
  submitted: KycDocumentRow[];
  documents: KycDocumentRow[];
} | null> {
  return db.prisma.$transaction(
    async (tx) => {
      const select = { name: true, document: true, documentType: true, kycStatus: true } as const;
      const merchant = await tx.merchant.findUnique({ where: { id: merchantId }, select });
      if (!merchant) return null;
      const { kycStatus, ...rest } = merchant;
      const reader = { prisma: tx };
      const submissions = await listSubmissionsOf(reader, merchantId);
      const [newest] = submissions;
      return {
        merchant: { ...rest, status: kycStatus },
        submissions,
        submitted: newest ? await listDocuments(reader, merchantId, newest.id) : [],
        documents: await listDocuments(reader, merchantId, null),
      };
    },
    { isolationLevel: 'RepeatableRead' },
  );
}

/** A database, or a transaction in it. */
type Reader = { prisma: Pick<Prisma.TransactionClient, 'kycSubmission' | 'kycDocument'> };

/** What a merchant has handed in, newest first. */
export async function listSubmissionsOf(db: Reader, merchantId: string): Promise<KycSubmissionRow[]> {
  const rows = await db.prisma.kycSubmission.findMany({
    where: { merchantId },
    orderBy: { id: 'desc' },
    take: SUBMISSIONS_MAX,
    select: SUBMISSION,
  });
  return rows.map(toSubmission);
}

/**
 * The documents of a submission of this merchant; with null those that it has not handed in yet.
 * Without their bytes.
 */
export async function listDocuments(
  db: Reader,
  merchantId: string,
  submissionId: string | null,
): Promise<KycDocumentRow[]> {
  const where = { merchantId, submissionId };
  const rows = await db.prisma.kycDocument.findMany({ where, orderBy: BY_UPLOAD, select: DOCUMENT });
  return rows.map(toDocument);
}

/** A document of this merchant with its sealed bytes; null when it has none of this id. */
export async function findDocument(
  db: Database,
  merchantId: string,
  id: string,
): Promise<(KycDocumentRow & { sealed: Buffer }) | null> {
  const select = { ...DOCUMENT, sealed: true } as const;
  const row = await db.prisma.kycDocument.findUnique({ where: { id, merchantId }, select });
  return row && { ...toDocument(row), sealed: toBuffer(row.sealed) };
}

export type NewDocument = KycDocumentRow & { merchantId: string; sealed: Buffer };

/**
 * Stores a document until it is submitted. A merchant never has more than `perKindMax` such
 * documents of a kind, however many are added at once. `invalid_state`: the merchant may not submit
 * anything now.
 */
export async function insertDocument(
  db: Database,
  document: NewDocument,
  perKindMax: number,
  audit: AuditEntry,
): Promise<'stored' | 'invalid_state' | 'too_many'> {
  const { merchantId, kind } = document;
  return db.prisma.$transaction(async (tx) => {
    if (!(await lockOpen(tx, merchantId))) return 'invalid_state';
    const there = await tx.kycDocument.count({ where: { merchantId, submissionId: null, kind } });
    if (there >= perKindMax) return 'too_many';
    await tx.kycDocument.create({ data: { ...document, sealed: toBytes(document.sealed) }, select: { id: true } });
    await insertAuditIn(tx, audit);
    return 'stored';
  });
}

/**
 * Deletes a document that was not submitted. Returns its kind; null when there is no such document,
 * or it was submitted meanwhile.
 */
export async function deleteDocument(
  db: Database,
  { merchantId, id, audit }: { merchantId: string; id: string; audit: (kind: KycDocumentKind) => AuditEntry },
): Promise<KycDocumentKind | null> {
  const where = { id, merchantId, submissionId: null };
  return db.prisma.$transaction(async (tx) => {
    // A submission that counts on it waits, or has it.
    await lockMerchant(tx, merchantId);
    const document = await tx.kycDocument.findUnique({ where, select: { kind: true } });
    const { count } = await tx.kycDocument.deleteMany({ where });
    if (!document || count === 0) return null;
    const { kind } = toDocument(document);
    await insertAuditIn(tx, audit(kind));
    return kind;
  });
}

export type NewSubmission = {
  id: string;
  merchantId: string;
  kind: KycKind;
  sealed: string;
  now: Date;
  audit: AuditEntry;
};

/**
 * Submits the form with the documents that this kind of merchant needs; a rejected merchant is
 * pending again. Documents of other kinds are deleted. Nothing is done when some are missing, or
 * when the merchant's status does not allow it.
 */
export async function submitVerification(
  db: Database,
  { id, merchantId, kind, sealed, now, audit }: NewSubmission,
): Promise<'submitted' | 'invalid_state' | { missing: KycDocumentKind[] }> {
  return db.prisma.$transaction(async (tx) => {
    if (!(await lockOpen(tx, merchantId))) return 'invalid_state';
    const waiting = { merchantId, submissionId: null };
    const there = await tx.kycDocument.findMany({ where: waiting, distinct: 'kind', select: { kind: true } });
    const missing = missingDocuments(
      kind,
      there.map((document) => toDocument(document).kind),
    );
    if (missing.length > 0) return { missing };
    const submission = { id, merchantId, kind, sealed, submittedAt: now };
    await tx.kycSubmission.create({ data: submission, select: { id: true } });
    const needed = { ...waiting, kind: { in: [...REQUIRED_DOCUMENTS[kind]] } };
    await tx.kycDocument.updateMany({ where: needed, data: { submissionId: id } });
    await tx.kycDocument.deleteMany({ where: waiting });
    await tx.merchant.updateMany({ where: { id: merchantId }, data: { kycStatus: 'pending' } });
    await insertAuditIn(tx, audit);
    // A rejected merchant is pending again, on REST too.
    await invalidateAccountCachesIn(tx, merchantId);
    return 'submitted';
  });
}

/**
 * Whether the merchant may submit something: it is not approved, and nothing waits for a decision.
 * Locks it, so that the result holds until the transaction ends for everyone who asks this way.
 */
async function lockOpen(tx: Prisma.TransactionClient, merchantId: string): Promise<boolean> {
  const status = await lockMerchant(tx, merchantId);
  if (status === null || status === 'approved') return false;
  return (await tx.kycSubmission.count({ where: { merchantId, decision: 'submitted' } })) === 0;
}

/**
 * Locks a merchant's row, which Prisma can't. Returns its status; null when there is no such
 * merchant.
 */
async function lockMerchant(tx: Prisma.TransactionClient, merchantId: string): Promise<KycStatus | null> {
  const [merchant] = await tx.$queryRaw<{ status: KycStatus }[]>`
    SELECT kyc_status AS status FROM merchants WHERE id = ${merchantId}::uuid FOR NO KEY UPDATE`;
  return merchant?.status ?? null;
}

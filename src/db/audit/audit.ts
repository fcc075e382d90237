import { toStorableJson, toStorableText } from '#domain/values/storable-text.ts';
import type { Prisma } from '#prisma';
import type { Database } from '../connection/database.ts';

export type AuditEntry = {
  /** Null: it is about the installation. */
  merchantId: string | null;
  /** Null: the operator. */
  memberId: string | null;
  accountId: string | null;
  /** e.g. `api_key.created` */
  action: string;
  /** For reading; never a secret. */
  details: Record<string, string | number | boolean | null>;
  ipAddress: string | null;
  userAgent: string | null;
  at: Date;
};

/**
 * Notes who did what; what was noted can't be changed. Text that can't be stored is replaced: an
 * act is noted whatever it was.
 */
export const insertAudit = (db: Database, entry: AuditEntry): Promise<void> => insertAuditIn(db.prisma, entry);

/** The same in the transaction of the act itself. */
export async function insertAuditIn(
  tx: Pick<Prisma.TransactionClient, 'auditRecord'>,
  entry: AuditEntry,
): Promise<void> {
  const { details, userAgent } = entry;
  const storable = { details: toStorableJson(details), userAgent: userAgent && toStorableText(userAgent) };
  await tx.auditRecord.create({ data: { ...entry, ...storable } });
}

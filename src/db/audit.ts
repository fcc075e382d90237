import { toStorableJson, toStorableText } from '#domain/storable-text.ts';
import type { Database } from './database.ts';

export type AuditEntry = {
  merchantId: string;
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

/** Notes who did what; what was noted can't be changed. Text that can't be stored is replaced: an act is noted whatever it was. */
export async function insertAudit(db: Database, entry: AuditEntry): Promise<void> {
  const { details, userAgent } = entry;
  const storable = { details: toStorableJson(details), userAgent: userAgent && toStorableText(userAgent) };
  await db.prisma.auditRecord.create({ data: { ...entry, ...storable } });
}

/** What happened last at a merchant, newest first. */
export const listAudit = (db: Database, merchantId: string, limit: number) =>
  db.prisma.auditRecord.findMany({ where: { merchantId }, orderBy: { id: 'desc' }, take: limit });

import type pg from 'pg';
import type { AuditKind } from '#domain/audit/audit-kind.ts';
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

export type AuditListing = Omit<AuditEntry, 'userAgent' | 'merchantId'> & {
  id: bigint;
  /** Of the member who acted, also of one who was removed since; null where it was no member. */
  memberName: string | null;
  /** Of the API key that acted, where one did. */
  keyName: string | null;
};

/**
 * Word for word the conditions of the indexes audit_records_money_idx and
 * audit_records_not_money_idx.
 */
const OF_KIND: Record<AuditKind, string> = {
  money: `action ~ '^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]'`,
  security: `action !~ '^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]'`,
};

/** What was done at a merchant, newest first: one kind of it, older than the row `before`. */
export async function listAudit(
  db: pg.Pool,
  { merchantId, kind, before, limit }: { merchantId: string; kind: AuditKind; before: bigint | null; limit: number },
): Promise<AuditListing[]> {
  // A key acts over REST, from an address; the operator's rows name keys, too, and have none.
  const { rows } = await db.query<AuditListing>({
    name: `list-audit-${kind}`,
    text: `SELECT a.id, a.action, a.member_id AS "memberId", a.account_id AS "accountId", a.details,
        a.ip_address AS "ipAddress", a.at, m.name AS "memberName", k.name AS "keyName"
      FROM (SELECT * FROM audit_records WHERE merchant_id = $1 AND ($2::bigint IS NULL OR id < $2) AND ${OF_KIND[kind]}
        ORDER BY id DESC LIMIT $3) a
        LEFT JOIN members m ON m.id = a.member_id
        LEFT JOIN api_keys k ON k.account_id = a.account_id AND a.ip_address IS NOT NULL
          AND k.id = CASE WHEN a.member_id IS NULL THEN (a.details ->> 'key_id')::uuid END
      ORDER BY a.id DESC`,
    values: [merchantId, before, limit],
  });
  return rows;
}

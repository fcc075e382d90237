import type pg from 'pg';
import { toStorableJson, toStorableText } from '#domain/values/storable-text.ts';
import type { Prisma } from '#prisma';
import type { Database } from '../connection/database.ts';
import { insertNoticesIn, insertNoticesOn, type NoticeToSend } from '../notices/insert-notices.ts';

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
  /** What members are notified of it, by the same commit. */
  notices?: readonly NoticeToSend[];
};

/** One for a statement that writes the record alone. */
export type EntryWithoutNotices = Omit<AuditEntry, 'notices'> & { notices?: never };

/**
 * Records who did what; a record can't be changed. Text that the database can't store is replaced,
 * so that every act is recorded.
 */
export const insertAudit = (db: Database, entry: AuditEntry): Promise<void> => insertAuditIn(db.prisma, entry);

/** The same in the transaction of the act itself, with its notices. */
export async function insertAuditIn(
  tx: Pick<Prisma.TransactionClient, 'auditRecord' | '$queryRaw'>,
  entry: AuditEntry,
): Promise<void> {
  await tx.auditRecord.create({ data: storable(entry) });
  await insertNoticesIn(tx, entry.notices ?? [], entry.at);
}

/** The same on a connection whose transaction is the act’s, for what is written in SQL. */
export async function insertAuditOn(client: pg.PoolClient, entry: AuditEntry): Promise<void> {
  await client.query(
    `INSERT INTO audit_records (merchant_id, member_id, account_id, action, details, ip_address, user_agent, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    auditValues(entry),
  );
  await insertNoticesOn(client, entry.notices ?? [], entry.at);
}

/** The values of a record for a statement in SQL, in the order of insertAuditOn's columns. */
export function auditValues(entry: AuditEntry): unknown[] {
  const { merchantId, memberId, accountId, action, details, ipAddress, userAgent, at } = storable(entry);
  return [merchantId, memberId, accountId, action, JSON.stringify(details), ipAddress, userAgent, at];
}

const storable = ({ details, userAgent, notices: _, ...entry }: AuditEntry) => ({
  ...entry,
  details: toStorableJson(details),
  userAgent: userAgent && toStorableText(userAgent),
});

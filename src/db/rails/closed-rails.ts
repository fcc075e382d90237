import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import { ALL_ACCOUNTS, invalidateAccountCachesIn } from '../api-keys/api-keys.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import type { Database } from '../connection/database.ts';

export type ClosedRail = { rail: TransactionType; reason: string; closedBy: string; closedAt: Date };

/** The rails that are off for every account. */
export async function listClosedRails(db: Database): Promise<ClosedRail[]> {
  const closed = await db.prisma.closedRail.findMany({ orderBy: { rail: 'asc' } });
  // The database's type also has `split_in`, which the table does not take.
  return closed.map(({ rail, ...rest }) => ({ rail: rail as TransactionType, ...rest }));
}

/**
 * Turns a rail off, with the audit, in one commit, by which every process drops what it has cached
 * of accounts; false where it is off already.
 */
export async function closeRail(db: Database, closed: ClosedRail, audit: AuditEntry): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    // Of two operators at once, one does it: the other one's row is there.
    const { count } = await tx.closedRail.createMany({ data: [closed], skipDuplicates: true });
    if (count > 0) await insertAuditIn(tx, audit);
    // Also where nothing changed: the operator may repeat it because a process missed the
    // notification.
    await invalidateAccountCachesIn(tx, ALL_ACCOUNTS);
    return count > 0;
  });
}

/** Turns a rail on again likewise; false where it is on already. */
export async function openRail(db: Database, rail: TransactionType, audit: AuditEntry): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const { count } = await tx.closedRail.deleteMany({ where: { rail } });
    if (count > 0) await insertAuditIn(tx, audit);
    await invalidateAccountCachesIn(tx, ALL_ACCOUNTS);
    return count > 0;
  });
}

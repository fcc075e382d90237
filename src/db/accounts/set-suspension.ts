import type pg from 'pg';
import { invalidateAccountCaches } from '../api-keys/api-keys.ts';
import { type AuditEntry, insertAuditOn } from '../audit/audit.ts';
import { withTransaction } from '../connection/with-transaction.ts';

/**
 * Suspends an account for a `reason`, or ends its suspension (null), with the audit, in one commit,
 * by which every process drops what it has cached of the account.
 * A request that is about to hold money waits for a suspension, and is then rejected. Returns false
 * when it was already so; null when there is no such account.
 */
export async function setSuspension(
  db: pg.Pool,
  suspension: {
    accountId: string;
    reason: string | null;
    audit: AuditEntry;
    now: Date;
  },
): Promise<boolean | null> {
  const { accountId, reason, audit, now } = suspension;
  return withTransaction(db, async (client) => {
    const { rows } = await client.query<{ suspended: boolean }>(
      'SELECT suspended_at IS NOT NULL AS suspended FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
      [accountId],
    );
    const [account] = rows;
    if (!account) return null;
    // Also where nothing changes: the operator may repeat it because a process missed the
    // notification.
    await invalidateAccountCaches(client, accountId);
    if (account.suspended === (reason !== null)) return false;
    await client.query('UPDATE accounts SET suspended_at = $2, suspension_reason = $3 WHERE id = $1', [
      accountId,
      reason === null ? null : now,
      reason,
    ]);
    await insertAuditOn(client, audit);
    return true;
  });
}

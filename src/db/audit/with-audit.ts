import type pg from 'pg';
import { withTransaction } from '../connection/with-transaction.ts';
import { type AuditEntry, insertAuditOn } from './audit.ts';

/**
 * Does an act that is one statement, and notes it in the same commit: both are done, or neither.
 * `entryOf` null: nothing was done that is to be noted. Not for money: see askNoted.
 */
export const withAudit = <T>(
  db: pg.Pool,
  act: (client: pg.PoolClient) => Promise<T>,
  entryOf: (result: T) => AuditEntry | null,
): Promise<T> =>
  withTransaction(db, async (client) => {
    const result = await act(client);
    const entry = entryOf(result);
    if (entry) await insertAuditOn(client, entry);
    return result;
  });

import type pg from 'pg';
import { markUnsentPayoutsUnknown } from '../withdrawals/payouts.ts';

/**
 * Marks every withdrawal as unknown that a restored database does not know to be sent, and returns
 * the last commit that was replayed; null: there was none.
 */
export async function markRestoredPayouts(client: pg.ClientBase, baseStoppedAt: Date): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('SELECT pg_last_xact_replay_timestamp() AS at');
  // Without one the database is as its copy was: what it had not sent may have been sent since.
  const lastCommit = rows[0]?.at ?? null;
  await markUnsentPayoutsUnknown(client, lastCommit ?? baseStoppedAt);
  return lastCommit;
}

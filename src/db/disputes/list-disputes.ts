import type pg from 'pg';
import { DISPUTE_STATES, type DisputeState } from '#domain/disputes/dispute-states.ts';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { DISPUTE_COLUMNS, type DisputeRow } from './disputes.ts';

export type DisputeFilter = {
  /** Empty: every state. */
  states: readonly DisputeState[];
  /** Only cases older than this one. */
  before: string | null;
  limit: number;
};

/**
 * Cases of an account, newest first. A state is looked for among all of them: an account has few,
 * because only fraud is contested so.
 */
export async function listDisputes(db: pg.Pool, accountId: string, filter: DisputeFilter): Promise<DisputeRow[]> {
  const { states, before, limit } = filter;
  const { rows } = await db.query<DisputeRow>({
    name: 'list-disputes',
    text: `SELECT ${DISPUTE_COLUMNS} FROM disputes d
      WHERE d.account_id = $1 AND (d.account_id, d.id) < ($1, $2) AND d.state::text = ANY ($3) ORDER BY d.id DESC LIMIT $4`,
    values: [accountId, before ?? LAST_UUID, states.length > 0 ? states : DISPUTE_STATES, limit],
  });
  return rows;
}

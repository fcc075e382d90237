import type pg from 'pg';

/**
 * Cases that have not ended, by where they are. `to_forward`: the operator has to bring the answer
 * to the PSP; `not_taken`: the PSP has rejected it.
 */
export type DisputeCount = {
  state: 'open' | 'answered' | 'to_forward' | 'not_taken' | 'lost';
  mode: 'live' | 'test';
  count: number;
};

/** How many cases have not ended. */
export async function countDisputes(db: pg.Pool): Promise<DisputeCount[]> {
  const { rows } = await db.query<DisputeCount>({
    name: 'count-disputes',
    text: `SELECT CASE WHEN d.state = 'answered' AND d.answer_rejection IS NOT NULL THEN 'not_taken'
          WHEN d.state = 'answered' AND d.provider_id IS NULL AND d.answer_sent_at IS NULL THEN 'to_forward'
          ELSE d.state::text END AS state, a.mode, count(*)::integer AS count
      FROM disputes d JOIN accounts a ON a.id = d.account_id
      WHERE d.state IN ('open', 'answered', 'lost') GROUP BY 1, a.mode`,
  });
  return rows;
}

import type pg from 'pg';

export type FirstSteps = {
  chargeId: string | null;
  pendingChargeId: string | null;
  paid: boolean;
  endpoint: boolean;
  delivered: boolean;
};

/** How far an account has come: its latest charge, whether one was paid, and whether a webhook arrived. */
export async function findFirstSteps(db: pg.Pool, accountId: string): Promise<FirstSteps> {
  const { rows } = await db.query<FirstSteps>({
    name: 'find-first-steps',
    text: `SELECT
        (SELECT id FROM transactions WHERE account_id = $1 AND type = 'pix_in' ORDER BY id DESC LIMIT 1) AS "chargeId",
        (SELECT id FROM (SELECT id, type, status FROM transactions WHERE account_id = $1 ORDER BY id DESC LIMIT 200) latest
          WHERE type = 'pix_in' AND status = 'pending' LIMIT 1) AS "pendingChargeId",
        EXISTS (SELECT FROM transactions WHERE account_id = $1 AND type = 'pix_in' AND status IN ('paid', 'refunded')) AS paid,
        EXISTS (SELECT FROM endpoints WHERE account_id = $1 AND url <> '') AS endpoint,
        EXISTS (SELECT FROM events e JOIN deliveries d ON d.event_id = e.id
          WHERE e.account_id = $1 AND d.status = 'delivered') AS delivered`,
    values: [accountId],
  });
  return rows[0] as FirstSteps;
}

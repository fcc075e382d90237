import type pg from 'pg';

export type FirstSteps = {
  chargeId: string | null;
  pendingChargeId: string | null;
  paid: boolean;
  endpoint: boolean;
  testReceiver: boolean;
  delivered: boolean;
};

/** Every page runs this query, so of a long history only the newest rows are read. */
const EVENTS_READ_MAX = 500;
const TRANSACTIONS_READ_MAX = 200;

/**
 * Returns which first steps an account has taken: its latest charge, whether it was ever paid,
 * whether it has an endpoint, and whether a webhook was delivered.
 */
export async function findFirstSteps(
  db: pg.Pool,
  { accountId, testReceiverUrl }: { accountId: string; testReceiverUrl: string },
): Promise<FirstSteps> {
  const { rows } = await db.query<FirstSteps>({
    name: 'find-first-steps',
    text: `WITH latest AS (SELECT id, type, status FROM transactions WHERE account_id = $1 ORDER BY id DESC LIMIT $4)
      SELECT (SELECT id FROM latest WHERE type = 'pix_in' ORDER BY id DESC LIMIT 1) AS "chargeId",
        (SELECT id FROM latest WHERE type = 'pix_in' AND status = 'pending' ORDER BY id DESC LIMIT 1) AS "pendingChargeId",
        -- An account whose balance ever moved was paid something first.
        EXISTS (SELECT FROM ledger_accounts WHERE account_id = $1 AND kind = 'available' AND version > 0) AS paid,
        EXISTS (SELECT FROM endpoints WHERE account_id = $1 AND url <> '') AS endpoint,
        EXISTS (SELECT FROM endpoints WHERE account_id = $1 AND url = $2) AS "testReceiver",
        EXISTS (SELECT FROM (SELECT id FROM events WHERE account_id = $1 ORDER BY id DESC LIMIT $3) e
          JOIN deliveries d ON d.event_id = e.id WHERE d.status = 'delivered') AS delivered`,
    values: [accountId, testReceiverUrl, EVENTS_READ_MAX, TRANSACTIONS_READ_MAX],
  });
  return rows[0] as FirstSteps;
}

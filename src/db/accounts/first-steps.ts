import type pg from 'pg';

export type FirstSteps = {
  charged: boolean;
  chargeId: string | null;
  pendingChargeId: string | null;
  paid: boolean;
  endpoint: boolean;
  testReceiver: boolean;
  delivered: boolean;
  connected: boolean;
};

/** Every page runs this query, so of a long history only the newest rows are read. */
const EVENTS_READ_MAX = 500;
const TRANSACTIONS_READ_MAX = 200;

/**
 * Returns which first steps the merchant of an account has taken, in live or in test mode: whether
 * they ever made a charge, were paid, had a webhook delivered, and connected a PSP in live mode.
 * And what the account itself has to take the next with: its latest charges, and its endpoints.
 */
export async function findFirstSteps(
  db: pg.Pool,
  { accountId, testReceiverUrl }: { accountId: string; testReceiverUrl: string },
): Promise<FirstSteps> {
  const { rows } = await db.query<FirstSteps>({
    name: 'find-first-steps',
    text: `WITH own AS (SELECT o.id, o.mode FROM accounts a JOIN accounts o ON o.merchant_id = a.merchant_id WHERE a.id = $1),
        latest AS (SELECT t.* FROM own, LATERAL (
          SELECT account_id, id, type, status FROM transactions WHERE account_id = own.id ORDER BY id DESC LIMIT $4) t)
      SELECT EXISTS (SELECT FROM latest WHERE type = 'pix_in') AS charged,
        (SELECT id FROM latest WHERE account_id = $1 AND type = 'pix_in' ORDER BY id DESC LIMIT 1) AS "chargeId",
        (SELECT id FROM latest WHERE account_id = $1 AND type = 'pix_in' AND status = 'pending'
          ORDER BY id DESC LIMIT 1) AS "pendingChargeId",
        -- An account whose balance ever moved was paid something first.
        EXISTS (SELECT FROM own JOIN ledger_accounts l ON l.account_id = own.id
          WHERE l.kind = 'available' AND l.version > 0) AS paid,
        EXISTS (SELECT FROM endpoints WHERE account_id = $1 AND url <> '') AS endpoint,
        EXISTS (SELECT FROM endpoints WHERE account_id = $1 AND url = $2) AS "testReceiver",
        EXISTS (SELECT FROM own, LATERAL (SELECT id FROM events WHERE account_id = own.id ORDER BY id DESC LIMIT $3) e
          JOIN deliveries d ON d.event_id = e.id WHERE d.status = 'delivered') AS delivered,
        EXISTS (SELECT FROM own JOIN credentials c ON c.account_id = own.id
          WHERE own.mode = 'live' AND c.kind = 'api_pix' AND c.is_active) AS connected`,
    values: [accountId, testReceiverUrl, EVENTS_READ_MAX, TRANSACTIONS_READ_MAX],
  });
  return rows[0] as FirstSteps;
}

/** displayStatusOf as SQL, over transactions t; a test holds it to the function. */
export const DISPLAY_STATUS = `CASE
  WHEN t.sub_status IS NOT NULL THEN t.sub_status
  WHEN t.type = 'crypto_in' AND t.status = 'completed' THEN 'paid'
  WHEN t.type = 'pix_in' AND t.status = 'paid' AND t.refunded_centavos > 0 THEN 'partially_refunded'
  ELSE t.status::text END`;

/** Whether an amount that arrived waits for a decision, over reviews r. */
export const IS_AMOUNT_IN_REVIEW = 'r.resolved_at IS NULL AND r.received_centavos > 0';

/**
 * The transactions of which an amount waits for a decision, whatever their status is: a second
 * payment of a charge leaves it paid. Those of a whole installation are few.
 */
export const AMOUNTS_IN_REVIEW = `SELECT DISTINCT r.transaction_id FROM reviews r WHERE ${IS_AMOUNT_IN_REVIEW}`;

/** displayStatusOf as SQL, over transactions t; a test holds it to the function. */
export const DISPLAY_STATUS = `CASE
  WHEN t.sub_status IS NOT NULL THEN t.sub_status
  WHEN t.type = 'crypto_in' AND t.status = 'completed' THEN 'paid'
  WHEN t.type = 'pix_in' AND t.status = 'paid' AND t.refunded_centavos > 0 THEN 'partially_refunded'
  ELSE t.status::text END`;

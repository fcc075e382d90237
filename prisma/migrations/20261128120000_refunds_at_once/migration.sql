-- An event of a refund says how much of its charge has been refunded by then. Of two that end at
-- once, the second said what was so before the first. Whether so much is still refunded of the
-- charge of a refund is asked under the charge's lock, by the statement that ends the refund.
CREATE FUNCTION refund_is_after(p_refund_id uuid, p_refunded bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_refund refunds;
  v_tx transactions;
BEGIN
  SELECT * INTO STRICT v_refund FROM refunds WHERE id = p_refund_id;
  v_tx := ledger_lock_transaction(v_refund.transaction_id, '{pix_in}');
  RETURN v_tx.refunded_centavos = p_refunded;
END $$;

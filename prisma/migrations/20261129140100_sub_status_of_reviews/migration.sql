-- An invoice that a review completes kept the sub-status that it had as expired, none or one of a
-- payment that was still awaited, and so was shown as paid, however little had come. As
-- review_credit_invoice (see 20261128140000_reviews_of_an_invoice_at_once), and the invoice then
-- has p_sub_status, which follows from what is settled: 'changed', with nothing done, when that is
-- not p_settled any more.
CREATE FUNCTION review_credit_invoice(
  p_review_id uuid, p_left bigint, p_fee_centavos bigint, p_reason text, p_by jsonb,
  p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text,
  p_credited bigint, p_fees bigint, p_decided bigint, p_settled bigint, p_sub_status text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_outcome text;
BEGIN
  v_tx := ledger_lock_transaction(
    (SELECT transaction_id FROM reviews WHERE id = p_review_id), '{crypto_in}');
  IF v_tx.settled_units <> p_settled THEN RETURN 'changed'; END IF;
  v_outcome := review_credit_invoice(p_review_id, p_left, p_fee_centavos, p_reason, p_by, p_now,
    p_event_id, p_event_type, p_event_body, p_credited, p_fees, p_decided);
  IF v_outcome = 'credited' THEN
    UPDATE transactions SET sub_status = p_sub_status WHERE id = v_tx.id;
  END IF;
  RETURN v_outcome;
END $$;

-- What of an invoice's reviews was decided about, what was credited of it then, and the fee in it.
CREATE FUNCTION invoice_decided(p_transaction_id uuid)
RETURNS TABLE (centavos bigint, credit bigint, fee bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(r.received_centavos), 0)::bigint, coalesce(sum(f.gross_centavos), 0)::bigint,
    coalesce(sum(f.fee_centavos), 0)::bigint
  FROM reviews r LEFT JOIN ledger_transfers f ON f.transaction_id = r.transaction_id
    AND f.kind = 'review_credited' AND f.reference = r.end_to_end_id
  WHERE r.transaction_id = p_transaction_id AND r.resolved_at IS NOT NULL
$$;

-- The fee of a review of an invoice, and the event of its decision, depend on what has been
-- credited of the invoice by then. Of two that were credited at once each took the fixed part of
-- the fee. Whether the figures still hold is asked under the invoice's lock: as
-- review_credit_invoice (see 20261122162006_unmatched), or 'changed', with nothing done, when
-- p_credited, p_fees and p_decided are not what of the invoice is credited, the fee in it, and what
-- was decided about.
CREATE FUNCTION review_credit_invoice(
  p_review_id uuid, p_left bigint, p_fee_centavos bigint, p_reason text, p_by jsonb,
  p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text,
  p_credited bigint, p_fees bigint, p_decided bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_holds boolean;
BEGIN
  v_tx := ledger_lock_transaction(
    (SELECT transaction_id FROM reviews WHERE id = p_review_id), '{crypto_in}');
  SELECT v_tx.credited_centavos + credit = p_credited AND v_tx.credited_fee_centavos + fee = p_fees
    AND centavos = p_decided
  INTO v_holds FROM invoice_decided(v_tx.id);
  IF NOT v_holds THEN RETURN 'changed'; END IF;
  RETURN review_credit_invoice(p_review_id, p_left, p_fee_centavos, p_reason, p_by, p_now,
    p_event_id, p_event_type, p_event_body);
END $$;

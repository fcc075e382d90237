-- Puts a withdrawal into review, as the function of that name in 20261122162003_withdrawals does,
-- and keeps the ids that its provider names for the payment: by them it is recognised where the
-- provider lists it without our id, and details and receipts say them as the event does. An id that
-- another withdrawal has stays there. The one without ids is kept for processes of the version
-- before.
CREATE FUNCTION payout_review(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text,
  p_tx_hashes text[], p_failure_code text, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_before transaction_status := payout_review(p_transaction_id, p_from, p_failure_code, p_now,
    p_event_id, p_event_type, p_event_body);
BEGIN
  IF v_before = p_from THEN
    UPDATE transactions t SET
      provider_id = CASE WHEN NOT EXISTS (SELECT FROM transactions o
          WHERE o.provider_id = p_provider_id AND o.rail = t.rail AND o.id <> t.id)
        THEN coalesce(p_provider_id, t.provider_id) ELSE t.provider_id END,
      end_to_end_id = CASE WHEN NOT EXISTS (SELECT FROM transactions o
          WHERE o.end_to_end_id = p_end_to_end_id AND o.rail = t.rail AND o.type = t.type
            AND o.id <> t.id)
        THEN coalesce(p_end_to_end_id, t.end_to_end_id) ELSE t.end_to_end_id END,
      tx_hashes = CASE WHEN p_tx_hashes <> '{}' THEN p_tx_hashes ELSE t.tx_hashes END
    WHERE t.id = p_transaction_id;
  END IF;
  RETURN v_before;
END $$;

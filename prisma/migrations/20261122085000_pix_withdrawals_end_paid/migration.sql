-- A PIX withdrawal that is done is `paid`, the REST contract's word for it; a crypto withdrawal stays `completed`. Rows of before are
-- renamed, and so is what the lists call their events; the bodies of events stay as they were sent.

-- What a transaction is called once its money has moved.
CREATE FUNCTION settled_status(p_type transaction_type) RETURNS transaction_status LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_type IN ('pix_in', 'pix_out') THEN 'paid' ELSE 'completed' END::transaction_status
$$;

UPDATE transactions SET status = 'paid' WHERE type = 'pix_out' AND status = 'completed';
UPDATE transactions SET failure_code = 'provider_says_paid' WHERE type = 'pix_out' AND failure_code = 'provider_says_completed';
UPDATE events SET type = 'pix_out.paid' WHERE type = 'pix_out.completed';

-- No transaction bears a word that its type does not have.
ALTER TABLE transactions ADD CONSTRAINT transactions_status CHECK (CASE type
  WHEN 'pix_in' THEN status IN ('pending', 'paid', 'expired', 'cancelled', 'failed', 'review', 'refunded')
  WHEN 'pix_out' THEN status IN ('pending', 'processing', 'paid', 'failed', 'review')
  WHEN 'crypto_in' THEN status IN ('pending', 'completed', 'expired', 'cancelled', 'failed')
  WHEN 'crypto_out' THEN status IN ('pending', 'completed', 'failed', 'review')
END);

-- As before, with the word of the type.
CREATE OR REPLACE FUNCTION payout_complete(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text, p_tx_hashes text[],
  p_paid_at timestamptz, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from NOT IN ('pending', 'processing') OR v_tx.payout_step IS NULL THEN
    RAISE EXCEPTION 'A withdrawal that is % or was never sent is not completed.', p_from USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = settled_status(v_tx.type), payout_step = 'sent', paid_at = p_paid_at, updated_at = p_now,
    provider_id = coalesce(p_provider_id, provider_id), end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id),
    tx_hashes = p_tx_hashes
  WHERE id = v_tx.id;
  PERFORM ledger_withdrawal_completed(v_tx.id, p_now);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'payout' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

CREATE OR REPLACE FUNCTION payout_review(
  p_transaction_id uuid, p_from transaction_status, p_failure_code text, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from NOT IN (settled_status(v_tx.type), 'failed') THEN
    RAISE EXCEPTION 'A withdrawal that is % has nothing to be reviewed.', p_from USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = 'review', failure_code = p_failure_code, updated_at = p_now WHERE id = v_tx.id;
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  RETURN v_tx.status;
END $$;

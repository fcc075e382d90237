-- A case holds what is contested without what a refund holds that is on its way. Where that refund
-- fails, its money is contested, too: until now it became available, could be spent while the case
-- was open, and was owed once the return mechanism took it.
CREATE FUNCTION ledger_dispute_failed_refund(
  p_tx transactions, p_refund refunds, p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_held bigint;
BEGIN
  SELECT * INTO v_dispute FROM disputes
  WHERE transaction_id = p_tx.id AND state IN ('open', 'answered', 'lost') FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT least(p_refund.centavos, v_dispute.centavos - v_dispute.held_centavos, balance_centavos,
    ledger_returnable(p_tx)) INTO v_held
  FROM ledger_accounts WHERE account_id = p_tx.account_id AND kind = 'available' FOR UPDATE;
  IF v_held <= 0 THEN RETURN; END IF;
  PERFORM ledger_dispute(p_tx.id, v_dispute.id || ' ' || p_refund.id, v_held, p_now);
  UPDATE disputes SET held_centavos = held_centavos + v_held WHERE id = v_dispute.id;
END $$;

-- As in 20261122162004_refunds, with the case that holds the money of a refund that failed.
CREATE OR REPLACE FUNCTION refund_finish(
  p_refund_id uuid, p_done boolean, p_return_id text, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_refund refunds;
  v_tx transactions;
BEGIN
  SELECT * INTO STRICT v_refund FROM refunds WHERE id = p_refund_id;
  v_tx := ledger_lock_transaction(v_refund.transaction_id, '{pix_in}');
  UPDATE refunds
  SET status = CASE WHEN p_done THEN 'completed' ELSE 'failed' END::refund_status,
    return_id = p_return_id, finished_at = p_now
  WHERE id = p_refund_id AND status = 'pending';
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_done THEN
    PERFORM ledger_refund_completed(v_tx.id, p_refund_id::text, p_now);
    UPDATE transactions
    SET refunded_centavos = refunded_centavos + v_refund.centavos, updated_at = p_now,
      status = CASE WHEN refunded_centavos + v_refund.centavos = amount_centavos THEN 'refunded'
        ELSE status END
    WHERE id = v_tx.id;
  ELSE
    PERFORM ledger_refund_failed(v_tx.id, p_refund_id::text, p_now);
    PERFORM ledger_dispute_failed_refund(v_tx, v_refund, p_now);
  END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'refund' AND subject_id = p_refund_id;
  RETURN true;
END $$;

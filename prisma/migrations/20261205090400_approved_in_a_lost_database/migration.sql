-- A withdrawal that waits for a second person in a database that was restored may have been
-- approved and sent by the one that was lost. It was declined, or failed by time, and its money
-- came back to the account although it had left.

-- Lets a withdrawal that waits, and that its PSP has, go on as one that was sent: what is scheduled
-- begins under its id, under which the PSP pays once, and another one is asked about and never
-- sent. Returns false when it waits no more.
CREATE FUNCTION withdrawal_resume(p_transaction_id uuid, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
BEGIN
  SELECT * INTO v_tx FROM transactions WHERE id = p_transaction_id FOR UPDATE;
  IF v_tx.sub_status IS DISTINCT FROM 'pending_approval' THEN RETURN false; END IF;
  DELETE FROM tasks WHERE kind IN ('notify_approval', 'expire_approval') AND subject_id = v_tx.id;
  IF v_tx.scheduled_for IS NOT NULL THEN
    UPDATE transactions SET sub_status = 'scheduled', updated_at = p_now WHERE id = v_tx.id;
    PERFORM scheduled_payout_wait(v_tx.id, p_now);
  ELSE
    UPDATE transactions
    SET sub_status = NULL, payout_step = 'unknown', payout_sent_at = p_now, updated_at = p_now
    WHERE id = v_tx.id;
    INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, p_now);
  END IF;
  RETURN true;
END $$;

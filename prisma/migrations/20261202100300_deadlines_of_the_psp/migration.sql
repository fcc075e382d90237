-- The deadline of a case is its PSP's. One that an operator enters has another one until the PSP
-- lists the case, and a PSP may extend its own: an answer for which there was time was rejected
-- here, or was not sent. Gives a case that has not ended the deadline of its PSP, and plans its
-- next reminder for p_remind_at; null: there is none. Returns false, with nothing done, where the
-- case has ended or has that deadline.
CREATE FUNCTION dispute_move_deadline(
  p_id uuid, p_answer_by timestamptz, p_remind_at timestamptz, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
BEGIN
  -- First, as whatever else changes a case: two that wait for each other would end in an error.
  PERFORM ledger_lock_transaction(
    (SELECT transaction_id FROM disputes WHERE id = p_id), '{pix_in}');
  UPDATE disputes SET answer_by = p_answer_by
  WHERE id = p_id AND state IN ('open', 'answered') AND answer_by <> p_answer_by
  RETURNING * INTO v_dispute;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO tasks (kind, subject_id, due_at)
  SELECT 'dispute_reminder', p_id, p_remind_at
  WHERE v_dispute.state = 'open' AND p_remind_at IS NOT NULL
  ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = excluded.due_at;
  PERFORM dispute_show(v_dispute.transaction_id, p_now);
  RETURN true;
END $$;

-- Emits the event that a case still waits for an answer, as dispute_remind without a claim does
-- (see 20261122162007_disputes), which processes of the version before call. Here the task that
-- reminds is planned for p_next, or ends where that is null, with the event: a worker that dies
-- right after it has sent one event. Returns false, with nothing done, where the case waits for no
-- answer, and where the task is not claimed until p_lease_until any more.
CREATE FUNCTION dispute_remind(
  p_id uuid, p_lease_until timestamptz, p_next timestamptz, p_now timestamptz, p_event_id uuid,
  p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
BEGIN
  -- First, as whatever else ends the task: two that wait for each other would end in an error.
  SELECT x.* INTO v_tx FROM disputes d JOIN transactions x ON x.id = d.transaction_id
  WHERE d.id = p_id AND d.state = 'open' AND d.answer_by > p_now FOR UPDATE OF x;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_next IS NULL THEN
    DELETE FROM tasks
    WHERE kind = 'dispute_reminder' AND subject_id = p_id AND due_at = p_lease_until;
  ELSE
    UPDATE tasks SET due_at = p_next, attempts = 0, last_error = NULL
    WHERE kind = 'dispute_reminder' AND subject_id = p_id AND due_at = p_lease_until;
  END IF;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'dispute.due_soon', p_event_body, p_now);
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('notify_dispute', p_id, p_now)
  ON CONFLICT DO NOTHING;
  RETURN true;
END $$;

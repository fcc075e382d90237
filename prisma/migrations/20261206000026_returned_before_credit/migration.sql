-- A lost case whose devolução came while its payment waited without an account, or in review, ends
-- with it: the account was credited with what was left, and nothing more goes back. It stayed
-- 'lost', and held that money for ever.

-- As before, but for such a devolução.
CREATE OR REPLACE FUNCTION dispute_close(
  p_id uuid, p_from dispute_state, p_to dispute_state, p_by jsonb, p_now timestamptz,
  p_event_id uuid, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_tx transactions;
  v_to dispute_state := p_to;
BEGIN
  v_tx := ledger_lock_transaction(
    (SELECT transaction_id FROM disputes WHERE id = p_id), '{pix_in}');
  SELECT * INTO STRICT v_dispute FROM disputes WHERE id = p_id FOR UPDATE;
  IF v_dispute.state <> p_from THEN RETURN 'decided'; END IF;
  IF p_from NOT IN ('open', 'answered', 'lost') OR p_to NOT IN ('won', 'lost', 'cancelled')
    OR p_from = p_to
  THEN
    RAISE EXCEPTION 'A dispute that is % does not become %.', p_from, p_to USING ERRCODE = 'TR004';
  END IF;
  IF p_to = 'lost' AND EXISTS (SELECT FROM foreign_refunds
    WHERE rail = ANY (rails_beside(v_tx.rail)) AND end_to_end_id = v_tx.end_to_end_id
      AND kind = 'med_return' AND transaction_id IS NULL AND created_at >= v_dispute.opened_at)
  THEN
    v_to := 'returned';
  END IF;
  IF v_to <> 'lost' THEN PERFORM ledger_dispute_released(v_dispute, p_now); END IF;
  UPDATE disputes SET state = v_to, closed_at = p_now,
    held_centavos = CASE WHEN v_to = 'lost' THEN held_centavos ELSE 0 END
  WHERE id = p_id;
  DELETE FROM tasks WHERE kind = 'dispute_reminder' AND subject_id = p_id;
  PERFORM dispute_show(v_tx.id, p_now);
  PERFORM audit_decision(v_dispute.account_id, 'dispute.closed', jsonb_build_object(
    'subject', v_tx.id, 'dispute_id', p_id, 'outcome', p_to), p_by, p_now);
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'dispute.closed', p_event_body, p_now);
  RETURN 'closed';
END $$;

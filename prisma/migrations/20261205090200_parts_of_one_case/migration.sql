-- A payer's money may come back in parts, as the account of its payment has some. Each part after
-- the first made a case of its own, which no PSP has: lists and figures of cases had too many, and
-- the merchant's case said too little of what went back.

-- As in 20261205090100_open_cases_of_returns. Of a payment whose last case has ended with a
-- devolução, another one belongs to that case, as long as no more goes back than is contested. What
-- is contested by a case that no PSP has listed is what went back.
CREATE OR REPLACE FUNCTION ledger_dispute_returned(
  p_refund foreign_refunds, p_tx transactions, p_at timestamptz, p_now timestamptz
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_taken bigint;
BEGIN
  SELECT * INTO v_dispute FROM disputes
  WHERE transaction_id = p_tx.id AND state IN ('open', 'answered', 'lost') FOR UPDATE;
  IF NOT FOUND THEN
    SELECT * INTO v_dispute FROM disputes WHERE transaction_id = p_tx.id
    ORDER BY id DESC LIMIT 1 FOR UPDATE;
    v_dispute.returned_centavos := v_dispute.returned_centavos + p_refund.centavos;
    IF v_dispute.state = 'returned' AND (v_dispute.returned_centavos <= v_dispute.centavos
      OR v_dispute.provider_id IS NULL
        AND EXISTS (SELECT FROM foreign_refunds WHERE id = v_dispute.id))
    THEN
      UPDATE disputes SET returned_centavos = v_dispute.returned_centavos,
        centavos = greatest(centavos, v_dispute.returned_centavos) WHERE id = v_dispute.id;
      RETURN 0;
    END IF;
    INSERT INTO disputes (id, account_id, transaction_id, reason, centavos, returned_centavos,
      state, opened_at, answer_by, closed_at, created_at)
    VALUES (p_refund.id, p_tx.account_id, p_tx.id, 'unknown', p_refund.centavos, p_refund.centavos,
      'returned', p_at, p_at, p_now, p_now);
    RETURN 0;
  END IF;
  v_taken := least(v_dispute.held_centavos, p_refund.centavos);
  v_dispute.held_centavos := v_dispute.held_centavos - v_taken;
  PERFORM ledger_dispute_released(v_dispute, p_now);
  UPDATE disputes SET state = 'returned', held_centavos = 0, closed_at = coalesce(closed_at, p_now),
    returned_centavos = p_refund.centavos WHERE id = v_dispute.id;
  DELETE FROM tasks WHERE kind = 'dispute_reminder' AND subject_id = v_dispute.id;
  RETURN v_taken;
END $$;

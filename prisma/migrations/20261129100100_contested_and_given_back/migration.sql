-- A payment that is contested may go back in the bank's application all the same. It was taken from
-- the balance while its case held as much again: an account without more than that owed what was
-- blocked, and where the case was lost later, with nothing left to be taken, both stayed so.

-- Takes from what an open case of a payment holds as much of a devolução as exceeds what else of
-- the payment is left: that can't be contested any more. Returns how much.
CREATE FUNCTION ledger_dispute_covered(p_refund foreign_refunds, p_tx transactions) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_covered bigint;
BEGIN
  SELECT * INTO v_dispute FROM disputes
  WHERE transaction_id = p_tx.id AND state IN ('open', 'answered', 'lost') FOR UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  v_covered := least(v_dispute.held_centavos,
    greatest(p_refund.centavos - greatest(ledger_returnable(p_tx), 0), 0));
  UPDATE disputes SET held_centavos = held_centavos - v_covered WHERE id = v_dispute.id;
  RETURN v_covered;
END $$;

-- As in 20261128130000_returns_beside, but for what a case holds of a payment that was given back.
CREATE OR REPLACE FUNCTION foreign_refund_record(
  p_row jsonb, p_transaction_id uuid, p_refunded bigint, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_new foreign_refunds := jsonb_populate_record(NULL::foreign_refunds, p_row);
  v_tx transactions;
  v_reviewed_id uuid;
  v_rails text[] := rails_beside(v_new.rail);
BEGIN
  IF EXISTS (SELECT FROM foreign_refunds WHERE rail = ANY (v_rails)
    AND (end_to_end_id, refund_id) = (v_new.end_to_end_id, v_new.refund_id))
  THEN
    RETURN 'known';
  END IF;
  SELECT * INTO v_tx FROM transactions
  WHERE end_to_end_id = v_new.end_to_end_id AND rail = ANY (v_rails) AND type = 'pix_in' FOR UPDATE;
  IF v_tx.id IS DISTINCT FROM p_transaction_id THEN RETURN 'changed'; END IF;
  IF v_tx.id IS NOT NULL THEN
    IF v_tx.refunded_centavos <> p_refunded THEN RETURN 'changed'; END IF;
    v_new.transaction_id := v_tx.id;
    v_new.rail := v_tx.rail;
  ELSE
    SELECT r.id, x.id, x.rail INTO v_new.review_id, v_reviewed_id, v_new.rail
    FROM reviews r JOIN transactions x ON x.id = r.transaction_id
    WHERE r.end_to_end_id = v_new.end_to_end_id AND x.rail = ANY (v_rails) AND x.type = 'pix_in'
      AND r.resolved_at IS NULL;
    IF NOT FOUND THEN
      SELECT id, rail INTO v_new.unmatched_id, v_new.rail FROM unmatched_payments
      WHERE end_to_end_id = v_new.end_to_end_id AND rail = ANY (v_rails)
        AND state IN ('open', 'returning') FOR UPDATE;
      IF NOT FOUND THEN RETURN 'unknown_payment'; END IF;
    ELSE
      -- As review_lock does: whoever decided meanwhile has taken the money out of suspense.
      PERFORM FROM transactions WHERE id = v_reviewed_id FOR UPDATE;
      PERFORM FROM reviews WHERE id = v_new.review_id AND resolved_at IS NULL FOR UPDATE;
      IF NOT FOUND THEN RETURN 'changed'; END IF;
    END IF;
  END IF;
  INSERT INTO foreign_refunds (id, rail, end_to_end_id, refund_id, return_id, kind, centavos,
    transaction_id, review_id, unmatched_id, created_at)
  VALUES (v_new.id, v_new.rail, v_new.end_to_end_id, v_new.refund_id, v_new.return_id, v_new.kind,
    v_new.centavos, v_new.transaction_id, v_new.review_id, v_new.unmatched_id, p_now)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'known'; END IF;
  IF v_new.review_id IS NOT NULL THEN
    PERFORM ledger_review_returned(v_new.review_id, v_new.id::text, v_new.centavos, p_now);
  ELSIF v_new.unmatched_id IS NOT NULL THEN
    PERFORM ledger_unmatched_returned(v_new.unmatched_id, v_new.id::text, v_new.centavos, p_now);
  ELSE
    PERFORM ledger_foreign_refund(v_tx, v_new.id::text, v_new.centavos,
      CASE v_new.kind WHEN 'med_return' THEN ledger_dispute_returned(v_new, v_tx, p_now)
        ELSE ledger_dispute_covered(v_new, v_tx) END,
      p_now);
    UPDATE transactions SET refunded_centavos = refunded_centavos + v_new.centavos,
      updated_at = p_now,
      status = CASE WHEN refunded_centavos + v_new.centavos >= amount_centavos THEN 'refunded'
        ELSE status END
    WHERE id = v_tx.id;
    PERFORM event_emit(v_tx, 'deposit', p_event_id, p_event_type, p_event_body, p_now);
  END IF;
  RETURN 'booked';
END $$;

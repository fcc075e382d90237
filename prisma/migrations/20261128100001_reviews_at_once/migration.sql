-- foreign_refund_record (see 20261122162006_unmatched) looked for an open review without a lock:
-- with a decision about it in progress, the money left suspense twice.
CREATE OR REPLACE FUNCTION foreign_refund_record(
  p_row jsonb, p_transaction_id uuid, p_refunded bigint, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_new foreign_refunds := jsonb_populate_record(NULL::foreign_refunds, p_row);
  v_tx transactions;
  v_reviewed_id uuid;
BEGIN
  IF EXISTS (SELECT FROM foreign_refunds WHERE rail = v_new.rail
    AND (end_to_end_id, refund_id) = (v_new.end_to_end_id, v_new.refund_id))
  THEN
    RETURN 'known';
  END IF;
  SELECT * INTO v_tx FROM transactions
  WHERE end_to_end_id = v_new.end_to_end_id AND rail = v_new.rail AND type = 'pix_in' FOR UPDATE;
  IF v_tx.id IS DISTINCT FROM p_transaction_id THEN RETURN 'changed'; END IF;
  IF v_tx.id IS NOT NULL THEN
    IF v_tx.refunded_centavos <> p_refunded THEN RETURN 'changed'; END IF;
    v_new.transaction_id := v_tx.id;
  ELSE
    SELECT r.id, x.id INTO v_new.review_id, v_reviewed_id
    FROM reviews r JOIN transactions x ON x.id = r.transaction_id
    WHERE r.end_to_end_id = v_new.end_to_end_id AND x.rail = v_new.rail AND x.type = 'pix_in'
      AND r.resolved_at IS NULL;
    IF NOT FOUND THEN
      SELECT id INTO v_new.unmatched_id FROM unmatched_payments
      WHERE end_to_end_id = v_new.end_to_end_id AND rail = v_new.rail
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
      CASE v_new.kind WHEN 'med_return' THEN ledger_dispute_returned(v_new, v_tx, p_now) ELSE 0 END,
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

-- ledger_reject_changed_amounts (see 20261122162001_ledger): what is written off leaves suspense,
-- which does not depend on the amounts. A charge whose first payment was written off could not be
-- credited with its second.
CREATE OR REPLACE FUNCTION ledger_reject_changed_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM ledger_transfers
    WHERE transaction_id = OLD.id AND kind NOT IN ('suspense', 'review_returned', 'review_written_off')
  ) THEN
    RAISE EXCEPTION 'Transaction % is posted: its type, accounts and amounts are fixed.', OLD.id
      USING ERRCODE = 'TR001';
  END IF;
  RETURN NEW;
END $$;

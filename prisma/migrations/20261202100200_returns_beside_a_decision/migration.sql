-- A payment without a charge that goes back in part while somebody credits it was in no charge when
-- the return was booked, and in suspense no more: the return was left for a later sweep, which for
-- an older payment is days away. As in 20261202100100_returns_of_what_was_written_off, but such a
-- payment has changed, and is looked for again.
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
      AND (r.resolved_at IS NULL OR r.resolution = 'write_off');
    IF NOT FOUND THEN
      SELECT id, rail INTO v_new.unmatched_id, v_new.rail FROM unmatched_payments
      WHERE end_to_end_id = v_new.end_to_end_id AND rail = ANY (v_rails)
        AND state IN ('open', 'returning') FOR UPDATE;
      IF NOT FOUND THEN
        RETURN CASE WHEN EXISTS (SELECT FROM unmatched_payments
            WHERE end_to_end_id = v_new.end_to_end_id AND rail = ANY (v_rails)
              AND state IN ('assigned', 'deposited'))
          THEN 'changed' ELSE 'unknown_payment' END;
      END IF;
    ELSE
      -- As review_lock does: whoever decided meanwhile has taken the money out of suspense.
      PERFORM FROM transactions WHERE id = v_reviewed_id FOR UPDATE;
      PERFORM FROM reviews WHERE id = v_new.review_id
        AND (resolved_at IS NULL OR resolution = 'write_off') FOR UPDATE;
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

-- A payment in review that an operator writes off may still go back at its PSP: the return
-- mechanism (MED) takes also what nobody here was credited with. It was not booked, and the books
-- were apart from the PSP for good. What goes back is now taken from what was written off.

-- As in 20261122162006_unmatched, with the money of a review that was written off.
CREATE OR REPLACE FUNCTION ledger_review_returned(
  p_review_id uuid, p_reference text, p_centavos bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews;
  v_tx transactions;
  v_mode mode;
  v_source ledger_account_kind;
BEGIN
  v_tx := ledger_lock_transaction(
    (SELECT transaction_id FROM reviews WHERE id = p_review_id), '{pix_in}');
  SELECT * INTO STRICT v_review FROM reviews WHERE id = p_review_id FOR UPDATE;
  v_mode := account_mode(v_tx.account_id);
  v_source := CASE WHEN v_review.resolved_at IS NULL THEN 'suspense' ELSE 'write_offs' END;
  IF NOT ledger_post(v_tx.id, 'review_returned', p_reference, p_now,
    ARRAY[ledger_platform_account(v_source, v_mode),
          ledger_platform_account('pix_settlement', v_mode)],
    ARRAY[-p_centavos, p_centavos])
  THEN
    RETURN false;
  END IF;
  UPDATE reviews SET returned_centavos = returned_centavos + p_centavos WHERE id = p_review_id;
  IF v_review.resolved_at IS NULL
    AND v_review.returned_centavos + p_centavos = v_review.received_centavos
  THEN
    UPDATE reviews SET resolved_at = p_now, resolution = 'return',
      resolved_by = coalesce(resolved_by, 'provider') WHERE id = p_review_id;
    PERFORM ledger_end_review(v_tx, p_now);
  END IF;
  RETURN true;
END $$;

-- As in 20261129100100_contested_and_given_back, also for a review that was written off. A payment
-- without a charge that goes back in part while somebody credits it was in no charge when the
-- return was booked, and in suspense no more: the return was left for a later sweep, which for an
-- older payment is days away. Such a payment has changed, and is looked for again.
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

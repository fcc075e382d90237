-- What a PSP reports as given back has left it. A PSP may carry out a refund that is on its way and
-- take the same payment by the return mechanism (MED), together more than was paid. The second of
-- the two could not be booked: a charge, a review and an unmatched payment had to have returned at
-- most what was received. The books were apart from the PSP, and a refund that was carried out
-- never ended. Now each is booked. Of a charge, the account pays it, and owes what it lacks. Of a
-- payment that nobody was credited with, the platform pays what suspense does not have of it.

ALTER TABLE reviews DROP CONSTRAINT reviews_returned,
  ADD CONSTRAINT reviews_returned CHECK (returned_centavos >= 0);
ALTER TABLE unmatched_payments DROP CONSTRAINT unmatched_payments_amounts,
  DROP CONSTRAINT unmatched_payments_state,
  ADD CONSTRAINT unmatched_payments_amounts CHECK (centavos > 0 AND returned_centavos >= 0),
  ADD CONSTRAINT unmatched_payments_state CHECK (
    (state IN ('assigned', 'deposited')) = (transaction_id IS NOT NULL)
    AND (state <> 'returned' OR returned_centavos >= centavos));

-- As in 20261201090000_lighter_settling, without the bound of what is refunded. A request of ours
-- is bound by what is left of the payment (ledger_require_returnable).
CREATE OR REPLACE FUNCTION transaction_check(t transactions) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_broken text := CASE
    WHEN NOT (t.amount_centavos > 0 AND t.fee_centavos >= 0 AND t.split_centavos >= 0
      AND t.net_centavos >= 0
      -- Incoming amounts are divided. An outgoing PIX pays its fee on top of the amount, an
      -- outgoing crypto transfer pays it out of the amount.
      AND CASE t.type
        WHEN 'pix_in' THEN t.amount_centavos = t.net_centavos + t.fee_centavos + t.split_centavos
        WHEN 'pix_out' THEN t.amount_centavos = t.net_centavos AND t.split_centavos = 0
        ELSE t.amount_centavos = t.net_centavos + t.fee_centavos AND t.split_centavos = 0 END)
      THEN 'amounts'
    WHEN NOT transaction_has_status(t.type, t.status) THEN 'status'
    WHEN NOT ((t.split_account_id IS NULL) = (t.split_centavos = 0)
      AND t.split_account_id <> t.account_id) THEN 'split'
    WHEN t.refunded_centavos < 0 THEN 'refunded'
  END;
BEGIN
  IF v_broken IS NULL AND (t.type <> 'pix_in'
    OR num_nonnulls(t.split_of_id, t.pix_key, t.pix_key_type, t.currency, t.sub_status,
      t.scheduled_for, t.begun_at, t.payout_step) > 0
    OR (t.credited_centavos, t.credited_fee_centavos, t.reviewed_centavos, t.received_units,
      t.in_time_units, t.settled_units, t.quoted_units) <> (0, 0, 0, 0, 0, 0, 0))
  THEN
    v_broken := CASE
      WHEN (t.type = 'split_in') <> (t.split_of_id IS NOT NULL) THEN 'split_in'
      WHEN (t.pix_key IS NULL) <> (t.pix_key_type IS NULL)
        -- One without a key was made in the bank's application, and is known since it was paid.
        OR CASE WHEN t.type = 'pix_out' THEN t.pix_key IS NULL AND t.status <> 'paid'
          ELSE t.pix_key IS NOT NULL END
        THEN 'pix_key'
      WHEN (t.type IN ('crypto_in', 'crypto_out'))
        <> (t.currency IS NOT NULL AND t.units IS NOT NULL AND t.quote_price IS NOT NULL)
        OR t.type = 'crypto_out' AND t.wallet IS NULL THEN 'crypto'
      WHEN t.sub_status IS NOT NULL AND NOT CASE
        WHEN t.type = 'crypto_in' THEN t.sub_status
          IN ('partial', 'detected', 'underpaid', 'overpaid', 'late', 'paid_again')
        WHEN t.type IN ('pix_out', 'crypto_out') THEN
          t.sub_status IN ('pending_approval', 'scheduled') AND t.status = 'pending'
          AND t.payout_step IS NULL
        ELSE false END THEN 'sub_status'
      -- What is scheduled waits, has begun, or has ended without that.
      WHEN NOT CASE
        WHEN t.scheduled_for IS NULL THEN t.begun_at IS NULL
          AND t.sub_status IS DISTINCT FROM 'scheduled'
          AND (t.type <> 'pix_out' OR t.status <> 'cancelled')
        WHEN t.begun_at IS NULL THEN t.type = 'pix_out' AND CASE t.status
          WHEN 'pending' THEN t.sub_status IS NOT NULL ELSE t.status IN ('failed', 'cancelled') END
        ELSE t.type = 'pix_out' AND t.sub_status IS NULL AND t.status <> 'cancelled' END
        THEN 'scheduled'
      WHEN t.payout_step NOT IN ('sending', 'unknown', 'sent') THEN 'payout_step'
      WHEN NOT (t.received_units >= 0
        AND t.credited_centavos >= t.credited_fee_centavos AND t.credited_fee_centavos >= 0
        AND (t.type = 'crypto_in' OR t.credited_centavos = 0)) THEN 'credited'
      WHEN NOT (0 <= t.quoted_units AND t.quoted_units <= t.settled_units
        AND t.settled_units <= t.received_units
        AND 0 <= t.in_time_units AND t.in_time_units <= t.received_units
        AND t.reviewed_centavos >= 0
        AND (t.type = 'crypto_in' OR t.received_units = 0 AND t.reviewed_centavos = 0))
        THEN 'settled'
    END;
  END IF;
  IF v_broken IS NULL THEN RETURN true; END IF;
  RAISE EXCEPTION 'Transaction % breaks the rule transactions_%.', t.id, v_broken
    USING ERRCODE = 'check_violation', TABLE = 'transactions',
      CONSTRAINT = 'transactions_' || v_broken;
END $$;

-- As in 20261202100000_failed_refunds_of_contested_payments: more than was paid is also all of it.
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
      status = CASE WHEN refunded_centavos + v_refund.centavos >= amount_centavos THEN 'refunded'
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

-- As in 20261202100100_returns_beside_decisions: suspense pays what it has of the payment, and the
-- platform the rest.
CREATE OR REPLACE FUNCTION ledger_review_returned(
  p_review_id uuid, p_reference text, p_centavos bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews;
  v_tx transactions;
  v_mode mode;
  v_held bigint := 0;
BEGIN
  v_tx := ledger_lock_transaction(
    (SELECT transaction_id FROM reviews WHERE id = p_review_id), '{pix_in}');
  SELECT * INTO STRICT v_review FROM reviews WHERE id = p_review_id FOR UPDATE;
  v_mode := account_mode(v_tx.account_id);
  IF v_review.resolved_at IS NULL THEN
    v_held := least(v_review.received_centavos - v_review.returned_centavos, p_centavos);
  END IF;
  IF NOT ledger_post(v_tx.id, 'review_returned', p_reference, p_now,
    ARRAY[ledger_platform_account('suspense', v_mode),
          ledger_platform_account('write_offs', v_mode),
          ledger_platform_account('pix_settlement', v_mode)],
    ARRAY[-v_held, v_held - p_centavos, p_centavos])
  THEN
    RETURN false;
  END IF;
  UPDATE reviews SET returned_centavos = returned_centavos + p_centavos WHERE id = p_review_id;
  IF v_review.resolved_at IS NULL
    AND v_review.returned_centavos + p_centavos >= v_review.received_centavos
  THEN
    UPDATE reviews SET resolved_at = p_now, resolution = 'return',
      resolved_by = coalesce(resolved_by, 'provider') WHERE id = p_review_id;
    PERFORM ledger_end_review(v_tx, p_now);
  END IF;
  RETURN true;
END $$;

-- ledger_post_unmatched (see 20261122162001_ledger) with any number of accounts of the platform.
-- The amounts sum to zero; those that are zero are left out.
CREATE FUNCTION ledger_post_unmatched(
  p_kind text, p_reference text, p_now timestamptz, p_accounts bigint[], p_amounts bigint[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_transfer bigint;
BEGIN
  -- As in ledger_post.
  PERFORM pg_current_xact_id();
  INSERT INTO ledger_transfers (kind, reference, created_at) VALUES (p_kind, p_reference, p_now)
  ON CONFLICT (kind, reference) WHERE transaction_id IS NULL DO NOTHING
  RETURNING id INTO v_transfer;
  IF v_transfer IS NULL THEN RETURN false; END IF;
  INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos)
  SELECT v_transfer, leg.account, leg.amount
  FROM unnest(p_accounts, p_amounts) AS leg (account, amount) WHERE leg.amount <> 0;
  RETURN true;
END $$;

-- As in 20261122162006_unmatched: suspense pays what it has of the payment, and the platform the
-- rest.
CREATE OR REPLACE FUNCTION ledger_unmatched_returned(
  p_id uuid, p_reference text, p_centavos bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments;
  v_held bigint;
BEGIN
  SELECT * INTO STRICT v_unmatched FROM unmatched_payments WHERE id = p_id FOR UPDATE;
  v_held := greatest(least(v_unmatched.centavos - v_unmatched.returned_centavos, p_centavos), 0);
  IF NOT ledger_post_unmatched('unmatched_returned', p_reference, p_now,
    ARRAY[ledger_platform_account('suspense', v_unmatched.mode),
          ledger_platform_account('write_offs', v_unmatched.mode),
          ledger_platform_account('pix_settlement', v_unmatched.mode)],
    ARRAY[-v_held, v_held - p_centavos, p_centavos])
  THEN
    RETURN false;
  END IF;
  UPDATE unmatched_payments SET returned_centavos = returned_centavos + p_centavos,
    state = CASE WHEN returned_centavos + p_centavos >= centavos THEN 'returned' ELSE state END
  WHERE id = p_id;
  RETURN true;
END $$;

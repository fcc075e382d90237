-- Whoever books a payment locks its end-to-end id first, then the row of its charge, or of what
-- waits without one. charge_pay had its charge's entry in the unique index of end-to-end ids before
-- it waited for an unmatched payment; who decided about that had its row, and waited for the entry:
-- a deadlock. So were payout_complete and foreign_payout_charge.

-- As before, but for the order of its locks.
CREATE OR REPLACE FUNCTION charge_pay(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_paid_at timestamptz,
  p_now timestamptz, p_event_id uuid, p_event_body text,
  p_split_id uuid, p_split_event_id uuid, p_split_event_body text,
  p_source ledger_account_kind DEFAULT 'pix_settlement'
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_source ledger_account_kind := p_source;
  v_is_unmatched boolean := false;
  v_is_booked boolean := false;
  v_split transactions;
BEGIN
  IF p_source = 'pix_settlement' THEN
    -- The payment isn't booked as unmatched, or with another charge, meanwhile.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_end_to_end_id, 0));
  END IF;
  LOOP
    UPDATE transactions
    SET status = 'paid', end_to_end_id = p_end_to_end_id, paid_at = p_paid_at, updated_at = p_now
    WHERE id = p_transaction_id AND type = 'pix_in' AND status = p_from
    RETURNING * INTO v_tx;
    EXIT WHEN FOUND;
    v_tx := ledger_lock_transaction(p_transaction_id, '{pix_in}');
    IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
    -- It was given this status meanwhile, and is locked now.
  END LOOP;
  IF p_source = 'pix_settlement' THEN
    SELECT EXISTS (SELECT FROM unmatched_payments WHERE end_to_end_id = p_end_to_end_id),
      EXISTS (SELECT FROM reviews WHERE end_to_end_id = p_end_to_end_id)
        -- Over the same rail the unique index says so.
        OR is_own_rail(v_tx.rail) AND EXISTS (SELECT FROM transactions
          WHERE end_to_end_id = p_end_to_end_id AND type = 'pix_in' AND id <> v_tx.id)
    INTO v_is_unmatched, v_is_booked;
    -- Apart, because it would take a third of the time, and is rarely needed.
    IF v_is_booked THEN
      v_is_booked := EXISTS (SELECT FROM reviews r JOIN transactions x ON x.id = r.transaction_id
          WHERE r.end_to_end_id = p_end_to_end_id AND x.rail = ANY (rails_beside(v_tx.rail)))
        OR EXISTS (SELECT FROM transactions
          WHERE end_to_end_id = p_end_to_end_id AND rail = ANY (rails_beside(v_tx.rail))
            AND type = 'pix_in' AND id <> v_tx.id);
    END IF;
    IF v_is_unmatched THEN v_source := unmatched_take(v_tx, p_now); END IF;
  END IF;
  IF v_is_booked OR NOT ledger_credit_charge(v_tx, p_now, v_source) THEN
    RAISE EXCEPTION 'Transaction %: it is credited already, or payment % is booked otherwise.',
        v_tx.id, p_end_to_end_id
      USING ERRCODE = 'TR004';
  END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.paid', p_event_body, p_now);
  IF v_tx.split_account_id IS NOT NULL THEN
    INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos,
      net_centavos, rail, split_of_id, created_at, paid_at, updated_at)
    VALUES (p_split_id, v_tx.split_account_id, 'split_in', 'paid', v_tx.split_centavos, 0,
      v_tx.split_centavos, v_tx.rail, v_tx.id, p_now, p_now, p_now)
    RETURNING * INTO v_split;
    PERFORM event_emit(v_split, 'deposit', p_split_event_id, 'split_in.paid', p_split_event_body,
      p_now);
  END IF;
  DELETE FROM tasks WHERE kind = 'sync_charge' AND subject_id = v_tx.id;
  RETURN p_from;
END $$;

-- As before, but for the order of its locks.
CREATE OR REPLACE FUNCTION charge_review(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_received bigint,
  p_paid_at timestamptz, p_reason text, p_now timestamptz, p_review_id uuid, p_event_id uuid,
  p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_rails text[];
BEGIN
  -- What is read after this is what others have booked of the payment.
  PERFORM pg_advisory_xact_lock(hashtextextended(p_end_to_end_id, 0));
  v_tx := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  v_rails := rails_beside(v_tx.rail);
  IF (unmatched_of(v_tx.rail, p_end_to_end_id)).id IS NOT NULL THEN
    RAISE EXCEPTION 'Transaction %: payment % waits for another decision, or had one.',
        v_tx.id, p_end_to_end_id
      USING ERRCODE = 'TR004';
  END IF;
  IF EXISTS (SELECT FROM transactions
      WHERE rail = ANY (v_rails) AND end_to_end_id = p_end_to_end_id AND type = 'pix_in')
    OR EXISTS (SELECT FROM reviews r JOIN transactions x ON x.id = r.transaction_id
      WHERE r.end_to_end_id = p_end_to_end_id AND x.rail = ANY (v_rails) AND x.id <> v_tx.id)
  THEN
    RAISE EXCEPTION 'Transaction %: payment % is credited already, or another charge has it.',
        v_tx.id, p_end_to_end_id
      USING ERRCODE = 'TR004';
  END IF;
  IF NOT ledger_suspense(v_tx.id, p_end_to_end_id, p_received, p_now) THEN
    RETURN v_tx.status;
  END IF;
  INSERT INTO reviews (id, transaction_id, reason, expected_centavos, received_centavos,
    end_to_end_id, paid_at, created_at)
  VALUES (p_review_id, v_tx.id, p_reason, v_tx.amount_centavos, p_received,
    p_end_to_end_id, p_paid_at, p_now);
  IF v_tx.status NOT IN ('paid', 'refunded', 'review') THEN
    UPDATE transactions SET status = 'review', updated_at = p_now WHERE id = v_tx.id;
    DELETE FROM tasks WHERE kind = 'sync_charge' AND subject_id = v_tx.id;
  END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.review', p_event_body, p_now);
  RETURN v_tx.status;
END $$;

-- As before, but for the lock of the end-to-end id.
CREATE OR REPLACE FUNCTION unmatched_lock(p_id uuid, p_left bigint) RETURNS unmatched_payments
LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(end_to_end_id, 0))
  FROM unmatched_payments WHERE id = p_id;
  SELECT * INTO v_unmatched FROM unmatched_payments
  WHERE id = p_id AND state = 'open' AND centavos - returned_centavos = p_left FOR UPDATE;
  RETURN v_unmatched;
END $$;

-- As before, but for the order of its locks.
CREATE OR REPLACE FUNCTION unmatched_assign(
  p_id uuid, p_left bigint, p_transaction_id uuid, p_from transaction_status, p_fee_centavos bigint,
  p_reason text, p_by jsonb, p_now timestamptz, p_event_id uuid, p_event_body text,
  p_split_id uuid, p_split_event_id uuid, p_split_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments := unmatched_lock(p_id, p_left);
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  IF v_unmatched.id IS NULL THEN RETURN 'decided'; END IF;
  IF v_tx.rail <> v_unmatched.rail OR account_mode(v_tx.account_id) <> v_unmatched.mode THEN
    RETURN 'other_rail';
  END IF;
  IF v_tx.status <> p_from OR v_tx.status NOT IN ('pending', 'expired', 'cancelled', 'failed') THEN
    RETURN 'not_open';
  END IF;
  PERFORM ledger_pay_from_suspense(v_tx, p_left, p_fee_centavos, v_unmatched.end_to_end_id,
    v_unmatched.paid_at, p_now, p_event_id, p_event_body,
    p_split_id, p_split_event_id, p_split_event_body);
  UPDATE unmatched_payments SET state = 'assigned', transaction_id = v_tx.id, reason = p_reason,
    decided_by = p_by ->> 'name', decided_at = p_now WHERE id = p_id;
  PERFORM audit_decision(v_tx.account_id, 'unmatched.assigned', jsonb_build_object(
    'subject', v_tx.id, 'centavos', p_left, 'end_to_end_id', v_unmatched.end_to_end_id,
    'reason', p_reason), p_by, p_now);
  RETURN 'assigned';
END $$;

-- As before, but for the lock of the end-to-end id.
CREATE OR REPLACE FUNCTION foreign_payout_charge(
  p_id uuid, p_transaction_id uuid, p_account_id uuid, p_reason text, p_by jsonb, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_payout foreign_payouts;
  v_tx transactions;
  v_taken ledger_taking;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(end_to_end_id, 0))
  FROM foreign_payouts WHERE id = p_id;
  SELECT * INTO v_payout FROM foreign_payouts WHERE id = p_id AND state = 'open' FOR UPDATE;
  IF NOT FOUND OR foreign_payout_is_in_review(p_id) THEN RETURN 'decided'; END IF;
  IF account_mode(p_account_id) <> v_payout.mode OR v_payout.account_id <> p_account_id THEN
    RETURN 'other_rail';
  END IF;
  INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos,
    net_centavos, rail, end_to_end_id, created_at, paid_at, updated_at)
  VALUES (p_transaction_id, p_account_id, 'pix_out', 'paid', v_payout.centavos, 0,
    v_payout.centavos, v_payout.rail, v_payout.end_to_end_id, p_now, v_payout.sent_at, p_now)
  RETURNING * INTO v_tx;
  v_taken := ledger_take(p_account_id, v_payout.centavos);
  PERFORM ledger_post(v_tx.id, 'foreign_payout_charged', '', p_now,
    v_taken.accounts || ledger_platform_account('suspense', v_payout.mode),
    v_taken.amounts || v_payout.centavos);
  UPDATE foreign_payouts SET state = 'charged', transaction_id = v_tx.id, reason = p_reason,
    decided_by = p_by ->> 'name', decided_at = p_now WHERE id = p_id;
  PERFORM audit_decision(p_account_id, 'foreign_payout.charged', jsonb_build_object(
    'subject', v_tx.id, 'centavos', v_payout.centavos, 'end_to_end_id', v_payout.end_to_end_id,
    'reason', p_reason), p_by, p_now);
  PERFORM event_emit(v_tx, 'withdrawal', p_event_id, p_event_type, p_event_body, p_now);
  RETURN 'charged';
END $$;

-- A payment that a PSP names for two charges is booked with one of them, credited or in review:
-- whoever comes second gets TR004. It was so only where the credit came first and had committed.

-- As before, but for reviews of other charges, and for charges over other rails of the account.
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
    -- The lock of unmatched_of: the payment isn't booked as unmatched, or with another charge,
    -- meanwhile.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_end_to_end_id, 0));
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

-- As before, but for reviews of other charges, and the lock of the payment comes first.
CREATE OR REPLACE FUNCTION charge_review(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_received bigint,
  p_paid_at timestamptz, p_reason text, p_now timestamptz, p_review_id uuid, p_event_id uuid,
  p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_rails text[] := rails_beside(v_tx.rail);
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  -- First: what is read after its lock is what others have booked of the payment.
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

-- A PSP may list a payment, or call back about it, without its txid: then it waits among those of
-- no charge. When its charge named it as well, it was credited a second time, and could be sent
-- back.

-- The unmatched payment with this end-to-end id, locked; its id is null where there is none. None
-- is booked meanwhile: unmatched_record takes the same lock.
CREATE FUNCTION unmatched_of(p_rail text, p_end_to_end_id text) RETURNS unmatched_payments
LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_end_to_end_id, 0));
  SELECT * INTO v_unmatched FROM unmatched_payments
  WHERE end_to_end_id = p_end_to_end_id AND (rail = p_rail OR rail = ANY (rails_beside(p_rail)))
  FOR UPDATE;
  RETURN v_unmatched;
END $$;

-- Returns where the money of a charge that is paid comes from: from suspense where its payment
-- waits there, which ends with that; else from the provider. A payment that somebody has decided
-- about is not credited here: TR004.
CREATE FUNCTION unmatched_take(p_tx transactions, p_now timestamptz) RETURNS ledger_account_kind
LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments := unmatched_of(p_tx.rail, p_tx.end_to_end_id);
BEGIN
  IF v_unmatched.id IS NULL THEN RETURN 'pix_settlement'; END IF;
  IF v_unmatched.state <> 'open' OR v_unmatched.returned_centavos > 0
    OR v_unmatched.centavos <> p_tx.amount_centavos
  THEN
    RAISE EXCEPTION 'Transaction %: unmatched payment % is % already.',
        p_tx.id, p_tx.end_to_end_id, v_unmatched.state
      USING ERRCODE = 'TR004';
  END IF;
  UPDATE unmatched_payments SET state = 'assigned', transaction_id = p_tx.id,
    decided_by = 'provider', decided_at = p_now
  WHERE id = v_unmatched.id;
  RETURN 'suspense';
END $$;

-- charge_pay (see 20261128020000_leaner_postings)
CREATE OR REPLACE FUNCTION charge_pay(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_paid_at timestamptz,
  p_now timestamptz, p_event_id uuid, p_event_body text,
  p_split_id uuid, p_split_event_id uuid, p_split_event_body text,
  p_source ledger_account_kind DEFAULT 'pix_settlement'
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_source ledger_account_kind := p_source;
  v_is_new boolean;
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
  IF p_source = 'pix_settlement' THEN v_source := unmatched_take(v_tx, p_now); END IF;
  v_is_new := ledger_credit_charge(v_tx, p_now, v_source);
  IF NOT v_is_new
    OR p_source = 'pix_settlement' AND EXISTS (SELECT FROM ledger_transfers
      WHERE transaction_id = v_tx.id AND kind = 'suspense' AND reference = p_end_to_end_id)
  THEN
    RAISE EXCEPTION 'Transaction %: it is credited already, or payment % is in suspense.',
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

-- charge_review (see 20261122162002_charges)
CREATE OR REPLACE FUNCTION charge_review(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_received bigint,
  p_paid_at timestamptz, p_reason text, p_now timestamptz, p_review_id uuid, p_event_id uuid,
  p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF EXISTS (
    SELECT FROM transactions
    WHERE rail = v_tx.rail AND end_to_end_id = p_end_to_end_id AND type = 'pix_in'
  ) THEN
    RAISE EXCEPTION 'Transaction %: payment % is credited already.', v_tx.id, p_end_to_end_id
      USING ERRCODE = 'TR004';
  END IF;
  IF (unmatched_of(v_tx.rail, p_end_to_end_id)).id IS NOT NULL THEN
    RAISE EXCEPTION 'Transaction %: payment % waits for another decision, or had one.',
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

-- unmatched_record (see 20261122162006_unmatched)
CREATE OR REPLACE FUNCTION unmatched_record(p_row jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_new unmatched_payments := jsonb_populate_record(NULL::unmatched_payments, p_row);
  v_rails text[] := rails_beside(v_new.rail);
BEGIN
  -- Two rails may list it at once, or its charge may be settled.
  PERFORM pg_advisory_xact_lock(hashtextextended(v_new.end_to_end_id, 0));
  IF EXISTS (SELECT FROM transactions
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id AND type = 'pix_in')
    OR EXISTS (SELECT FROM reviews r JOIN transactions x ON x.id = r.transaction_id
      WHERE r.end_to_end_id = v_new.end_to_end_id AND x.rail = ANY (v_rails))
    OR EXISTS (SELECT FROM unmatched_payments
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id)
  THEN
    RETURN false;
  END IF;
  INSERT INTO unmatched_payments (id, rail, mode, account_id, end_to_end_id, txid, centavos,
    paid_at, payer_note, created_at)
  VALUES (v_new.id, v_new.rail, v_new.mode, v_new.account_id, v_new.end_to_end_id, v_new.txid,
    v_new.centavos, v_new.paid_at, v_new.payer_note, v_new.created_at)
  ON CONFLICT (end_to_end_id, rail) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  RETURN ledger_post_unmatched('unmatched', v_new.id::text, v_new.created_at,
    ledger_platform_account('pix_settlement', v_new.mode),
    ledger_platform_account('suspense', v_new.mode), v_new.centavos);
END $$;

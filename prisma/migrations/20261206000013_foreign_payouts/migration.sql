-- Money that left a provider without a request of ours: a payment made in the bank's own
-- application. Found by the sweeps of what was sent.

-- Books money that left without a request of ours: suspense -> settlement. Suspense has the loss
-- until it is decided whose it is. `p_row` is its row of `foreign_payouts`. Returns false when it
-- is known: a payout of ours that its PSP lists without our id is known by its end-to-end id.
CREATE FUNCTION foreign_payout_record(p_row jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_new foreign_payouts := jsonb_populate_record(NULL::foreign_payouts, p_row);
  v_rails text[] := rails_beside(v_new.rail);
BEGIN
  -- Two rails may list it at once.
  IF cardinality(v_rails) > 1 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(v_new.end_to_end_id, 0));
  END IF;
  IF EXISTS (SELECT FROM transactions
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id AND type = 'pix_out')
    OR EXISTS (SELECT FROM foreign_payouts
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id)
  THEN
    RETURN false;
  END IF;
  INSERT INTO foreign_payouts (id, rail, mode, account_id, end_to_end_id, centavos, sent_at,
    created_at)
  VALUES (v_new.id, v_new.rail, v_new.mode, v_new.account_id, v_new.end_to_end_id, v_new.centavos,
    v_new.sent_at, v_new.created_at)
  ON CONFLICT (end_to_end_id, rail) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  RETURN ledger_post_unmatched('foreign_payout', v_new.id::text, v_new.created_at,
    ARRAY[ledger_platform_account('suspense', v_new.mode),
          ledger_platform_account('pix_settlement', v_new.mode)],
    ARRAY[-v_new.centavos, v_new.centavos]);
END $$;

-- Returns whether a payout waits for the review of the withdrawal that it belongs to. A PSP may
-- list a payout of ours without our id once the withdrawal has failed here, and say later that it
-- was paid: the review is about the same money, and is what is decided.
CREATE FUNCTION foreign_payout_is_in_review(p_id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM reviews WHERE foreign_payout_id = p_id AND resolved_at IS NULL)
$$;

-- The platform takes the loss of money that left without a request: write_offs -> suspense. Returns
-- 'written_off' or 'decided' (it waits for no decision any more, or for that about a review).
CREATE FUNCTION foreign_payout_write_off(
  p_id uuid, p_reason text, p_by jsonb, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_payout foreign_payouts;
BEGIN
  PERFORM FROM foreign_payouts WHERE id = p_id FOR UPDATE;
  IF foreign_payout_is_in_review(p_id) THEN RETURN 'decided'; END IF;
  UPDATE foreign_payouts
  SET state = 'written_off', reason = p_reason, decided_by = p_by ->> 'name', decided_at = p_now
  WHERE id = p_id AND state = 'open' RETURNING * INTO v_payout;
  IF NOT FOUND THEN RETURN 'decided'; END IF;
  PERFORM ledger_post_unmatched('foreign_payout_written_off', p_id::text, p_now,
    ARRAY[ledger_platform_account('write_offs', v_payout.mode),
          ledger_platform_account('suspense', v_payout.mode)],
    ARRAY[-v_payout.centavos, v_payout.centavos]);
  PERFORM audit_decision(v_payout.account_id, 'foreign_payout.written_off', jsonb_build_object(
    'centavos', v_payout.centavos, 'end_to_end_id', v_payout.end_to_end_id, 'reason', p_reason),
    p_by, p_now);
  RETURN 'written_off';
END $$;

-- An account pays for money that left without a request: available -> suspense, and what it does
-- not have is owed by it. It gets a PIX withdrawal of its own, p_transaction_id, which is paid and
-- has neither a fee nor a key: what is held to the account's limits was asked of the service.
-- Returns 'charged', 'decided' as above, or 'other_rail' (the account is of the other mode, or the
-- credentials are another account's own).
CREATE FUNCTION foreign_payout_charge(
  p_id uuid, p_transaction_id uuid, p_account_id uuid, p_reason text, p_by jsonb, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_payout foreign_payouts;
  v_tx transactions;
  v_taken ledger_taking;
BEGIN
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

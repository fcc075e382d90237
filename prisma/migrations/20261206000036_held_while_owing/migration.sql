-- What an account owes is paid by whatever is added to its available balance, which is zero until
-- then: so nothing is withdrawn by an account that owes. But what was held for a withdrawal before
-- was still sent, days or months later: one that waits for its approval, and one that is scheduled
-- and reserved. It is not sent now while the account owes; given back, it pays the debt.

-- Returns whether a withdrawal that was not sent yet holds money while its account owes. The caller
-- has locked the account's available balance.
CREATE FUNCTION holds_while_owing(p_tx transactions) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (SELECT FROM ledger_accounts
      WHERE account_id = p_tx.account_id AND kind = 'owed' AND balance_centavos < 0)
    AND ledger_is_posted(p_tx.id, 'withdrawal_requested');
END $$;

-- As before, but 'insufficient_funds' where the account owes by now.
CREATE OR REPLACE FUNCTION withdrawal_approve(
  p_account_id uuid, p_transaction_id uuid, p_member_id uuid, p_requote jsonb, p_now timestamptz,
  p_pix_key_indexes bytea[], p_network text, p_wallets text[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_approval withdrawal_approvals;
  v_block_reason text;
BEGIN
  SELECT * INTO v_tx FROM transactions
  WHERE id = p_transaction_id AND account_id = p_account_id FOR UPDATE;
  SELECT * INTO v_approval FROM withdrawal_approvals WHERE transaction_id = v_tx.id;
  IF v_approval.transaction_id IS NULL THEN RETURN 'unknown'; END IF;
  IF v_tx.sub_status IS DISTINCT FROM 'pending_approval' OR v_approval.expires_at <= p_now THEN
    RETURN 'decided';
  END IF;
  IF p_member_id = ANY (v_approval.asker_ids) THEN RETURN 'own'; END IF;
  PERFORM FROM ledger_accounts WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
  v_block_reason := money_out_block_reason(v_tx.account_id, NULL, p_member_id, true, p_now);
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;
  IF money_out_paused_until(v_approval.key_id, v_approval.member_id, p_now) IS NOT NULL THEN
    RETURN 'asker_paused';
  END IF;
  -- What is planned has to be allowed when it begins, and is looked at again then.
  v_block_reason := payee_block_reason(v_tx, p_pix_key_indexes, p_network, p_wallets,
    greatest(p_now, v_tx.scheduled_for));
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;
  IF holds_while_owing(v_tx) THEN RETURN 'insufficient_funds'; END IF;
  IF (v_tx.type = 'crypto_out') <> (p_requote IS NOT NULL) THEN
    RAISE EXCEPTION 'A withdrawal of type % is approved with a new quote or without one.', v_tx.type
      USING ERRCODE = 'TR004';
  END IF;

  v_tx := jsonb_populate_record(v_tx, coalesce(p_requote, '{}'));
  UPDATE transactions
  SET sub_status = CASE WHEN v_tx.scheduled_for IS NOT NULL THEN 'scheduled' END,
    updated_at = p_now, units = v_tx.units,
    quote_price = v_tx.quote_price, quote_spread_bps = v_tx.quote_spread_bps,
    quoted_at = v_tx.quoted_at, quote_sources = v_tx.quote_sources
  WHERE id = v_tx.id;
  UPDATE withdrawal_approvals
  SET outcome = 'approved', decided_by_id = p_member_id, decided_at = p_now
  WHERE transaction_id = v_tx.id;
  DELETE FROM tasks WHERE kind IN ('notify_approval', 'expire_approval') AND subject_id = v_tx.id;
  IF v_tx.scheduled_for IS NOT NULL THEN
    PERFORM scheduled_payout_wait(v_tx.id, v_tx.scheduled_for);
  ELSE
    INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, p_now);
  END IF;
  RETURN 'approved';
END $$;

-- As before, but for what is held while the account owes: then there is too little money.
CREATE OR REPLACE FUNCTION scheduled_payout_begin(
  p_transaction_id uuid, p_fee_centavos bigint, p_rail text, p_day_start timestamptz,
  p_day_end timestamptz, p_night_start timestamptz, p_night_end timestamptz,
  p_pix_key_indexes bytea[], p_next_row jsonb, p_next_plan jsonb, p_now timestamptz, OUT outcome text, OUT short_since timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_is_held boolean;
BEGIN
  SELECT * INTO v_tx FROM transactions WHERE id = p_transaction_id FOR UPDATE;
  IF v_tx.sub_status IS DISTINCT FROM 'scheduled' OR v_tx.scheduled_for > p_now THEN
    outcome := 'not_due';
    RETURN;
  END IF;
  IF v_tx.rail <> p_rail THEN
    UPDATE transactions SET rail = p_rail WHERE id = v_tx.id;
    v_tx.rail := p_rail;
  END IF;
  v_is_held := ledger_is_posted(v_tx.id, 'withdrawal_requested');
  IF NOT v_is_held AND v_tx.fee_centavos <> p_fee_centavos THEN
    UPDATE transactions SET fee_centavos = p_fee_centavos WHERE id = v_tx.id;
    v_tx.fee_centavos := p_fee_centavos;
  END IF;
  v_tx.sub_status := NULL;
  v_tx.begun_at := p_now;
  IF v_is_held THEN
    -- As withdrawal_request does next: what the account owes changes under this lock alone.
    PERFORM FROM ledger_accounts
    WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
  END IF;
  IF v_is_held AND holds_while_owing(v_tx) THEN
    outcome := 'insufficient_funds';
  ELSE
    outcome := withdrawal_request(to_jsonb(v_tx), p_day_start, p_day_end, p_night_start,
      p_night_end, NULL, NULL, NULL, p_pix_key_indexes, NULL, '{}', NOT v_is_held, NULL);
  END IF;
  IF outcome = 'requested' THEN
    PERFORM scheduled_payout_plan(p_next_row, p_next_plan, p_now);
  ELSIF outcome = 'insufficient_funds' THEN
    UPDATE scheduled_payouts s SET short_since = coalesce(s.short_since, p_now)
    WHERE s.transaction_id = v_tx.id RETURNING s.short_since INTO short_since;
  END IF;
END $$;

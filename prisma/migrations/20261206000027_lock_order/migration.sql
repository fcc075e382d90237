-- Whoever holds money, or gives it back, locks the account's available balance before it locks
-- account and merchant (money_out_block_reason), as withdrawal_request does. These four did so
-- afterwards: beside a withdrawal, and a change of the account or the merchant that waited for
-- both, they deadlocked.

-- As before, with the balance locked first.
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

-- As before, with the balance locked first.
CREATE OR REPLACE FUNCTION refund_request(
  p_refund_id uuid, p_transaction_id uuid, p_centavos bigint, p_description text, p_now timestamptz,
  p_key_id uuid, p_member_id uuid, p_row jsonb, p_reference_indexes bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_row refunds := jsonb_populate_record(NULL::refunds, p_row);
  v_tx transactions;
  v_block_reason text;
  v_constraint text;
BEGIN
  IF reference_holder(v_row.account_id, p_refund_id, p_reference_indexes) IS NOT NULL THEN
    RETURN 'reference_taken';
  END IF;
  v_tx := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  IF EXISTS (SELECT FROM refunds WHERE id = p_refund_id) THEN RETURN 'exists'; END IF;
  PERFORM FROM ledger_accounts WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
  v_block_reason := money_out_block_reason(v_tx.account_id, p_key_id, p_member_id, false, p_now);
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;
  IF v_tx.status NOT IN ('paid', 'refunded') THEN RETURN 'not_paid'; END IF;
  IF is_disputed(v_tx.id) THEN RETURN 'disputed'; END IF;
  INSERT INTO refunds (id, transaction_id, centavos, description, created_at,
    account_id, reference, reference_index, metadata)
  VALUES (p_refund_id, v_tx.id, p_centavos, p_description, p_now,
    v_row.account_id, v_row.reference, v_row.reference_index, v_row.metadata);
  PERFORM ledger_refund_requested(v_tx.id, p_refund_id::text, p_centavos, p_now);
  IF NOT is_own_rail(v_tx.rail) AND EXISTS (SELECT FROM ledger_accounts
    WHERE account_id = v_tx.account_id AND kind = 'available' AND balance_centavos < own_centavos)
  THEN
    RAISE EXCEPTION 'The money of refund % is at another provider.', p_refund_id
      USING ERRCODE = 'TR006';
  END IF;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('refund', p_refund_id, p_now);
  RETURN 'requested';
EXCEPTION
  -- What this block has written is rolled back.
  WHEN SQLSTATE 'TR005' THEN RETURN 'exceeds';
  WHEN SQLSTATE 'TR006' THEN RETURN 'insufficient_funds';
  WHEN check_violation THEN
    GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
    IF v_constraint <> 'ledger_accounts_balance_not_negative' THEN RAISE; END IF;
    RETURN 'insufficient_funds';
END $$;

-- As before, with the balance locked first.
CREATE OR REPLACE FUNCTION refund_fail_blocked(
  p_refund_id uuid, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(
    (SELECT transaction_id FROM refunds WHERE id = p_refund_id), '{pix_in}');
BEGIN
  PERFORM FROM ledger_accounts WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
  PERFORM FROM refunds
  WHERE id = p_refund_id AND status = 'pending' AND sent_at IS NULL FOR UPDATE;
  IF NOT FOUND OR money_out_block_reason(v_tx.account_id, NULL, NULL, false, p_now) IS NULL THEN
    RETURN false;
  END IF;
  RETURN refund_finish(p_refund_id, false, NULL, p_now, p_event_id, p_event_type, p_event_body);
END $$;

-- As before, with the balance locked first.
CREATE OR REPLACE FUNCTION payout_fail_blocked(
  p_transaction_id uuid, p_sent_before timestamptz, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  PERFORM FROM ledger_accounts WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
  IF v_tx.status <> 'pending' OR v_tx.payout_sent_at IS DISTINCT FROM p_sent_before
    OR v_tx.payout_step IS NOT NULL AND v_tx.payout_step <> 'sending'
    OR money_out_block_reason(v_tx.account_id, NULL, NULL, true, p_now) IS NULL
  THEN
    RETURN false;
  END IF;
  PERFORM payout_fail(v_tx.id, v_tx.status, NULL, NULL, 'account_stopped', NULL, p_now,
    p_event_id, p_event_type, p_event_body);
  RETURN true;
END $$;

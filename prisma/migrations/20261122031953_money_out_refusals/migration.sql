-- Who may send no money now is decided by the statement that holds it: a suspended account, a rejected merchant, a member who has just
-- made a new password by mail, and keys of that member's making.

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspension_reason" TEXT;

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "created_by_id" UUID,
ADD COLUMN     "rotated_by_id" UUID;

-- Who made the keys from before is in the audit.
UPDATE api_keys k SET created_by_id = r.member_id FROM audit_records r
  WHERE r.action = 'api_key.created' AND r.details ->> 'key_id' = k.id::text;
UPDATE api_keys k SET rotated_by_id = r.member_id FROM audit_records r
  WHERE r.action = 'api_key.rotated' AND r.details ->> 'key_id' = k.id::text;

-- Until when a member, or the makers of a key, may send no money; null: they may.
CREATE FUNCTION money_out_paused_until(p_key_id uuid, p_member_id uuid, p_now timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT max(m.withdrawals_blocked_until) FROM members m
  WHERE m.withdrawals_blocked_until > p_now AND (m.id = p_member_id OR m.id IN (
    SELECT unnest(ARRAY[k.created_by_id, k.rotated_by_id]) FROM api_keys k WHERE k.id = p_key_id))
$$;

-- Why no money may leave an account for this asker: 'suspended', 'kyc' or 'paused'; null: it may. Merchant and account are locked
-- until the caller's commit: a rejection or a suspension waits for the statements before it, and those after it see it. With
-- p_approved it takes a merchant that was approved, else one that was not rejected.
CREATE FUNCTION money_out_refusal(p_account_id uuid, p_key_id uuid, p_member_id uuid, p_approved boolean, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_suspended_at timestamptz;
  v_kyc_status kyc_status;
BEGIN
  SELECT a.suspended_at, m.kyc_status INTO STRICT v_suspended_at, v_kyc_status
  FROM accounts a JOIN merchants m ON m.id = a.merchant_id WHERE a.id = p_account_id FOR SHARE OF a, m;
  RETURN CASE
    WHEN v_suspended_at IS NOT NULL THEN 'suspended'
    WHEN v_kyc_status = 'rejected' OR p_approved AND v_kyc_status <> 'approved' THEN 'kyc'
    WHEN money_out_paused_until(p_key_id, p_member_id, p_now) IS NOT NULL THEN 'paused'
  END;
END $$;

-- As before, and answers what money_out_refusal says too. p_key_id or p_member_id is who asks.
DROP FUNCTION withdrawal_request(jsonb, timestamptz, timestamptz);
CREATE FUNCTION withdrawal_request(
  p_row jsonb, p_day_start timestamptz, p_night_start timestamptz, p_key_id uuid, p_member_id uuid
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_rail text := CASE v_tx.type WHEN 'pix_out' THEN 'pix' WHEN 'crypto_out' THEN 'crypto' END;
  v_balance bigint;
  v_limit bigint;
  v_refusal text;
BEGIN
  SELECT balance_centavos INTO STRICT v_balance FROM ledger_accounts
  WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;

  IF EXISTS (SELECT FROM transactions WHERE id = v_tx.id) THEN RETURN 'exists'; END IF;

  v_refusal := money_out_refusal(v_tx.account_id, p_key_id, p_member_id, true, v_tx.created_at);
  IF v_refusal IS NOT NULL THEN RETURN v_refusal; END IF;

  v_limit := (SELECT centavos FROM effective_limits(v_tx.account_id) WHERE name = 'daily_limit_out_' || v_rail);
  IF withdrawn_since(v_tx.account_id, v_tx.type, p_day_start) + v_tx.amount_centavos > v_limit THEN RETURN 'daily_limit'; END IF;

  v_limit := (SELECT centavos FROM effective_limits(v_tx.account_id) WHERE name = 'night_limit_out_' || v_rail
    AND p_night_start IS NOT NULL);
  IF withdrawn_since(v_tx.account_id, v_tx.type, p_night_start) + v_tx.amount_centavos > v_limit THEN RETURN 'night_limit'; END IF;

  IF v_tx.net_centavos + v_tx.fee_centavos > v_balance THEN RETURN 'insufficient_funds'; END IF;

  INSERT INTO transactions SELECT (v_tx).*;
  PERFORM ledger_withdrawal_requested(v_tx.id, v_tx.created_at);
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, v_tx.created_at);
  RETURN 'requested';
END $$;

-- As before, but answers 'begun', 'taken' (somebody else has claimed it, or it is over) or 'stopped': it is not on its way, and since
-- it was asked for its account was suspended, or its merchant rejected. What was begun is finished, whatever became of the account.
DROP FUNCTION payout_begin(uuid, timestamptz, timestamptz);
CREATE FUNCTION payout_begin(p_transaction_id uuid, p_sent_before timestamptz, p_now timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_account_id uuid;
BEGIN
  SELECT account_id INTO v_account_id FROM transactions
  WHERE id = p_transaction_id AND type IN ('pix_out', 'crypto_out') AND status = 'pending'
    AND payout_sent_at IS NOT DISTINCT FROM p_sent_before
    AND (payout_step IS NULL OR payout_step = 'sending') AND (payout_step IS NULL) = (p_sent_before IS NULL) FOR UPDATE;
  IF NOT FOUND THEN RETURN 'taken'; END IF;
  IF money_out_refusal(v_account_id, NULL, NULL, true, p_now) IS NOT NULL THEN RETURN 'stopped'; END IF;
  UPDATE transactions SET payout_step = 'sending', payout_sent_at = p_now, updated_at = p_now WHERE id = p_transaction_id;
  RETURN 'begun';
END $$;

-- Fails a withdrawal that payout_begin has stopped, and gives the money back. False: somebody has begun it since, or may begin it.
CREATE FUNCTION payout_stop(
  p_transaction_id uuid, p_sent_before timestamptz, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status <> 'pending' OR v_tx.payout_sent_at IS DISTINCT FROM p_sent_before
    OR v_tx.payout_step IS NOT NULL AND v_tx.payout_step <> 'sending'
    OR money_out_refusal(v_tx.account_id, NULL, NULL, true, p_now) IS NULL
  THEN
    RETURN false;
  END IF;
  PERFORM payout_fail(v_tx.id, v_tx.status, NULL, NULL, 'account_stopped', NULL, p_now, p_event_id, p_event_type, p_event_body);
  RETURN true;
END $$;

-- As before, and answers what money_out_refusal says too. A merchant whose verification is not decided yet may give money back.
DROP FUNCTION refund_request(uuid, uuid, bigint, text, timestamptz);
CREATE FUNCTION refund_request(
  p_refund_id uuid, p_transaction_id uuid, p_centavos bigint, p_description text, p_now timestamptz,
  p_key_id uuid, p_member_id uuid
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_refusal text;
  v_constraint text;
BEGIN
  IF EXISTS (SELECT FROM refunds WHERE id = p_refund_id) THEN RETURN 'exists'; END IF;
  v_refusal := money_out_refusal(v_tx.account_id, p_key_id, p_member_id, false, p_now);
  IF v_refusal IS NOT NULL THEN RETURN v_refusal; END IF;
  IF v_tx.status NOT IN ('paid', 'refunded') THEN RETURN 'not_paid'; END IF;
  INSERT INTO refunds (id, transaction_id, centavos, description, created_at)
  VALUES (p_refund_id, v_tx.id, p_centavos, p_description, p_now);
  PERFORM ledger_refund_requested(v_tx.id, p_refund_id::text, p_centavos, p_now);
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('refund', p_refund_id, p_now);
  RETURN 'requested';
EXCEPTION
  -- What was written here is undone with the block.
  WHEN SQLSTATE 'TR005' THEN RETURN 'exceeds';
  WHEN check_violation THEN
    GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
    IF v_constraint <> 'ledger_accounts_balance_not_negative' THEN RAISE; END IF;
    RETURN 'insufficient_funds';
END $$;

-- Notes when the PSP was first asked for a refund. 'begun' (also when it was asked before: asking again is always right), 'over', or
-- 'stopped': it was never asked, and since then the account was suspended, or its merchant rejected.
CREATE FUNCTION refund_begin(p_refund_id uuid, p_now timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_refund refunds;
BEGIN
  SELECT * INTO STRICT v_refund FROM refunds WHERE id = p_refund_id FOR UPDATE;
  IF v_refund.status <> 'pending' THEN RETURN 'over'; END IF;
  IF v_refund.sent_at IS NOT NULL THEN RETURN 'begun'; END IF;
  IF money_out_refusal((SELECT account_id FROM transactions WHERE id = v_refund.transaction_id), NULL, NULL, false, p_now) IS NOT NULL THEN
    RETURN 'stopped';
  END IF;
  UPDATE refunds SET sent_at = p_now WHERE id = p_refund_id;
  RETURN 'begun';
END $$;

-- Fails a refund that refund_begin has stopped. False: somebody has begun it since, or may begin it.
CREATE FUNCTION refund_stop(p_refund_id uuid, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction((SELECT transaction_id FROM refunds WHERE id = p_refund_id), '{pix_in}');
BEGIN
  PERFORM FROM refunds WHERE id = p_refund_id AND status = 'pending' AND sent_at IS NULL FOR UPDATE;
  IF NOT FOUND OR money_out_refusal(v_tx.account_id, NULL, NULL, false, p_now) IS NULL THEN RETURN false; END IF;
  RETURN refund_finish(p_refund_id, false, NULL, p_now, p_event_id, p_event_type, p_event_body);
END $$;

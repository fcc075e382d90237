-- Withdrawals and their payouts.

-- Who may send money ------------------------------------------------------------------------------

-- Returns until when a member, or the members who created or rotated a key, may send no money; null
-- when they may. Not in SQL: PostgreSQL would plan it again for each withdrawal.
CREATE FUNCTION money_out_paused_until(p_key_id uuid, p_member_id uuid, p_now timestamptz)
RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT max(m.withdrawals_blocked_until) FROM members m
    WHERE m.withdrawals_blocked_until > p_now AND (m.id = p_member_id OR m.id IN (
      SELECT unnest(ARRAY[k.created_by_id, k.rotated_by_id]) FROM api_keys k WHERE k.id = p_key_id)));
END $$;

-- Returns why no money may leave an account for this key or member: 'suspended', 'kyc' or 'paused';
-- null when it may. With p_approved the merchant of a live account must be approved, else it must
-- only not be rejected; test accounts hold no money and need no verification. Merchant and account
-- stay locked until the caller commits: a rejection or a suspension waits for the statements before
-- it, and the statements after it see it.
CREATE FUNCTION money_out_block_reason(
  p_account_id uuid, p_key_id uuid, p_member_id uuid, p_approved boolean, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_suspended_at timestamptz;
  v_kyc_status kyc_status;
  v_mode mode;
BEGIN
  SELECT a.suspended_at, m.kyc_status, a.mode INTO STRICT v_suspended_at, v_kyc_status, v_mode
  FROM accounts a JOIN merchants m ON m.id = a.merchant_id
  WHERE a.id = p_account_id FOR SHARE OF a, m;
  RETURN CASE
    WHEN v_suspended_at IS NOT NULL THEN 'suspended'
    WHEN v_mode = 'live'
      AND (v_kyc_status = 'rejected' OR p_approved AND v_kyc_status <> 'approved') THEN 'kyc'
    WHEN money_out_paused_until(p_key_id, p_member_id, p_now) IS NOT NULL THEN 'paused'
  END;
END $$;

-- Returns the limits of an account: its own, else the installation's default. A limit of its own
-- without a value means that there is none.
CREATE FUNCTION effective_limits(p_account_id uuid) RETURNS TABLE (name text, centavos bigint)
LANGUAGE sql STABLE AS $$
  SELECT own.name, own.centavos FROM account_limits own
  WHERE own.account_id = p_account_id AND own.centavos IS NOT NULL
  UNION ALL
  SELECT d.name, d.centavos FROM default_limits d
  WHERE NOT EXISTS (
    SELECT FROM account_limits own WHERE own.account_id = p_account_id AND own.name = d.name)
$$;

-- What is used of the limits ----------------------------------------------------------------------

-- Changes what the account of a withdrawal has used of its limits, in the day and the night in
-- which the withdrawal was requested, or began where it was scheduled. Called last: every function
-- that changes these rows has locked the account's balances or the transaction before.
CREATE FUNCTION ledger_add_limit_usage(p_tx transactions, p_centavos bigint) RETURNS void
LANGUAGE sql AS $$
  UPDATE limit_usage SET centavos = centavos + p_centavos
  WHERE account_id = p_tx.account_id AND type = p_tx.type
    AND starts_at <= coalesce(p_tx.begun_at, p_tx.created_at)
    AND ends_at > coalesce(p_tx.begun_at, p_tx.created_at)
$$;

-- Withdrawals -------------------------------------------------------------------------------------

-- Checks limits and balance, reserves the money, and writes the transaction and the task that sends
-- it, in one statement; above the account's threshold it writes no such task, but an approval to
-- wait for until p_approve_until, unless it is a row of a batch that was approved. `p_row` is the
-- row of `transactions`; p_key_id or p_member_id made the request; the instants are the ends of the
-- day, and by night of the night, in which it is made. The next three parameters are where it goes,
-- as payees_at takes it. With p_hold false no money is reserved. p_reference_indexes are those of a
-- reference that is to be unique, as reference_holder takes them. A row with `scheduled_for` is
-- only planned, and its limits are not looked at (the instants are null); with `begun_at` beside
-- it, it begins: then the row exists, and scheduled_payout_begin has locked it. Where an assistant
-- asks, the request is within the caps of its key, and is never sent before a member has confirmed
-- it. Over a rail of the installation what came over credentials of an account's own is not there,
-- and counts as too little. Returns 'requested', 'scheduled', 'pending_approval' (requested, and
-- waits), 'exists' (this id was requested before; nothing was done), 'reference_taken', what
-- money_out_block_reason or payee_block_reason returns, 'key_call_cap' or 'key_day_cap' (the
-- assistant asks for more, a call or a day), 'daily_limit', 'night_limit' or 'insufficient_funds'.
-- Where the transaction does not exist yet, this function, unlike the others, locks the account's
-- available balance first, so that each of several simultaneous withdrawals sees what the one
-- before it took.
CREATE FUNCTION withdrawal_request(
  p_row jsonb, p_day_start timestamptz, p_day_end timestamptz, p_night_start timestamptz,
  p_night_end timestamptz, p_key_id uuid, p_member_id uuid, p_approve_until timestamptz,
  p_pix_key_indexes bytea[], p_network text, p_wallets text[], p_hold boolean,
  p_reference_indexes bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_begins boolean := v_tx.begun_at IS NOT NULL;
  v_now timestamptz := coalesce(v_tx.begun_at, v_tx.created_at);
  v_rail text := CASE v_tx.type WHEN 'pix_out' THEN 'pix' WHEN 'crypto_out' THEN 'crypto' END;
  v_balance bigint;
  v_own bigint;
  v_reached limit_period;
  v_block_reason text;
  v_waits boolean;
  -- The key of an assistant; null: none asks.
  v_key api_keys;
  v_assistant_id uuid;
BEGIN
  IF reference_holder(v_tx.account_id, v_tx.id, p_reference_indexes) IS NOT NULL THEN
    RETURN 'reference_taken';
  END IF;
  SELECT balance_centavos, own_centavos INTO STRICT v_balance, v_own FROM ledger_accounts
  WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;

  IF NOT v_begins AND EXISTS (SELECT FROM transactions WHERE id = v_tx.id) THEN
    RETURN 'exists';
  END IF;

  v_block_reason :=
    money_out_block_reason(v_tx.account_id, p_key_id, p_member_id, true, v_now);
  -- What is planned has to be allowed when it begins, and is looked at again then.
  v_block_reason := coalesce(v_block_reason, payee_block_reason(v_tx, p_pix_key_indexes, p_network,
    p_wallets, CASE WHEN v_begins THEN v_now ELSE coalesce(v_tx.scheduled_for, v_now) END));
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;

  SELECT * INTO v_key FROM api_keys WHERE id = p_key_id AND permissions @> '{mcp:use}';
  v_assistant_id := coalesce(v_key.first_key_id, v_key.id);
  IF v_assistant_id IS NOT NULL THEN
    -- Without a cap it may ask for nothing.
    IF v_tx.amount_centavos > coalesce(v_key.call_cap_centavos, 0) THEN RETURN 'key_call_cap'; END IF;
    -- Without a day, which a withdrawal that is planned has not, nothing is asked for.
    IF p_day_start IS NULL OR v_tx.amount_centavos
      + assistant_asked_centavos(v_assistant_id, p_day_start) > v_key.day_cap_centavos
    THEN
      RETURN 'key_day_cap';
    END IF;
  END IF;

  SELECT counted.period INTO v_reached
  FROM (VALUES ('day'::limit_period, 'daily_limit_out_' || v_rail, p_day_start),
      ('night', 'night_limit_out_' || v_rail, p_night_start)) AS counted (period, name, starts_at)
    JOIN effective_limits(v_tx.account_id) AS allowed ON allowed.name = counted.name
    LEFT JOIN limit_usage AS used ON used.account_id = v_tx.account_id AND used.type = v_tx.type
      AND used.period = counted.period AND used.starts_at = counted.starts_at
  WHERE counted.starts_at IS NOT NULL
    AND coalesce(used.centavos, 0) + v_tx.amount_centavos > allowed.centavos
  ORDER BY counted.period LIMIT 1;
  IF v_reached = 'day' THEN RETURN 'daily_limit'; END IF;
  IF v_reached = 'night' THEN RETURN 'night_limit'; END IF;

  IF p_hold AND v_tx.net_centavos + v_tx.fee_centavos > v_balance THEN
    RETURN 'insufficient_funds';
  END IF;
  -- What was held before is taken off already.
  IF (p_hold OR v_begins) AND NOT is_own_rail(v_tx.rail) AND v_balance - v_own
    < (CASE WHEN p_hold THEN v_tx.net_centavos + v_tx.fee_centavos ELSE 0 END)
  THEN
    RETURN 'insufficient_funds';
  END IF;

  IF v_begins THEN
    UPDATE transactions SET sub_status = NULL, begun_at = v_now, updated_at = v_now
    WHERE id = v_tx.id;
  ELSE
    v_waits := v_tx.amount_centavos > withdrawal_threshold(v_tx.account_id, 'approval', v_now);
    IF v_waits THEN v_waits := NOT payout_batch_is_approved(v_tx); END IF;
    IF v_waits OR v_assistant_id IS NOT NULL THEN
      v_tx.sub_status := 'pending_approval';
    ELSIF v_tx.scheduled_for IS NOT NULL THEN
      v_tx.sub_status := 'scheduled';
    END IF;
    INSERT INTO transactions SELECT (v_tx).*;
  END IF;
  IF p_hold THEN PERFORM ledger_withdrawal_requested(v_tx.id, v_now); END IF;
  INSERT INTO limit_usage AS used (account_id, type, period, starts_at, ends_at, centavos)
  SELECT v_tx.account_id, v_tx.type, period, starts_at, ends_at, v_tx.amount_centavos
  FROM (VALUES ('day'::limit_period, p_day_start, p_day_end), ('night', p_night_start, p_night_end))
    AS counted (period, starts_at, ends_at)
  WHERE starts_at IS NOT NULL
  ON CONFLICT (account_id, type, period, starts_at)
    DO UPDATE SET centavos = used.centavos + excluded.centavos;
  IF v_tx.sub_status = 'pending_approval' THEN
    PERFORM approval_begin(v_tx.id, p_key_id, p_member_id, p_approve_until, v_now);
    -- What waits only because an assistant asked for it has been asked for by no member: who made
    -- its key may confirm it.
    UPDATE withdrawal_approvals SET assistant_id = v_assistant_id, asked_at = v_now,
      asker_ids = CASE WHEN v_waits THEN asker_ids ELSE '{}' END
    WHERE transaction_id = v_tx.id AND v_assistant_id IS NOT NULL;
  END IF;
  IF v_tx.sub_status IS NOT NULL THEN RETURN v_tx.sub_status; END IF;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, v_now);
  RETURN 'requested';
END $$;

-- Payouts -----------------------------------------------------------------------------------------

-- Returns the webhook topic of a withdrawal.
CREATE FUNCTION payout_topic(p_type transaction_type) RETURNS topic LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_type WHEN 'pix_out' THEN 'withdrawal' ELSE 'usdt' END::topic
$$;

-- Claims the right to send a payout, once: after that the provider is only asked for its status.
-- When the process died while sending, and the provider is known to have nothing, another attempt
-- may follow: p_sent_before is the instant of the attempt before, null for the first one. Returns
-- 'started', 'already_started' (another process has claimed it, or the withdrawal has ended or
-- waits for its approval) or 'blocked' (it was not sent yet, and since its request the account was
-- suspended or the merchant rejected). A payout that was started is finished, whatever happens to
-- the account.
CREATE FUNCTION payout_start(
  p_transaction_id uuid, p_sent_before timestamptz, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_account_id uuid;
BEGIN
  SELECT account_id INTO v_account_id FROM transactions
  WHERE id = p_transaction_id AND type IN ('pix_out', 'crypto_out') AND status = 'pending'
    AND sub_status IS NULL AND payout_sent_at IS NOT DISTINCT FROM p_sent_before
    AND (payout_step IS NULL OR payout_step = 'sending')
    AND (payout_step IS NULL) = (p_sent_before IS NULL) FOR UPDATE;
  IF NOT FOUND THEN RETURN 'already_started'; END IF;
  IF money_out_block_reason(v_account_id, NULL, NULL, true, p_now) IS NOT NULL THEN
    RETURN 'blocked';
  END IF;
  UPDATE transactions SET payout_step = 'sending', payout_sent_at = p_now, updated_at = p_now
  WHERE id = p_transaction_id;
  RETURN 'started';
END $$;

-- Each of the next four functions returns the status that the withdrawal had before. When that is
-- not p_from, nothing was done, and the caller has to decide again.

-- Records that the provider has accepted the payout (p_to 'pending') or is executing it
-- ('processing').
CREATE FUNCTION payout_processing(
  p_transaction_id uuid, p_from transaction_status, p_to transaction_status, p_provider_id text,
  p_end_to_end_id text, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from <> 'pending' OR p_to NOT IN ('pending', 'processing') OR v_tx.payout_step IS NULL THEN
    RAISE EXCEPTION 'A withdrawal that is % or was never sent does not become %.', p_from, p_to
      USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = p_to, payout_step = 'sent', updated_at = p_now,
    provider_id = coalesce(p_provider_id, provider_id),
    end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id)
  WHERE id = v_tx.id;
  IF p_to <> p_from THEN
    PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body,
      p_now);
  END IF;
  RETURN v_tx.status;
END $$;

-- Returns the platform's account that a payout which is completed goes to: settlement; suspense
-- where the same payment was booked as not requested, which its withdrawal pays now; write_offs
-- where that was written off. A PSP may list a payout before its withdrawal is there, or names it:
-- so after a restore. Raises unique_violation where an account was charged for it, also over
-- another rail of the same account: the withdrawal is a duplicate of that payment, and fails.
CREATE FUNCTION payout_settled_from(p_tx transactions, p_end_to_end_id text, p_now timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_mode mode := account_mode(p_tx.account_id);
  v_foreign foreign_payouts;
BEGIN
  IF p_tx.type = 'pix_out' AND p_end_to_end_id IS NOT NULL THEN
    SELECT * INTO v_foreign FROM foreign_payouts
    WHERE end_to_end_id = p_end_to_end_id AND rail = ANY (rails_beside(p_tx.rail))
      AND centavos = p_tx.net_centavos FOR UPDATE;
    IF v_foreign.state = 'charged' THEN
      RAISE EXCEPTION 'Transaction % has paid what transaction % is to pay.',
          v_foreign.transaction_id, p_tx.id USING ERRCODE = 'unique_violation';
    END IF;
    IF v_foreign.state = 'written_off' THEN
      RETURN ledger_platform_account('write_offs', v_mode);
    ELSIF v_foreign.state = 'open' THEN
      UPDATE foreign_payouts SET state = 'charged', transaction_id = p_tx.id,
        decided_by = 'provider', decided_at = p_now WHERE id = v_foreign.id;
      RETURN ledger_platform_account('suspense', v_mode);
    END IF;
  END IF;
  RETURN ledger_platform_account(payout_settlement(p_tx.type), v_mode);
END $$;

-- Completes a withdrawal, with what was booked of the same payment before (payout_settled_from).
CREATE FUNCTION payout_complete(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text,
  p_tx_hashes text[], p_paid_at timestamptz, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from NOT IN ('pending', 'processing') OR v_tx.payout_step IS NULL THEN
    RAISE EXCEPTION 'A withdrawal that is % or was never sent is not completed.', p_from
      USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions
  SET status = settled_status(v_tx.type), payout_step = 'sent', paid_at = p_paid_at,
    updated_at = p_now, provider_id = coalesce(p_provider_id, provider_id),
    end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id), tx_hashes = p_tx_hashes
  WHERE id = v_tx.id;
  PERFORM ledger_withdrawal_completed(
    v_tx.id, payout_settled_from(v_tx, p_end_to_end_id, p_now), p_now);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'payout' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- Fails a withdrawal and gives the money back. p_sent_at: the instant of the attempt that failed,
-- when its sender reports the failure; null when the provider does. Where another attempt has
-- followed that one, or another process has found the payout at its provider (over crypto its
-- status does not say so), the payout may be on its way: null is returned and nothing was done.
CREATE FUNCTION payout_fail(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text,
  p_failure_code text, p_sent_at timestamptz, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_sent_at IS NOT NULL AND (v_tx.payout_sent_at <> p_sent_at OR v_tx.payout_step = 'sent') THEN
    RETURN NULL;
  END IF;
  IF p_from NOT IN ('pending', 'processing') THEN
    RAISE EXCEPTION 'A withdrawal that is % does not fail.', p_from USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = 'failed', sub_status = NULL, failure_code = p_failure_code,
    updated_at = p_now, provider_id = coalesce(p_provider_id, provider_id),
    end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id)
  WHERE id = v_tx.id;
  PERFORM ledger_withdrawal_failed(v_tx.id, p_now);
  PERFORM ledger_add_limit_usage(v_tx, -v_tx.amount_centavos);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'payout' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- Puts a withdrawal into review when the provider contradicts itself: it reports a failed payout as
-- completed, or a completed one as failed. No money moves; an operator decides (payout_resolve).
-- The review has the id of the event, and names what was booked of the same payout. The ids that
-- the provider names for the payment are kept: by them it is recognised where the provider lists it
-- without our id, and details and receipts say them as the event does. An id that another
-- withdrawal has stays there. What was decided about once is not reviewed again: null is returned
-- then.
CREATE FUNCTION payout_review(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text,
  p_tx_hashes text[], p_failure_code text, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from NOT IN (settled_status(v_tx.type), 'failed') THEN
    RAISE EXCEPTION 'A withdrawal that is % has nothing to be reviewed.', p_from
      USING ERRCODE = 'TR004';
  END IF;
  IF EXISTS (SELECT FROM reviews WHERE transaction_id = v_tx.id AND reason = p_failure_code) THEN
    RETURN NULL;
  END IF;
  UPDATE transactions t SET status = 'review', failure_code = p_failure_code, updated_at = p_now,
    provider_id = CASE WHEN NOT EXISTS (SELECT FROM transactions o
        WHERE o.provider_id = p_provider_id AND o.rail = t.rail AND o.id <> t.id)
      THEN coalesce(p_provider_id, t.provider_id) ELSE t.provider_id END,
    end_to_end_id = CASE WHEN NOT EXISTS (SELECT FROM transactions o
        WHERE o.end_to_end_id = p_end_to_end_id AND o.rail = t.rail AND o.type = t.type
          AND o.id <> t.id)
      THEN coalesce(p_end_to_end_id, t.end_to_end_id) ELSE t.end_to_end_id END,
    tx_hashes = CASE WHEN p_tx_hashes <> '{}' THEN p_tx_hashes ELSE t.tx_hashes END
  WHERE t.id = v_tx.id;
  -- What came back may have left all the same: until the operator has decided, it counts again.
  IF p_from = 'failed' THEN PERFORM ledger_add_limit_usage(v_tx, v_tx.amount_centavos); END IF;
  INSERT INTO reviews (id, transaction_id, reason, expected_centavos, received_centavos,
    end_to_end_id, created_at, foreign_payout_id)
  SELECT p_event_id, v_tx.id, p_failure_code, v_tx.amount_centavos, 0, 'payout-' || count(*) + 1,
    p_now, (SELECT f.id FROM foreign_payouts f
      WHERE p_from = 'failed' AND v_tx.type = 'pix_out' AND f.rail = ANY (rails_beside(v_tx.rail))
        AND f.end_to_end_id = p_end_to_end_id AND f.centavos = v_tx.net_centavos LIMIT 1)
  FROM reviews WHERE transaction_id = v_tx.id;
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  RETURN v_tx.status;
END $$;

-- Lets a withdrawal that waits, and that its PSP has, go on as one that was sent: what is scheduled
-- begins under its id, under which the PSP pays once, and another one is asked about and never
-- sent. Returns false when it waits no more.
CREATE FUNCTION withdrawal_resume(p_transaction_id uuid, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
BEGIN
  SELECT * INTO v_tx FROM transactions WHERE id = p_transaction_id FOR UPDATE;
  IF v_tx.sub_status IS DISTINCT FROM 'pending_approval' THEN RETURN false; END IF;
  DELETE FROM tasks WHERE kind IN ('notify_approval', 'expire_approval') AND subject_id = v_tx.id;
  IF v_tx.scheduled_for IS NOT NULL THEN
    UPDATE transactions SET sub_status = 'scheduled', updated_at = p_now WHERE id = v_tx.id;
    PERFORM scheduled_payout_wait(v_tx.id, p_now);
  ELSE
    UPDATE transactions
    SET sub_status = NULL, payout_step = 'unknown', payout_sent_at = p_now, updated_at = p_now
    WHERE id = v_tx.id;
    INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, p_now);
  END IF;
  RETURN true;
END $$;

-- Fails a withdrawal for which payout_start returned 'blocked', and gives the money back. Returns
-- false when the payout was started since, or may be started again.
CREATE FUNCTION payout_fail_blocked(
  p_transaction_id uuid, p_sent_before timestamptz, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
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

-- Money out, crypto in, refunds, and idempotency keys. As in the first ledger migration every function locks the transaction's
-- row first and ledger accounts in id order after it. withdrawal_request is the exception: its transaction does not exist yet, and
-- it locks the account's available balance before anything else, which makes limits and balance one decision.

-- 1. Rules -------------------------------------------------------------------------------------------------------------

ALTER TABLE transactions
  ADD CONSTRAINT transactions_crypto CHECK (
    (type IN ('crypto_in', 'crypto_out')) = (currency IS NOT NULL AND units IS NOT NULL AND quote_price IS NOT NULL)),
  ADD CONSTRAINT transactions_pix_key CHECK ((type = 'pix_out') = (pix_key IS NOT NULL AND pix_key_type IS NOT NULL)),
  ADD CONSTRAINT transactions_payout_step CHECK (payout_step IN ('sending', 'unknown', 'sent')),
  ADD CONSTRAINT transactions_credited CHECK (
    received_units >= 0 AND credited_centavos >= credited_fee_centavos AND credited_fee_centavos >= 0
    AND (type = 'crypto_in' OR credited_centavos = 0)),
  ADD CONSTRAINT transactions_refunded CHECK (refunded_centavos BETWEEN 0 AND amount_centavos);

ALTER TABLE refunds ADD CONSTRAINT refunds_centavos CHECK (centavos > 0);

-- Counters of a minute: a crash may empty them, and writing them to the log would cost five times as much.
ALTER TABLE rate_limits SET UNLOGGED;

-- The sum of a day's withdrawals is asked for with every withdrawal.
CREATE INDEX transactions_withdrawals ON transactions (account_id, type, created_at) WHERE type IN ('pix_out', 'crypto_out');

-- An account has one contract of a kind in use.
CREATE UNIQUE INDEX credentials_active ON credentials (account_id, kind) WHERE active;

-- 2. Withdrawals -------------------------------------------------------------------------------------------------------

-- What an account has withdrawn since an instant, without fees; what failed came back and does not count.
CREATE FUNCTION withdrawn_since(p_account_id uuid, p_type transaction_type, p_since timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(amount_centavos), 0)::bigint FROM transactions
  WHERE account_id = p_account_id AND type = p_type AND created_at >= p_since AND status <> 'failed'
    AND type IN ('pix_out', 'crypto_out')
$$;

-- Limits, balance, reservation, transaction and the task that sends it, in one statement. `p_row` is the transactions row. Answers
-- 'requested', 'exists' (this id was requested before: nothing happened), 'daily_limit', 'night_limit' or 'insufficient_funds'.
-- The row of the available balance is locked first: of withdrawals at once each sees what the one before it took.
CREATE FUNCTION withdrawal_request(p_row jsonb, p_day_start timestamptz, p_night_start timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_rail text := CASE v_tx.type WHEN 'pix_out' THEN 'pix' WHEN 'crypto_out' THEN 'crypto' END;
  v_balance bigint;
  v_limit bigint;
BEGIN
  SELECT balance_centavos INTO STRICT v_balance FROM ledger_accounts
  WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;

  IF EXISTS (SELECT FROM transactions WHERE id = v_tx.id) THEN RETURN 'exists'; END IF;

  SELECT centavos INTO v_limit FROM account_limits
  WHERE account_id = v_tx.account_id AND name = 'daily_limit_out_' || v_rail;
  IF withdrawn_since(v_tx.account_id, v_tx.type, p_day_start) + v_tx.amount_centavos > v_limit THEN RETURN 'daily_limit'; END IF;

  SELECT centavos INTO v_limit FROM account_limits
  WHERE account_id = v_tx.account_id AND name = 'night_limit_out_' || v_rail AND p_night_start IS NOT NULL;
  IF withdrawn_since(v_tx.account_id, v_tx.type, p_night_start) + v_tx.amount_centavos > v_limit THEN RETURN 'night_limit'; END IF;

  IF v_tx.net_centavos + v_tx.fee_centavos > v_balance THEN RETURN 'insufficient_funds'; END IF;

  INSERT INTO transactions SELECT (v_tx).*;
  PERFORM ledger_withdrawal_requested(v_tx.id, v_tx.created_at);
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, v_tx.created_at);
  RETURN 'requested';
END $$;

-- Claims the right to send a payout, once: from here on the provider is only asked what became of it. A process that died while it
-- was sending may be followed by another attempt, when the provider is known to have nothing: that needs the instant of the
-- attempt before (p_sent_before); null for the first one.
CREATE FUNCTION payout_begin(p_transaction_id uuid, p_sent_before timestamptz, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE transactions SET payout_step = 'sending', payout_sent_at = p_now, updated_at = p_now
  WHERE id = p_transaction_id AND type IN ('pix_out', 'crypto_out') AND status = 'pending'
    AND payout_sent_at IS NOT DISTINCT FROM p_sent_before
    AND (payout_step IS NULL OR payout_step = 'sending') AND (payout_step IS NULL) = (p_sent_before IS NULL);
  RETURN FOUND;
END $$;

-- Each of the next four returns the status the transaction had: when it is not p_from, nothing was done and the caller decides anew.

-- The provider has it and is at work on it.
CREATE FUNCTION payout_processing(
  p_transaction_id uuid, p_from transaction_status, p_to transaction_status, p_provider_id text, p_end_to_end_id text,
  p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from <> 'pending' OR p_to NOT IN ('pending', 'processing') OR v_tx.payout_step IS NULL THEN
    RAISE EXCEPTION 'A withdrawal that is % or was never sent does not become %.', p_from, p_to USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = p_to, payout_step = 'sent', updated_at = p_now,
    provider_id = coalesce(p_provider_id, provider_id), end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id)
  WHERE id = v_tx.id;
  IF p_to <> p_from THEN
    PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  END IF;
  RETURN v_tx.status;
END $$;

CREATE FUNCTION payout_topic(p_type transaction_type) RETURNS topic LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_type WHEN 'pix_out' THEN 'withdrawal' ELSE 'usdt' END::topic
$$;

CREATE FUNCTION payout_complete(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text, p_tx_hashes text[],
  p_paid_at timestamptz, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from NOT IN ('pending', 'processing') OR v_tx.payout_step IS NULL THEN
    RAISE EXCEPTION 'A withdrawal that is % or was never sent is not completed.', p_from USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = 'completed', payout_step = 'sent', paid_at = p_paid_at, updated_at = p_now,
    provider_id = coalesce(p_provider_id, provider_id), end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id),
    tx_hashes = p_tx_hashes
  WHERE id = v_tx.id;
  PERFORM ledger_withdrawal_completed(v_tx.id, p_now);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'payout' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- p_sent_at: the attempt that failed, where its sender says so; null where the provider does. Of an attempt that another one has
-- followed nothing is concluded, and null is returned: the payout may be on its way.
CREATE FUNCTION payout_fail(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text, p_failure_code text,
  p_sent_at timestamptz, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF v_tx.payout_sent_at <> p_sent_at THEN RETURN NULL; END IF;
  IF p_from NOT IN ('pending', 'processing') THEN
    RAISE EXCEPTION 'A withdrawal that is % does not fail.', p_from USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = 'failed', failure_code = p_failure_code, updated_at = p_now,
    provider_id = coalesce(p_provider_id, provider_id), end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id)
  WHERE id = v_tx.id;
  PERFORM ledger_withdrawal_failed(v_tx.id, p_now);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'payout' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- A provider that contradicts itself: what it called failed is said to be done, or the other way round. No money moves: an operator decides.
CREATE FUNCTION payout_review(
  p_transaction_id uuid, p_from transaction_status, p_failure_code text, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from NOT IN ('completed', 'failed') THEN
    RAISE EXCEPTION 'A withdrawal that is % has nothing to be reviewed.', p_from USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = 'review', failure_code = p_failure_code, updated_at = p_now WHERE id = v_tx.id;
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  RETURN v_tx.status;
END $$;

-- 3. Crypto in ---------------------------------------------------------------------------------------------------------

DROP FUNCTION ledger_crypto_seen(uuid, timestamptz);
DROP FUNCTION ledger_crypto_confirmed(uuid, timestamptz);

-- Crypto received: brings what this transaction has put into the account's pending and available balances, and the fee, to the given
-- totals; the difference comes from settlement. Pending follows what is seen, up and down (the network may take it back); what is
-- credited and the fee never shrink (TR005). Totals that stand already are a no-op; the reference counts the transfers.
CREATE FUNCTION ledger_crypto_received(
  p_transaction_id uuid, p_pending bigint, p_net bigint, p_fee bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
  v_mode mode := account_mode(v_tx.account_id);
  v_pending bigint;
  v_net bigint;
  v_fee bigint;
  v_before bigint;
BEGIN
  SELECT count(DISTINCT t.id), coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'pending'), 0),
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'available'), 0),
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'fees'), 0)
  INTO v_before, v_pending, v_net, v_fee
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id JOIN ledger_accounts a ON a.id = e.ledger_account_id
  WHERE t.transaction_id = v_tx.id AND t.kind = 'crypto_received';
  IF (p_pending >= 0 AND p_net >= v_net AND p_fee >= v_fee) IS NOT TRUE THEN
    RAISE EXCEPTION 'Transaction %: % credited and % of fee do not become % and %.', v_tx.id, v_net, v_fee, p_net, p_fee
      USING ERRCODE = 'TR005';
  END IF;
  IF (p_pending, p_net, p_fee) = (v_pending, v_net, v_fee) THEN RETURN false; END IF;
  RETURN ledger_post(v_tx.id, 'crypto_received', (v_before + 1)::text, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'pending'), ledger_account(v_tx.account_id, 'available'),
          ledger_platform_account('fees', v_mode), ledger_platform_account('crypto_settlement', v_mode)],
    ARRAY[p_pending - v_pending, p_net - v_net, p_fee - v_fee, v_pending + v_net + v_fee - p_pending - p_net - p_fee]);
END $$;

-- What an invoice's look at the provider came to: status, what arrived, what of it is pending and credited, all at once. Nothing is
-- done when the status or what had been received is not what the caller decided upon; the status it had is returned either way.
-- An event is written only when its id is given.
CREATE FUNCTION invoice_settle(
  p_transaction_id uuid, p_from transaction_status, p_from_received bigint, p_from_sub_status text,
  p_to transaction_status, p_sub_status text,
  p_received bigint, p_pending bigint, p_net bigint, p_fee bigint, p_confirmations integer, p_confirmations_needed integer,
  p_tx_hashes text[], p_paid_at timestamptz, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
BEGIN
  IF (v_tx.status, v_tx.received_units, v_tx.sub_status) IS DISTINCT FROM (p_from, p_from_received, p_from_sub_status) THEN
    RETURN false;
  END IF;
  -- What came after the end, and was seen before it was final, changes nothing but the credit: another one may have taken this step,
  -- and told of it, or a later one.
  IF v_tx.credited_centavos > p_net + p_fee OR p_event_id IS NOT NULL
    AND (v_tx.status, v_tx.sub_status, v_tx.received_units, v_tx.credited_centavos, v_tx.credited_fee_centavos)
      IS NOT DISTINCT FROM (p_to, p_sub_status, p_received, p_net + p_fee, p_fee)
  THEN
    RETURN false;
  END IF;
  IF p_to <> p_from AND NOT (p_from <> 'completed' AND p_to = 'completed'
    OR p_from = 'pending' AND p_to IN ('expired', 'cancelled', 'failed'))
  THEN
    RAISE EXCEPTION 'An invoice that is % does not become %.', p_from, p_to USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = p_to, sub_status = p_sub_status, received_units = p_received,
    credited_centavos = p_net + p_fee, credited_fee_centavos = p_fee, confirmations = p_confirmations,
    confirmations_needed = coalesce(p_confirmations_needed, confirmations_needed), tx_hashes = p_tx_hashes, paid_at = coalesce(paid_at, p_paid_at), updated_at = p_now
  WHERE id = v_tx.id;
  PERFORM ledger_crypto_received(v_tx.id, p_pending, p_net, p_fee, p_now);
  IF p_event_id IS NOT NULL THEN
    PERFORM event_emit(v_tx, 'usdt', p_event_id, p_event_type, p_event_body, p_now);
  END IF;
  RETURN true;
END $$;

-- The end of an invoice that the processor did not make: nobody has its id, so nobody is told. It can still be paid, should it exist.
CREATE FUNCTION invoice_fail(p_transaction_id uuid, p_now timestamptz, p_event_id uuid, p_event_body text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
BEGIN
  IF v_tx.status <> 'pending' OR v_tx.received_units > 0 THEN RETURN false; END IF;
  UPDATE transactions SET status = 'failed', updated_at = p_now WHERE id = v_tx.id;
  PERFORM event_emit(v_tx, 'usdt', p_event_id, 'crypto_in.failed', p_event_body, p_now, false);
  RETURN true;
END $$;

-- 4. Refunds -----------------------------------------------------------------------------------------------------------

DROP FUNCTION ledger_refund(uuid, text, bigint, timestamptz);

-- A payer gets a payment back once at most, by refunds and disputes together. A refund that failed was none.
CREATE OR REPLACE FUNCTION ledger_require_returnable(p_tx transactions, p_centavos bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_returned bigint;
BEGIN
  SELECT coalesce(sum(CASE t.kind WHEN 'refund_failed' THEN -e.amount_centavos ELSE e.amount_centavos END), 0) INTO v_returned
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  WHERE t.transaction_id = p_tx.id AND t.kind IN ('refund_requested', 'refund_failed', 'dispute') AND e.amount_centavos > 0;
  IF p_centavos > p_tx.amount_centavos - v_returned THEN
    RAISE EXCEPTION 'Transaction %: % would exceed the original amount, % of it are returned or disputed.', p_tx.id, p_centavos, v_returned
      USING ERRCODE = 'TR005';
  END IF;
END $$;

-- Refund asked: available -> blocked.
CREATE FUNCTION ledger_refund_requested(p_transaction_id uuid, p_reference text, p_centavos bigint, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  PERFORM ledger_require(v_tx.id, 'charge_paid', true);
  IF ledger_part_posted(v_tx.id, 'refund_requested', p_reference, p_centavos) THEN RETURN false; END IF;
  PERFORM ledger_require_returnable(v_tx, p_centavos);
  RETURN ledger_post(v_tx.id, 'refund_requested', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'available'), ledger_account(v_tx.account_id, 'blocked')],
    ARRAY[-p_centavos, p_centavos]);
END $$;

-- What a refund holds; refused where it holds nothing, or has ended the other way.
CREATE FUNCTION ledger_refund_held(p_transaction_id uuid, p_reference text, p_other_end text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_held bigint;
BEGIN
  SELECT sum(e.amount_centavos) INTO v_held FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  WHERE t.transaction_id = p_transaction_id AND t.kind = 'refund_requested' AND t.reference = p_reference AND e.amount_centavos > 0;
  IF v_held IS NULL OR EXISTS (SELECT FROM ledger_transfers
    WHERE transaction_id = p_transaction_id AND kind = p_other_end AND reference = p_reference)
  THEN
    RAISE EXCEPTION 'Transaction %: refund % holds nothing.', p_transaction_id, p_reference USING ERRCODE = 'TR004';
  END IF;
  RETURN v_held;
END $$;

-- Refund done: blocked -> settlement.
CREATE FUNCTION ledger_refund_completed(p_transaction_id uuid, p_reference text, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_held bigint := ledger_refund_held(v_tx.id, p_reference, 'refund_failed');
BEGIN
  RETURN ledger_post(v_tx.id, 'refund_completed', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'), ledger_platform_account('pix_settlement', account_mode(v_tx.account_id))],
    ARRAY[-v_held, v_held]);
END $$;

-- Refund refused by the PSP: blocked -> available.
CREATE FUNCTION ledger_refund_failed(p_transaction_id uuid, p_reference text, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_held bigint := ledger_refund_held(v_tx.id, p_reference, 'refund_completed');
BEGIN
  RETURN ledger_post(v_tx.id, 'refund_failed', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'), ledger_account(v_tx.account_id, 'available')],
    ARRAY[-v_held, v_held]);
END $$;

-- 'requested', 'exists', 'not_paid', 'exceeds' (more than is left of the original) or 'insufficient_funds'.
CREATE FUNCTION refund_request(p_refund_id uuid, p_transaction_id uuid, p_centavos bigint, p_description text, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_constraint text;
BEGIN
  IF EXISTS (SELECT FROM refunds WHERE id = p_refund_id) THEN RETURN 'exists'; END IF;
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

-- The end of a refund. False: it had ended before, nothing was done.
CREATE FUNCTION refund_finish(
  p_refund_id uuid, p_done boolean, p_return_id text, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_refund refunds;
  v_tx transactions;
BEGIN
  SELECT * INTO STRICT v_refund FROM refunds WHERE id = p_refund_id;
  v_tx := ledger_lock_transaction(v_refund.transaction_id, '{pix_in}');
  UPDATE refunds SET status = CASE WHEN p_done THEN 'completed' ELSE 'failed' END::refund_status, return_id = p_return_id,
    finished_at = p_now
  WHERE id = p_refund_id AND status = 'pending';
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_done THEN
    PERFORM ledger_refund_completed(v_tx.id, p_refund_id::text, p_now);
    UPDATE transactions SET refunded_centavos = refunded_centavos + v_refund.centavos, updated_at = p_now,
      status = CASE WHEN refunded_centavos + v_refund.centavos = amount_centavos THEN 'refunded' ELSE status END
    WHERE id = v_tx.id;
  ELSE
    PERFORM ledger_refund_failed(v_tx.id, p_refund_id::text, p_now);
  END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'refund' AND subject_id = p_refund_id;
  RETURN true;
END $$;

-- 5. Idempotency keys --------------------------------------------------------------------------------------------------

-- Claims a key for a request. `outcome`: 'execute' (do it, under subject_id; `resumed`: an earlier try may have done part of it),
-- 'replay' (answer status and body again), 'differs' (the key was used for something else), 'running' (the first try is at work).
-- A try whose process has died (its advisory lock is free), or that this process began and is not at work on any more, is taken over
-- at once; an expired key is as good as none. The lock is tried shared, so that many keys of a dead process are taken over at once.
CREATE FUNCTION idempotency_claim(
  p_account_id uuid, p_key text, p_fingerprint bytea, p_subject_id uuid, p_owner bigint, p_at_work boolean,
  p_now timestamptz, p_expires_at timestamptz
) RETURNS TABLE (outcome text, subject_id uuid, resumed boolean, status integer, body text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_key idempotency_keys;
BEGIN
  -- Of two tries in one process the second, which knows of the first, may come here before it.
  IF NOT p_at_work THEN
    INSERT INTO idempotency_keys (account_id, key, fingerprint, subject_id, owner, created_at, expires_at)
    VALUES (p_account_id, p_key, p_fingerprint, p_subject_id, p_owner, p_now, p_expires_at)
    ON CONFLICT (account_id, key) DO UPDATE SET
      fingerprint = excluded.fingerprint, subject_id = excluded.subject_id, owner = excluded.owner, status = NULL, body = NULL,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE idempotency_keys.expires_at <= p_now
    RETURNING * INTO v_key;
    IF FOUND THEN RETURN QUERY SELECT 'execute', v_key.subject_id, false, NULL::integer, NULL::text; RETURN; END IF;
  END IF;

  SELECT * INTO v_key FROM idempotency_keys k WHERE k.account_id = p_account_id AND k.key = p_key FOR UPDATE;
  IF v_key.key IS NULL THEN
    RETURN QUERY SELECT 'running', NULL::uuid, false, NULL::integer, NULL::text;
  ELSIF v_key.fingerprint <> p_fingerprint THEN
    RETURN QUERY SELECT 'differs', NULL::uuid, false, NULL::integer, NULL::text;
  ELSIF v_key.status IS NOT NULL THEN
    RETURN QUERY SELECT 'replay', v_key.subject_id, false, v_key.status, v_key.body;
  ELSIF p_at_work OR v_key.owner <> p_owner AND NOT pg_try_advisory_xact_lock_shared(v_key.owner) THEN
    RETURN QUERY SELECT 'running', NULL::uuid, false, NULL::integer, NULL::text;
  ELSE
    UPDATE idempotency_keys k SET owner = p_owner WHERE k.account_id = p_account_id AND k.key = p_key;
    RETURN QUERY SELECT 'execute', v_key.subject_id, true, NULL::integer, NULL::text;
  END IF;
END $$;

-- Refunds of paid charges.

-- Blocks the money of a refund and writes it with the task that sends it. p_key_id or p_member_id
-- made the request. p_row has the merchant's reference and metadata as columns of refunds, and the
-- account where it has a reference; p_reference_indexes are those of a reference that is to be
-- unique, as reference_holder takes them. Of a payment that the installation received, what came
-- over credentials of the account's own pays no refund. Returns 'requested', 'exists' (this id was
-- requested before), 'reference_taken', what money_out_block_reason returns, 'not_paid', 'disputed'
-- (a case about it is open), 'exceeds' (more than is left of the original amount) or
-- 'insufficient_funds'. A merchant whose verification is not decided yet may return money.
CREATE FUNCTION refund_request(
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

-- Records when the PSP is first asked to execute a refund. Returns 'started' (also when it was
-- asked before: asking again is always safe), 'finished', or 'blocked' (it was never asked, and
-- since the request the account was suspended or the merchant rejected).
CREATE FUNCTION refund_start(p_refund_id uuid, p_now timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_refund refunds;
BEGIN
  SELECT * INTO STRICT v_refund FROM refunds WHERE id = p_refund_id FOR UPDATE;
  IF v_refund.status <> 'pending' THEN RETURN 'finished'; END IF;
  IF v_refund.sent_at IS NOT NULL THEN RETURN 'started'; END IF;
  IF money_out_block_reason(
    (SELECT account_id FROM transactions WHERE id = v_refund.transaction_id),
    NULL, NULL, false, p_now) IS NOT NULL
  THEN
    RETURN 'blocked';
  END IF;
  UPDATE refunds SET sent_at = p_now WHERE id = p_refund_id;
  RETURN 'started';
END $$;

-- Completes or fails a refund. Returns false when it had ended before; nothing was done then. More
-- than was paid is also all of it. An open case holds the money of a refund that failed.
CREATE FUNCTION refund_finish(
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

-- Returns whether so much is still refunded of the charge of a refund, asked under the charge's
-- lock by the statement that ends the refund: an event of a refund says how much of its charge has
-- been refunded by then, and of two that end at once the second says what the first has added.
CREATE FUNCTION refund_is_after(p_refund_id uuid, p_refunded bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_refund refunds;
  v_tx transactions;
BEGIN
  SELECT * INTO STRICT v_refund FROM refunds WHERE id = p_refund_id;
  v_tx := ledger_lock_transaction(v_refund.transaction_id, '{pix_in}');
  RETURN v_tx.refunded_centavos = p_refunded;
END $$;

-- Fails a refund for which refund_start returned 'blocked'. Returns false when it was started
-- since, or may be started again.
CREATE FUNCTION refund_fail_blocked(
  p_refund_id uuid, p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(
    (SELECT transaction_id FROM refunds WHERE id = p_refund_id), '{pix_in}');
BEGIN
  PERFORM FROM refunds
  WHERE id = p_refund_id AND status = 'pending' AND sent_at IS NULL FOR UPDATE;
  IF NOT FOUND OR money_out_block_reason(v_tx.account_id, NULL, NULL, false, p_now) IS NULL THEN
    RETURN false;
  END IF;
  RETURN refund_finish(p_refund_id, false, NULL, p_now, p_event_id, p_event_type, p_event_body);
END $$;

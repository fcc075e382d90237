-- What is decided about payments in review, and about withdrawals whose provider contradicts
-- itself.

-- Reviews -----------------------------------------------------------------------------------------

-- Takes money of a review that went back to its payer: out of suspense, or, where the review was
-- written off, from that; and from the platform what these do not have. p_reference names the
-- devolução. A review of which nothing is left is resolved by that. Returns false when it was done
-- before.
CREATE FUNCTION ledger_review_returned(
  p_review_id uuid, p_reference text, p_centavos bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews;
  v_tx transactions;
  v_mode mode;
  v_held bigint := 0;
BEGIN
  v_tx := ledger_lock_transaction(
    (SELECT transaction_id FROM reviews WHERE id = p_review_id), '{pix_in}');
  SELECT * INTO STRICT v_review FROM reviews WHERE id = p_review_id FOR UPDATE;
  v_mode := account_mode(v_tx.account_id);
  IF v_review.resolved_at IS NULL THEN
    v_held := least(v_review.received_centavos - v_review.returned_centavos, p_centavos);
  END IF;
  IF NOT ledger_post(v_tx.id, 'review_returned', p_reference, p_now,
    ARRAY[ledger_platform_account('suspense', v_mode),
          ledger_platform_account('write_offs', v_mode),
          ledger_platform_account('pix_settlement', v_mode)],
    ARRAY[-v_held, v_held - p_centavos, p_centavos])
  THEN
    RETURN false;
  END IF;
  UPDATE reviews SET returned_centavos = returned_centavos + p_centavos WHERE id = p_review_id;
  IF v_review.resolved_at IS NULL
    AND v_review.returned_centavos + p_centavos >= v_review.received_centavos
  THEN
    UPDATE reviews SET resolved_at = p_now, resolution = 'return',
      resolved_by = coalesce(resolved_by, 'provider') WHERE id = p_review_id;
    PERFORM ledger_end_review(v_tx, p_now);
  END IF;
  RETURN true;
END $$;

-- A charge in review ends once none of its reviews is open: the worker closes it, and says so.
CREATE FUNCTION ledger_end_review(p_tx transactions, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_tx.type = 'pix_in' AND p_tx.status = 'review' AND NOT EXISTS (
    SELECT FROM reviews WHERE transaction_id = p_tx.id AND resolved_at IS NULL)
  THEN
    INSERT INTO tasks (kind, subject_id, due_at) VALUES ('sync_charge', p_tx.id, p_now)
    ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = least(tasks.due_at, excluded.due_at);
  END IF;
END $$;

-- Locks a review, after its transaction, for a decision. Returns null when it waits for none (it is
-- resolved, or its money is on its way back), or when it has p_left no longer.
CREATE FUNCTION review_lock(p_review_id uuid, p_left bigint) RETURNS reviews LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews;
BEGIN
  PERFORM FROM transactions
  WHERE id = (SELECT transaction_id FROM reviews WHERE id = p_review_id) FOR UPDATE;
  SELECT * INTO v_review FROM reviews r
  WHERE id = p_review_id AND resolved_at IS NULL AND received_centavos - returned_centavos = p_left
    AND NOT EXISTS (SELECT FROM payment_returns WHERE review_id = r.id AND status = 'pending')
  FOR UPDATE;
  RETURN v_review;
END $$;

-- Writes a decision about a review, which review_lock has locked, and notes it in the audit.
CREATE FUNCTION review_write_decision(
  p_review reviews, p_resolution text, p_reason text, p_by jsonb, p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
BEGIN
  UPDATE reviews SET resolution_reason = p_reason, resolved_by = p_by ->> 'name',
    resolved_at = p_now, resolution = p_resolution
  WHERE id = p_review.id;
  SELECT * INTO STRICT v_tx FROM transactions WHERE id = p_review.transaction_id;
  PERFORM audit_decision(v_tx.account_id, 'review.resolved', jsonb_build_object(
      'subject', v_tx.id, 'resolution', p_resolution, 'reason', p_reason,
      'centavos', p_review.received_centavos - p_review.returned_centavos),
    p_by, p_now);
  PERFORM ledger_end_review(v_tx, p_now);
END $$;

-- Credits what is in review: a charge that is in review becomes one of that amount and is paid, and
-- of a charge that is paid already the payment becomes one of its own, whose row of `transactions`
-- is p_deposit. Returns 'credited', 'decided', or 'changed' when the charge is not p_from.
CREATE FUNCTION review_credit(
  p_review_id uuid, p_left bigint, p_from transaction_status, p_fee_centavos bigint,
  p_deposit jsonb, p_reason text, p_by jsonb, p_now timestamptz, p_event_id uuid, p_event_body text,
  p_split_id uuid, p_split_event_id uuid, p_split_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews := review_lock(p_review_id, p_left);
  v_tx transactions;
BEGIN
  IF v_review.id IS NULL THEN RETURN 'decided'; END IF;
  v_tx := ledger_lock_transaction(v_review.transaction_id, '{pix_in}');
  IF v_tx.status <> p_from OR (v_tx.status = 'review') <> (p_deposit IS NULL) THEN
    RETURN 'changed';
  END IF;
  IF p_deposit IS NULL THEN
    PERFORM ledger_pay_from_suspense(v_tx, p_left, p_fee_centavos, v_review.end_to_end_id,
      coalesce(v_review.paid_at, v_review.created_at), p_now, p_event_id, p_event_body,
      p_split_id, p_split_event_id, p_split_event_body);
  ELSE
    IF (p_deposit ->> 'amount_centavos')::bigint <> p_left
      OR (p_deposit ->> 'account_id')::uuid <> v_tx.account_id OR p_deposit ->> 'rail' <> v_tx.rail
    THEN
      RAISE EXCEPTION 'Review %: a deposit that is not of its money.', p_review_id
        USING ERRCODE = 'TR005';
    END IF;
    PERFORM ledger_deposit(p_deposit, v_review.end_to_end_id,
      coalesce(v_review.paid_at, v_review.created_at), p_now, p_event_id, p_event_body);
  END IF;
  PERFORM review_write_decision(v_review, 'credit', p_reason, p_by, p_now);
  RETURN 'credited';
END $$;

-- What of an invoice's reviews was decided about, what was credited of it then, and the fee in it.
CREATE FUNCTION invoice_decided(p_transaction_id uuid)
RETURNS TABLE (centavos bigint, credit bigint, fee bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(r.received_centavos), 0)::bigint, coalesce(sum(f.gross_centavos), 0)::bigint,
    coalesce(sum(f.fee_centavos), 0)::bigint
  FROM reviews r LEFT JOIN ledger_transfers f ON f.transaction_id = r.transaction_id
    AND f.kind = 'review_credited' AND f.reference = r.end_to_end_id
  WHERE r.transaction_id = p_transaction_id AND r.resolved_at IS NOT NULL
$$;

-- Credits what an invoice has in review: suspense -> available and fees. It is completed then, with
-- p_sub_status, which follows from what is settled. The fee of a review of an invoice, and the
-- event of its decision, depend on what has been credited of the invoice by then, and of two that
-- are credited at once one takes the fixed part of the fee: p_settled, p_credited, p_fees and
-- p_decided are what of the invoice is settled, credited, the fee in it, and what was decided
-- about, which is asked under the invoice's lock. Returns 'credited', 'decided', or 'changed' when
-- one of them holds no more.
CREATE FUNCTION review_credit_invoice(
  p_review_id uuid, p_left bigint, p_fee_centavos bigint, p_reason text, p_by jsonb,
  p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text,
  p_credited bigint, p_fees bigint, p_decided bigint, p_settled bigint, p_sub_status text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_holds boolean;
  v_review reviews;
  v_mode mode;
BEGIN
  v_tx := ledger_lock_transaction(
    (SELECT transaction_id FROM reviews WHERE id = p_review_id), '{crypto_in}');
  SELECT v_tx.settled_units = p_settled AND v_tx.credited_centavos + credit = p_credited
    AND v_tx.credited_fee_centavos + fee = p_fees AND centavos = p_decided
  INTO v_holds FROM invoice_decided(v_tx.id);
  IF NOT v_holds THEN RETURN 'changed'; END IF;
  v_review := review_lock(p_review_id, p_left);
  IF v_review.id IS NULL THEN RETURN 'decided'; END IF;
  v_mode := account_mode(v_tx.account_id);
  IF p_fee_centavos < 0 OR p_fee_centavos > p_left THEN
    RAISE EXCEPTION 'Review %: a fee of % of %.', p_review_id, p_fee_centavos, p_left
      USING ERRCODE = 'TR005';
  END IF;
  PERFORM ledger_post(v_tx.id, 'review_credited', v_review.end_to_end_id, p_now,
    ARRAY[ledger_platform_account('suspense', v_mode),
          ledger_account(v_tx.account_id, 'available'), ledger_platform_account('fees', v_mode)],
    ARRAY[-p_left, p_left - p_fee_centavos, p_fee_centavos]);
  UPDATE transactions
  SET status = 'completed', sub_status = p_sub_status, paid_at = coalesce(paid_at, p_now),
    updated_at = p_now
  WHERE id = v_tx.id;
  PERFORM review_write_decision(v_review, 'credit', p_reason, p_by, p_now);
  PERFORM event_emit(v_tx, 'usdt', p_event_id, p_event_type, p_event_body, p_now);
  RETURN 'credited';
END $$;

-- Has the payment of a review sent back to its payer, and writes the task that does it. The review
-- is resolved once it has arrived. Returns 'returning' or 'decided'.
CREATE FUNCTION review_return(
  p_review_id uuid, p_left bigint, p_return_id uuid, p_reason text, p_by jsonb, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews := review_lock(p_review_id, p_left);
  v_tx transactions;
BEGIN
  IF v_review.id IS NULL THEN RETURN 'decided'; END IF;
  v_tx := ledger_lock_transaction(v_review.transaction_id, '{pix_in}');
  UPDATE reviews SET resolution_reason = p_reason WHERE id = p_review_id;
  INSERT INTO payment_returns (id, review_id, rail, end_to_end_id, centavos, created_at)
  VALUES (p_return_id, p_review_id, v_tx.rail, v_review.end_to_end_id, p_left, p_now);
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('return_payment', p_return_id, p_now);
  PERFORM audit_decision(v_tx.account_id, 'review.returning', jsonb_build_object(
    'subject', v_tx.id, 'centavos', p_left, 'reason', p_reason), p_by, p_now);
  RETURN 'returning';
END $$;

-- Gives up what is in review: suspense -> write_offs. Returns 'written_off' or 'decided'.
CREATE FUNCTION review_write_off(
  p_review_id uuid, p_left bigint, p_reason text, p_by jsonb, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews := review_lock(p_review_id, p_left);
  v_tx transactions;
  v_mode mode;
BEGIN
  IF v_review.id IS NULL THEN RETURN 'decided'; END IF;
  v_tx := ledger_lock_transaction(v_review.transaction_id, '{pix_in,crypto_in}');
  v_mode := account_mode(v_tx.account_id);
  PERFORM ledger_post(v_tx.id, 'review_written_off', v_review.end_to_end_id, p_now,
    ARRAY[ledger_platform_account('suspense', v_mode),
          ledger_platform_account('write_offs', v_mode)],
    ARRAY[-p_left, p_left]);
  PERFORM review_write_decision(v_review, 'write_off', p_reason, p_by, p_now);
  RETURN 'written_off';
END $$;

-- Ends a devolução that a decision asked for. Done: its money leaves suspense. Not done: what it
-- was for waits for another decision. Returns false when it had ended before.
CREATE FUNCTION payment_return_finish(
  p_id uuid, p_done boolean, p_provider_return_id text, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_return payment_returns;
BEGIN
  SELECT * INTO STRICT v_return FROM payment_returns WHERE id = p_id;
  -- The order of all: the transaction, what is decided about, its devolução.
  PERFORM FROM transactions x JOIN reviews r ON r.transaction_id = x.id
  WHERE r.id = v_return.review_id FOR UPDATE OF x;
  UPDATE payment_returns
  SET status = CASE WHEN p_done THEN 'completed' ELSE 'failed' END::refund_status,
    return_id = p_provider_return_id, finished_at = p_now
  WHERE id = p_id AND status = 'pending';
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_done AND v_return.review_id IS NOT NULL THEN
    PERFORM ledger_review_returned(v_return.review_id, p_id::text, v_return.centavos, p_now);
  ELSIF p_done THEN
    PERFORM ledger_unmatched_returned(v_return.unmatched_id, p_id::text, v_return.centavos, p_now);
  ELSE
    UPDATE unmatched_payments SET state = 'open'
    WHERE id = v_return.unmatched_id AND state = 'returning';
  END IF;
  DELETE FROM tasks WHERE kind = 'return_payment' AND subject_id = p_id;
  RETURN true;
END $$;

-- Withdrawals in review ---------------------------------------------------------------------------

-- A withdrawal that was completed did not leave: settlement and fees -> available.
CREATE FUNCTION ledger_withdrawal_returned(
  p_tx transactions, p_reference text, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_mode mode := account_mode(p_tx.account_id);
BEGIN
  RETURN ledger_post(p_tx.id, 'withdrawal_returned', p_reference, p_now,
    ARRAY[ledger_account(p_tx.account_id, 'available'),
          ledger_platform_account(payout_settlement(p_tx.type), v_mode),
          ledger_platform_account('fees', v_mode)],
    ARRAY[p_tx.net_centavos + p_tx.fee_centavos, -p_tx.net_centavos, -p_tx.fee_centavos]);
END $$;

-- A withdrawal that had failed left all the same: available -> p_settlement and fees, and what the
-- account does not have is owed by it.
CREATE FUNCTION ledger_withdrawal_recovered(
  p_tx transactions, p_reference text, p_settlement bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_mode mode := account_mode(p_tx.account_id);
  v_taken ledger_taking := ledger_take(p_tx.account_id, p_tx.net_centavos + p_tx.fee_centavos);
BEGIN
  RETURN ledger_post(p_tx.id, 'withdrawal_recovered', p_reference, p_now,
    v_taken.accounts || ARRAY[p_settlement, ledger_platform_account('fees', v_mode)],
    v_taken.amounts || ARRAY[p_tx.net_centavos, p_tx.fee_centavos]);
END $$;

-- Ends the review of a withdrawal. p_failure_code: why it failed, where that is its end.
-- p_resolution:
--   dismiss    it ended as the ledger has it
--   credit     it was called completed and did not leave: the account has its money back
--   recover    it was called failed and left: the account pays it
--   write_off  the provider is right, and the platform takes the loss or the gain
-- What was booked of the payout as not requested is decided with it, out of suspense. Where that
-- waits, dismissing is not possible: the money has left. Where it was decided before, nothing else
-- is. Returns 'resolved', 'decided', or 'not_possible' when the resolution does not fit the review.
-- What is used of the limits changes last, as in withdrawal_request: a decision and a withdrawal at
-- once take their locks in the same order.
CREATE FUNCTION payout_resolve(
  p_review_id uuid, p_resolution text, p_failure_code text, p_reason text, p_by jsonb,
  p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews := review_lock(p_review_id, 0);
  v_tx transactions;
  v_mode mode;
  v_was_paid boolean;
  v_is_paid boolean;
  v_sign integer;
  v_foreign foreign_payouts;
  v_settlement bigint;
BEGIN
  IF v_review.id IS NULL THEN RETURN 'decided'; END IF;
  v_tx := ledger_lock_transaction(v_review.transaction_id, '{pix_out,crypto_out}');
  v_mode := account_mode(v_tx.account_id);
  v_was_paid := v_review.reason = 'provider_says_failed';
  IF v_tx.status <> 'review' OR p_resolution NOT IN
    ('dismiss', 'write_off', CASE WHEN v_was_paid THEN 'credit' ELSE 'recover' END)
  THEN
    RETURN 'not_possible';
  END IF;
  v_settlement := ledger_platform_account(payout_settlement(v_tx.type), v_mode);
  SELECT * INTO v_foreign FROM foreign_payouts WHERE id = v_review.foreign_payout_id FOR UPDATE;
  IF FOUND THEN
    IF (v_foreign.state = 'open') = (p_resolution = 'dismiss') THEN RETURN 'not_possible'; END IF;
    -- It has left settlement already, and is in suspense until now.
    v_settlement := ledger_platform_account('suspense', v_mode);
    UPDATE foreign_payouts SET reason = p_reason, decided_by = p_by ->> 'name',
      decided_at = p_now, transaction_id = CASE p_resolution WHEN 'recover' THEN v_tx.id END,
      state = CASE p_resolution WHEN 'recover' THEN 'charged'
        ELSE 'written_off' END::foreign_payout_state
    WHERE id = v_foreign.id AND state = 'open';
  END IF;
  v_is_paid := CASE p_resolution
    WHEN 'credit' THEN false WHEN 'recover' THEN true ELSE v_was_paid END;
  UPDATE transactions
  SET status = CASE WHEN v_is_paid THEN settled_status(v_tx.type) ELSE 'failed' END,
    failure_code = CASE WHEN NOT v_is_paid THEN p_failure_code END,
    paid_at = CASE WHEN v_is_paid THEN coalesce(paid_at, p_now) END, updated_at = p_now
  WHERE id = v_tx.id;
  IF p_resolution = 'credit' THEN
    PERFORM ledger_withdrawal_returned(v_tx, p_review_id::text, p_now);
  ELSIF p_resolution = 'recover' THEN
    PERFORM ledger_withdrawal_recovered(v_tx, p_review_id::text, v_settlement, p_now);
  ELSIF p_resolution = 'write_off' THEN
    v_sign := CASE WHEN v_was_paid THEN -1 ELSE 1 END;
    PERFORM ledger_post(v_tx.id, 'withdrawal_written_off', p_review_id::text, p_now,
      ARRAY[v_settlement, ledger_platform_account('write_offs', v_mode)],
      ARRAY[v_sign * v_tx.net_centavos, -v_sign * v_tx.net_centavos]);
  END IF;
  IF NOT v_is_paid THEN PERFORM ledger_add_limit_usage(v_tx, -v_tx.amount_centavos); END IF;
  PERFORM review_write_decision(v_review, p_resolution, p_reason, p_by, p_now);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  RETURN 'resolved';
END $$;

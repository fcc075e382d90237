-- PIX withdrawals that begin on a later date, once or again and again. The payout of each date is a
-- transaction of its own: its id is made when it is planned, and it is sent under that id alone. Of
-- a schedule one payout at most waits; the next one is planned by the statement in which it ends.

-- What is needed to begin a payout and to plan the one after it; kept afterwards.
CREATE TABLE scheduled_payouts (
  transaction_id uuid PRIMARY KEY REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  schedule_id uuid NOT NULL,
  number integer NOT NULL,
  first_on date NOT NULL,
  every text,
  count integer,
  until_on date,
  reserve boolean NOT NULL,
  if_missed text NOT NULL,
  begins_until timestamptz(3) NOT NULL,
  short_since timestamptz(3)
);
CREATE UNIQUE INDEX scheduled_payouts_schedule_id_number_key
  ON scheduled_payouts (schedule_id, number);
ALTER TABLE scheduled_payouts
  ADD CONSTRAINT scheduled_payouts_repeat CHECK (
    every IN ('week', 'month', 'year') AND (count IS NULL) <> (until_on IS NULL)
    OR every IS NULL AND count IS NULL AND until_on IS NULL AND number = 1),
  ADD CONSTRAINT scheduled_payouts_if_missed CHECK (if_missed IN ('fail', 'run'));

-- Notes when a payout begins and has it begun then.
CREATE FUNCTION scheduled_payout_wait(p_transaction_id uuid, p_due_at timestamptz) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO tasks (kind, subject_id, due_at)
  VALUES ('scheduled_payout', p_transaction_id, p_due_at)
$$;

-- Schedules a payout: checks who asks as any withdrawal does, and writes the transaction with what
-- is planned (p_plan, a row of scheduled_payouts); with its `reserve` the money is held from now
-- on. Limits are looked at when it begins. Returns 'scheduled', or what withdrawal_request returns.
CREATE FUNCTION payout_schedule(
  p_row jsonb, p_plan jsonb, p_key_id uuid, p_member_id uuid, p_approve_until timestamptz,
  p_pix_key_indexes bytea[], p_reference_indexes bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_plan scheduled_payouts := jsonb_populate_record(NULL::scheduled_payouts, p_plan);
  v_outcome text := withdrawal_request(p_row, NULL, NULL, NULL, NULL, p_key_id, p_member_id,
    p_approve_until, p_pix_key_indexes, NULL, '{}', v_plan.reserve, p_reference_indexes);
BEGIN
  IF v_outcome NOT IN ('scheduled', 'pending_approval') THEN RETURN v_outcome; END IF;
  INSERT INTO scheduled_payouts SELECT (v_plan).*;
  IF v_outcome = 'scheduled' THEN
    PERFORM scheduled_payout_wait(v_plan.transaction_id, (p_row ->> 'scheduled_for')::timestamptz);
  END IF;
  RETURN v_outcome;
END $$;

-- Plans the next payout of a schedule (p_row and p_plan, null where it has ended), once. Its money
-- is held now where the schedule says so and there is enough; else when it begins. The caller has
-- locked the row of the payout before.
CREATE FUNCTION scheduled_payout_plan(p_row jsonb, p_plan jsonb, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_plan scheduled_payouts := jsonb_populate_record(NULL::scheduled_payouts, p_plan);
  v_balance bigint;
BEGIN
  IF v_tx.id IS NULL OR EXISTS (SELECT FROM transactions WHERE id = v_tx.id) THEN RETURN; END IF;
  v_tx.sub_status := 'scheduled';
  INSERT INTO transactions SELECT (v_tx).*;
  INSERT INTO scheduled_payouts SELECT (v_plan).*;
  PERFORM scheduled_payout_wait(v_tx.id, v_tx.scheduled_for);
  IF v_plan.reserve THEN
    SELECT CASE WHEN is_own_rail(v_tx.rail) THEN balance_centavos
      ELSE least(balance_centavos, balance_centavos - own_centavos) END
    INTO STRICT v_balance FROM ledger_accounts
    WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
    IF v_tx.net_centavos + v_tx.fee_centavos <= v_balance THEN
      PERFORM ledger_withdrawal_requested(v_tx.id, p_now);
    END IF;
  END IF;
END $$;

-- Begins a payout whose time has come, once: by withdrawal_request, so that what holds for any
-- withdrawal of this moment holds for it. Who scheduled it was asked then; a pause of theirs that
-- began since stops nothing that was scheduled before, as it stops no payout that waits to be sent.
-- p_rail is the rail of today, which sends it and for which withdrawal_request is asked;
-- p_fee_centavos the fee, for what was not held before. Returns 'requested', 'not_due' (its time
-- has not come, or it has begun or ended), or what withdrawal_request returns, and since when there
-- was too little money.
CREATE FUNCTION scheduled_payout_begin(
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
  outcome := withdrawal_request(to_jsonb(v_tx), p_day_start, p_day_end, p_night_start, p_night_end,
    NULL, NULL, NULL, p_pix_key_indexes, NULL, '{}', NOT v_is_held, NULL);
  IF outcome = 'requested' THEN
    PERFORM scheduled_payout_plan(p_next_row, p_next_plan, p_now);
  ELSIF outcome = 'insufficient_funds' THEN
    UPDATE scheduled_payouts s SET short_since = coalesce(s.short_since, p_now)
    WHERE s.transaction_id = v_tx.id RETURNING s.short_since INTO short_since;
  END IF;
END $$;

-- Ends a payout that has not begun, also one that waits for its approval, and gives back what was
-- held: p_to 'failed', and then the next one is planned, or 'cancelled'. Returns 'ended', 'unknown'
-- (no payout of the account is scheduled under this id) or 'started' (it has begun, or has ended).
CREATE FUNCTION scheduled_payout_end(
  p_account_id uuid, p_transaction_id uuid, p_to transaction_status, p_failure_code text,
  p_next_row jsonb, p_next_plan jsonb, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
BEGIN
  SELECT * INTO v_tx FROM transactions
  WHERE id = p_transaction_id AND account_id = p_account_id FOR UPDATE;
  IF v_tx.scheduled_for IS NULL THEN RETURN 'unknown'; END IF;
  IF v_tx.sub_status IS NULL THEN RETURN 'started'; END IF;
  IF p_to NOT IN ('failed', 'cancelled') THEN
    RAISE EXCEPTION 'A payout that has not begun does not become %.', p_to USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = p_to, sub_status = NULL, failure_code = p_failure_code,
    updated_at = p_now
  WHERE id = v_tx.id;
  IF ledger_is_posted(v_tx.id, 'withdrawal_requested') THEN
    PERFORM ledger_withdrawal_failed(v_tx.id, p_now);
  END IF;
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks
  WHERE kind IN ('scheduled_payout', 'notify_approval', 'expire_approval') AND subject_id = v_tx.id;
  PERFORM scheduled_payout_plan(p_next_row, p_next_plan, p_now);
  RETURN 'ended';
END $$;

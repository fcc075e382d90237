-- Batches of PIX withdrawals from one file. Nothing of a batch is held or sent before its rows are
-- run, one after the other, each by withdrawal_request under the id that was made with the batch.

-- sealed: the rows as they were read, in the order of the file. rows_index: by what the same rows
-- are found again. A batch whose sum is above the account's threshold waits for a second person
-- until decide_until.
CREATE TABLE payout_batches (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  status text NOT NULL,
  sealed text NOT NULL,
  rows_index bytea NOT NULL,
  rows integer NOT NULL,
  centavos bigint NOT NULL,
  made_by_id uuid NOT NULL,
  made_at timestamptz(3) NOT NULL,
  decide_until timestamptz(3),
  decided_by_id uuid,
  decided_at timestamptz(3)
);
-- Of a batch that was declined, that nobody approved in time, or of which every row was rejected or
-- failed, nothing was sent or ever will be: the same rows may be a batch once more.
CREATE UNIQUE INDEX payout_batches_account_id_rows_index_key
  ON payout_batches (account_id, rows_index) WHERE status NOT IN ('declined', 'expired', 'failed');
CREATE INDEX payout_batches_account_id_id_idx ON payout_batches (account_id, id);
ALTER TABLE payout_batches
  ADD CONSTRAINT payout_batches_status
    CHECK (status IN ('pending_approval', 'running', 'declined', 'expired', 'failed')),
  ADD CONSTRAINT payout_batches_expired
    CHECK (status <> 'expired' OR (decide_until IS NOT NULL AND decided_at IS NULL)),
  ADD CONSTRAINT payout_batches_sums CHECK (rows > 0 AND centavos > 0),
  ADD CONSTRAINT payout_batches_decided CHECK (
    (decided_at IS NULL) = (decided_by_id IS NULL)
    AND (decided_at IS NULL OR decide_until IS NOT NULL)
    AND (status = 'pending_approval') <= (decide_until IS NOT NULL AND decided_at IS NULL)
    AND (status = 'declined') <= (decided_at IS NOT NULL)
    AND (status = 'running') <= ((decide_until IS NULL) = (decided_at IS NULL))),
  -- Who made it is never the second person.
  ADD CONSTRAINT payout_batches_second_person
    CHECK (status <> 'running' OR decided_by_id <> made_by_id);

-- A row without a failure whose withdrawal does not exist yet is still to be run.
CREATE TABLE payout_batch_rows (
  batch_id uuid NOT NULL REFERENCES payout_batches (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  number integer NOT NULL,
  withdrawal_id uuid NOT NULL,
  centavos bigint NOT NULL,
  failure text,
  PRIMARY KEY (batch_id, number)
);
CREATE UNIQUE INDEX payout_batch_rows_withdrawal_id_key ON payout_batch_rows (withdrawal_id);
ALTER TABLE payout_batch_rows
  ADD CONSTRAINT payout_batch_rows_centavos CHECK (centavos > 0);

-- Returns whether every row of a batch was rejected, or failed. Not in SQL: PostgreSQL would plan
-- it again for each batch.
CREATE FUNCTION payout_batch_has_failed(p_batch_id uuid) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN NOT EXISTS (
    SELECT FROM payout_batch_rows r LEFT JOIN transactions t ON t.id = r.withdrawal_id
    WHERE r.batch_id = p_batch_id AND coalesce(t.status <> 'failed', r.failure IS NULL));
END $$;

-- Writes a batch, and has it run, or wait for a second person, who is notified, where its sum is
-- above the account's threshold. p_batch and p_rows are rows of the tables; p_rows_indexes: what
-- the index of the same rows may be. A row of p_rows with a spare_id has the withdrawal_id of a row
-- of an earlier batch, which gets the spare one: where a batch was approved and sent by a database
-- that was lost, and expired or was declined in the restored one, the same file is sent under the
-- same ids, under which the PSP pays once. Returns 'running', 'pending_approval', 'exists' (the
-- account has a batch of these rows, or that earlier batch is not one that was declined or has
-- expired, because another one was made meanwhile; nothing was done), or what
-- money_out_block_reason returns.
CREATE FUNCTION payout_batch_make(
  p_batch jsonb, p_rows jsonb, p_rows_indexes bytea[], p_decide_until timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_batch payout_batches := jsonb_populate_record(NULL::payout_batches, p_batch);
  v_block_reason text;
BEGIN
  -- As every withdrawal does: of two of the same file one waits here, and finds the other's.
  PERFORM FROM ledger_accounts
  WHERE account_id = v_batch.account_id AND kind = 'available' FOR UPDATE;
  UPDATE payout_batches SET status = CASE status WHEN 'running' THEN 'failed' ELSE 'expired' END
  WHERE account_id = v_batch.account_id AND rows_index = ANY (p_rows_indexes)
    AND (status = 'pending_approval' AND decide_until <= v_batch.made_at
      OR status = 'running' AND payout_batch_has_failed(id));
  IF EXISTS (
    SELECT FROM payout_batches
    WHERE account_id = v_batch.account_id AND rows_index = ANY (p_rows_indexes)
      AND status NOT IN ('declined', 'expired', 'failed')
  ) THEN
    RETURN 'exists';
  END IF;
  IF EXISTS (
    SELECT FROM jsonb_array_elements(p_rows) AS n (row)
      JOIN payout_batch_rows r ON r.withdrawal_id = (n.row ->> 'withdrawal_id')::uuid
      JOIN payout_batches b ON b.id = r.batch_id
    WHERE b.account_id <> v_batch.account_id OR b.status NOT IN ('declined', 'expired')
  ) THEN
    RETURN 'exists';
  END IF;
  v_block_reason := money_out_block_reason(v_batch.account_id, NULL, v_batch.made_by_id, true,
    v_batch.made_at);
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;

  SELECT sum((r ->> 'centavos')::bigint), count(*) INTO STRICT v_batch.centavos, v_batch.rows
  FROM jsonb_array_elements(p_rows) AS r;
  v_batch.status := 'running';
  IF v_batch.centavos > withdrawal_threshold(v_batch.account_id, 'approval', v_batch.made_at) THEN
    v_batch.status := 'pending_approval';
    v_batch.decide_until := p_decide_until;
  END IF;
  INSERT INTO payout_batches SELECT (v_batch).*;
  UPDATE payout_batch_rows r SET withdrawal_id = (n.row ->> 'spare_id')::uuid
  FROM jsonb_array_elements(p_rows) AS n (row)
  WHERE r.withdrawal_id = (n.row ->> 'withdrawal_id')::uuid AND n.row ->> 'spare_id' IS NOT NULL;
  INSERT INTO payout_batch_rows SELECT * FROM jsonb_populate_recordset(NULL::payout_batch_rows, p_rows);
  INSERT INTO tasks (kind, subject_id, due_at)
  SELECT CASE v_batch.status WHEN 'running' THEN 'payout_batch' ELSE 'notify_batch' END, v_batch.id,
    v_batch.made_at;
  RETURN v_batch.status;
END $$;

-- Decides about a batch that waits, once: p_to 'running' has it run, 'declined' ends it. Returns
-- p_to, 'unknown' (the account has no batch of this id), 'decided' (it waits no more); of an
-- approval also 'own' (this member made it), what money_out_block_reason returns for this member,
-- or 'asker_paused'. While the account, the merchant or either person is stopped it goes on to
-- wait.
CREATE FUNCTION payout_batch_decide(
  p_account_id uuid, p_batch_id uuid, p_member_id uuid, p_to text, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_batch payout_batches;
  v_block_reason text;
BEGIN
  SELECT * INTO v_batch FROM payout_batches
  WHERE id = p_batch_id AND account_id = p_account_id FOR UPDATE;
  IF v_batch.id IS NULL THEN RETURN 'unknown'; END IF;
  IF v_batch.status <> 'pending_approval' OR v_batch.decide_until <= p_now THEN
    RETURN 'decided';
  END IF;
  IF p_to = 'running' THEN
    IF v_batch.made_by_id = p_member_id THEN RETURN 'own'; END IF;
    v_block_reason := money_out_block_reason(p_account_id, NULL, p_member_id, true, p_now);
    IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;
    IF money_out_paused_until(NULL, v_batch.made_by_id, p_now) IS NOT NULL THEN
      RETURN 'asker_paused';
    END IF;
    INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout_batch', v_batch.id, p_now);
  END IF;
  UPDATE payout_batches SET status = p_to, decided_by_id = p_member_id, decided_at = p_now
  WHERE id = v_batch.id;
  RETURN p_to;
END $$;

-- Returns whether a withdrawal is a row of a batch that a second person has approved, with the
-- amount that they saw. Not in SQL: PostgreSQL would plan it again for each withdrawal.
CREATE FUNCTION payout_batch_is_approved(p_tx transactions) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM payout_batch_rows r JOIN payout_batches b ON b.id = r.batch_id
    WHERE r.withdrawal_id = p_tx.id AND r.centavos = p_tx.amount_centavos
      AND b.account_id = p_tx.account_id AND b.status = 'running' AND b.decided_at IS NOT NULL);
END $$;

-- Locks a row of a batch. Returns whether it is still to be run.
CREATE FUNCTION payout_batch_row_lock(p_batch_id uuid, p_number integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_row payout_batch_rows;
BEGIN
  SELECT * INTO STRICT v_row FROM payout_batch_rows
  WHERE batch_id = p_batch_id AND number = p_number FOR UPDATE;
  -- A statement of its own, which sees what whoever held the lock has committed.
  RETURN v_row.failure IS NULL
    AND NOT EXISTS (SELECT FROM transactions WHERE id = v_row.withdrawal_id)
    AND EXISTS (SELECT FROM payout_batches WHERE id = p_batch_id AND status = 'running');
END $$;

-- Runs a row of a batch, once, by withdrawal_request, as the withdrawal p_row of who made the
-- batch; the other parameters are those of withdrawal_request. What it rejects is noted as the
-- row's failure. Returns 'done' (it was run before, or the batch does not run) or what
-- withdrawal_request returns.
CREATE FUNCTION payout_batch_row_run(
  p_batch_id uuid, p_number integer, p_row jsonb, p_day_start timestamptz, p_day_end timestamptz,
  p_night_start timestamptz, p_night_end timestamptz, p_approve_until timestamptz,
  p_pix_key_indexes bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_made_by_id uuid;
  v_outcome text;
BEGIN
  IF NOT payout_batch_row_lock(p_batch_id, p_number) THEN RETURN 'done'; END IF;
  SELECT b.made_by_id INTO v_made_by_id
  FROM payout_batch_rows r JOIN payout_batches b ON b.id = r.batch_id
  WHERE r.batch_id = p_batch_id AND r.number = p_number
    AND r.withdrawal_id = (p_row ->> 'id')::uuid
    AND r.centavos = (p_row ->> 'amount_centavos')::bigint
    AND b.account_id = (p_row ->> 'account_id')::uuid;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Row % of batch % is another withdrawal.', p_number, p_batch_id
      USING ERRCODE = 'TR004';
  END IF;
  v_outcome := withdrawal_request(p_row, p_day_start, p_day_end, p_night_start, p_night_end, NULL,
    v_made_by_id, p_approve_until, p_pix_key_indexes, NULL, '{}', true, NULL);
  IF v_outcome NOT IN ('requested', 'pending_approval', 'exists') THEN
    UPDATE payout_batch_rows SET failure = CASE v_outcome
      WHEN 'suspended' THEN 'account_suspended'
      WHEN 'kyc' THEN 'kyc_not_approved'
      WHEN 'paused' THEN 'withdrawals_paused'
      WHEN 'daily_limit' THEN 'daily_limit_reached'
      WHEN 'night_limit' THEN 'night_limit_reached'
      ELSE v_outcome END
    WHERE batch_id = p_batch_id AND number = p_number;
  END IF;
  RETURN v_outcome;
END $$;

-- Notes why a row was rejected before it came to withdrawal_request. Returns false when it was run
-- before.
CREATE FUNCTION payout_batch_row_fail(p_batch_id uuid, p_number integer, p_failure text)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT payout_batch_row_lock(p_batch_id, p_number) THEN RETURN false; END IF;
  UPDATE payout_batch_rows SET failure = p_failure
  WHERE batch_id = p_batch_id AND number = p_number;
  RETURN true;
END $$;

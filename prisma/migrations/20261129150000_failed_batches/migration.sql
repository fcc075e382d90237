-- Of a batch of which every row was rejected, or failed at the PSP, nothing was sent: the same
-- rows, which are what the panel gives as the file of those that failed, may be a batch once more.

ALTER TABLE payout_batches
  DROP CONSTRAINT payout_batches_status,
  ADD CONSTRAINT payout_batches_status
    CHECK (status IN ('pending_approval', 'running', 'declined', 'expired', 'failed'));
DROP INDEX payout_batches_account_id_rows_index_key;
CREATE UNIQUE INDEX payout_batches_account_id_rows_index_key
  ON payout_batches (account_id, rows_index) WHERE status NOT IN ('declined', 'expired', 'failed');

-- Returns whether every row of a batch was rejected, or failed. Not in SQL: PostgreSQL would plan
-- it again for each batch.
CREATE FUNCTION payout_batch_has_failed(p_batch_id uuid) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN NOT EXISTS (
    SELECT FROM payout_batch_rows r LEFT JOIN transactions t ON t.id = r.withdrawal_id
    WHERE r.batch_id = p_batch_id AND coalesce(t.status <> 'failed', r.failure IS NULL));
END $$;

-- payout_batch_make (see 20261124180005_batches_again): a batch that has failed gives way, too.
CREATE OR REPLACE FUNCTION payout_batch_make(
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
  INSERT INTO payout_batch_rows SELECT * FROM jsonb_populate_recordset(NULL::payout_batch_rows, p_rows);
  INSERT INTO tasks (kind, subject_id, due_at)
  SELECT CASE v_batch.status WHEN 'running' THEN 'payout_batch' ELSE 'notify_batch' END, v_batch.id,
    v_batch.made_at;
  RETURN v_batch.status;
END $$;

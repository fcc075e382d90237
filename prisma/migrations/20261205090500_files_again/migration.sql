-- A batch that waited for a second person in a database that was restored may have been approved
-- and sent by the one that was lost. Once it had expired, or was declined, the same file was a
-- new batch under new ids, and its rows were paid twice. They take the ids over that they had,
-- under which the PSP pays once: nothing of a batch that was never approved has used them here.

-- payout_batch_make (see 20261129150000_failed_batches). A row of p_rows with a spare_id has the
-- withdrawal_id of a row of an earlier batch, which gets the spare one. Returns 'exists' also where
-- that batch is not one that was declined or has expired, because another one was made meanwhile.
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

-- A day of the ledger proof ends before the first transfer that is of a later day. One of an
-- account whose test clock is ahead says nothing of that: where it was posted before midnight and
-- sealed after it, what all other accounts posted between it and midnight was of the next day.

-- As before, but for such transfers, which are of the day on which they are sealed.
CREATE OR REPLACE FUNCTION proof_seal(p_now timestamptz, p_limit integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v ledger_sealing;
  v_own bigint;
  v_last bigint;
  v_count integer;
  v_to bigint;
  v_next_day bigint;
  v_is_past boolean;
BEGIN
  SELECT * INTO v FROM ledger_sealing FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 'busy'; END IF;
  IF v.is_day_over THEN RETURN 'day_over'; END IF;
  v_own := pg_current_xact_id()::text::bigint;
  v_is_past := coalesce(proof_day_end(v.day) <= p_now, false);
  -- A barrier in the future is another server's: the database was restored.
  IF v.barrier IS NULL OR v.barrier > v_own THEN
    UPDATE ledger_sealing SET barrier = v_own;
    RETURN 'waiting';
  END IF;
  IF pg_snapshot_xmin(pg_current_snapshot())::text::bigint < v.barrier THEN RETURN 'waiting'; END IF;

  IF v.transfer_id = v.horizon_id THEN
    v_last := coalesce((SELECT max(id) FROM ledger_transfers), 0);
    IF v_last > v.horizon_id OR v_is_past AND v.horizon_at < proof_day_end(v.day) THEN
      UPDATE ledger_sealing
      SET horizon_id = greatest(v_last, v.horizon_id), horizon_at = p_now, barrier = NULL,
        day = coalesce(v.day, (SELECT least(t.created_at, p_now) AT TIME ZONE 'America/Sao_Paulo'
          FROM ledger_transfers t ORDER BY t.id LIMIT 1)::date);
      RETURN 'waiting';
    END IF;
    IF NOT v_is_past THEN RETURN 'done'; END IF;
    UPDATE ledger_sealing SET is_day_over = true;
    RETURN 'day_over';
  END IF;

  SELECT count(*), max(id), min(id) FILTER (WHERE created_at >= proof_day_end(v.day)
      AND NOT EXISTS (SELECT FROM test_clocks c WHERE c.account_id = next.account_id))
    INTO v_count, v_to, v_next_day
  FROM (SELECT id, account_id, created_at FROM ledger_transfers
    WHERE id > v.transfer_id AND id <= v.horizon_id ORDER BY id LIMIT p_limit) AS next;
  IF NOT v_is_past THEN v_next_day := NULL; END IF;
  IF v_next_day IS NOT NULL THEN v_to := v_next_day - 1;
  ELSIF v_count < p_limit THEN v_to := v.horizon_id;
  END IF;
  PERFORM ledger_seal_transfers(v.transfer_id, v_to, v.day);
  UPDATE ledger_sealing SET transfer_id = v_to, is_day_over = v_next_day IS NOT NULL;
  RETURN CASE WHEN v_next_day IS NOT NULL THEN 'day_over' ELSE 'sealed' END;
END $$;

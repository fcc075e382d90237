-- What a provider lists late, or differently by now, has the day compared again that it is listed
-- under. What was sent long before it was booked is looked for among what was sent then.

-- As before, and of payouts that were booked as not requested, which a sweep after an outage finds
-- late. When these were asked for is not known: three days before at most (SWEEP_PLAN.sent_days).
CREATE OR REPLACE FUNCTION payouts_sent_from(
  p_rail text, p_from timestamptz, p_to timestamptz, p_before timestamptz
) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT least(p_before, (
    SELECT min(coalesce(x.payout_sent_at, x.created_at))
    FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id
    WHERE t.created_at >= p_from AND t.created_at < p_to AND t.type = 'pix_out' AND x.rail = p_rail
  ), (
    SELECT min(sent_at) - interval '3 days' FROM foreign_payouts
    WHERE created_at >= p_from AND created_at < p_to AND rail = p_rail
  ))
$$;

-- As before, but a devolução and a payout, too, name the day that the PSP lists them under.
CREATE OR REPLACE FUNCTION reconciliation_compare(
  p_run_id uuid, p_rail text, p_since timestamptz, p_from timestamptz, p_to timestamptz
) RETURNS SETOF compared_item
LANGUAGE sql STABLE AS $$
  WITH listed AS MATERIALIZED (SELECT * FROM listed_keys(p_run_id, p_rail)),
  -- By the ids of transfers throughout, as arrays: the plan does not hang on what the statistics
  -- say, and reads no transfer but these.
  of_day AS MATERIALIZED (
    SELECT * FROM rail_movements WHERE rail = p_rail AND transfer_id = ANY (ARRAY(
      SELECT id FROM ledger_transfers WHERE created_at >= p_from AND created_at < p_to))
  ),
  -- What says that it is of this day and was booked later. Four days: a weekend and a holiday.
  booked_later AS MATERIALIZED (
    SELECT * FROM rail_movements
    WHERE rail = p_rail AND kind = 'payment' AND provider_at >= p_from AND provider_at < p_to
      AND transfer_id = ANY (ARRAY(
        SELECT id FROM ledger_transfers
        WHERE created_at >= p_to AND created_at < p_to + interval '4 days'
          AND kind IN ('charge_paid', 'suspense', 'unmatched')))
  ),
  -- All that the ledger has of these keys: a decision may have taken back what was booked before.
  booked AS MATERIALIZED (
    SELECT * FROM of_day UNION SELECT * FROM booked_later
    UNION SELECT * FROM rail_movements
      WHERE rail = ANY ((SELECT rails_beside(p_rail))::text[])
        AND transfer_id = ANY (ARRAY(SELECT transfers_of_listed(p_run_id, p_rail)))
    UNION SELECT * FROM rail_movements
      WHERE kind = 'payout' AND transfer_id = ANY (ARRAY(
        SELECT t.id FROM of_day d JOIN ledger_transfers t ON t.transaction_id = d.transaction_id
        WHERE d.kind = 'payout'))
  ),
  ours AS (
    SELECT kind, key, sum(centavos)::bigint AS centavos,
      coalesce(sum(centavos) FILTER (WHERE booked_at >= p_from AND booked_at < p_to), 0)::bigint
        AS day_centavos,
      bool_or(booked_at >= p_from AND booked_at < p_to) AS is_of_day,
      min(booked_at) AS at, max(provider_at) AS provider_at,
      (array_agg(transaction_id ORDER BY transfer_id))[1] AS transaction_id
    FROM booked GROUP BY kind, key
  ),
  both_sides AS (
    SELECT coalesce(l.kind, o.kind) AS kind, coalesce(l.key, o.key) AS key, l.end_to_end_id,
      l.return_id, l.amount AS theirs, o.centavos AS ours, l.at AS theirs_at, o.at AS ours_at,
      o.provider_at, o.transaction_id, l.paid_at,
      coalesce(l.at >= p_from AND l.at < p_to, false) AS is_theirs_of_day,
      coalesce(o.is_of_day, false) AS is_ours_of_day, coalesce(o.day_centavos, 0) AS ours_day,
      coalesce(o.provider_at >= p_from AND o.provider_at < p_to, false) AS is_claimed
    FROM listed l FULL JOIN ours o ON o.kind = l.kind AND o.key = l.key
  ),
  judged AS (
    SELECT *, CASE WHEN is_theirs_of_day THEN theirs ELSE 0 END AS theirs_day,
      CASE
        WHEN theirs IS NOT NULL AND ours IS NULL AND paid_at < p_since THEN 0
        WHEN theirs IS NOT NULL AND is_theirs_of_day THEN theirs - coalesce(ours, 0)
        -- It is a matter of the day on which the PSP has it, or says to have it.
        WHEN theirs IS NOT NULL THEN 0
        WHEN ours = 0 OR provider_at IS NOT NULL AND NOT is_claimed THEN 0
        WHEN is_claimed THEN -ours
        ELSE -ours_day
      END AS unexplained
    FROM both_sides WHERE is_theirs_of_day OR is_ours_of_day OR is_claimed
  )
  SELECT
    CASE WHEN theirs IS NOT NULL AND ours IS NULL AND paid_at < p_since THEN 'before'
      WHEN unexplained = 0 THEN 'other_day'
      WHEN theirs IS NULL THEN 'missing_there'
      WHEN ours IS NULL THEN 'missing_here'
      ELSE 'other_amount' END,
    kind, key,
    coalesce(end_to_end_id, CASE WHEN key LIKE 'E%' THEN split_part(key, ' ', 1) END), return_id,
    theirs, ours, theirs_day, ours_day, unexplained, theirs_at, ours_at,
    coalesce(theirs_at, provider_at), transaction_id, 0::bigint, NULL::bigint
  FROM judged
$$;

-- Has the days compared again of which a processor lists something else than when they were
-- compared: a payment that was final is gone, for example after a reorganisation of the chain, or
-- an operation that is not of the service has come to its end. Seven days are always read (see
-- coins_balance).
CREATE FUNCTION coins_compare_again(p_run_id uuid, p_day reconciled_days) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO tasks (kind, subject_id, due_at)
  SELECT 'reconcile_day', d.id, p_day.run_at
  FROM reconciled_days d CROSS JOIN LATERAL day_bounds(d.day) AS b
  WHERE d.rail = p_day.rail AND d.currency = p_day.currency AND d.id <> p_day.id
    AND d.day >= p_day.day - 7 AND d.read_until >= b.ends_at AND b.ends_at <= p_day.run_at
    -- A list that was cut says nothing about what it lacks.
    AND p_day.run_unreadable = 0
    AND d.theirs_received_amount - d.theirs_sent_amount - d.theirs_fees_amount <> (
      SELECT coalesce(sum(amount - fee_amount), 0) FROM listed_movements l
      WHERE l.run_id = p_run_id AND l.at >= b.starts_at AND l.at < b.ends_at)
  ON CONFLICT DO NOTHING
$$;

-- As before, but for the days that are compared again: those of all that is listed, and of coins.
CREATE OR REPLACE FUNCTION reconciliation_finish(
  p_id uuid, p_run_id uuid, p_items_max integer, p_now timestamptz
) RETURNS TABLE (left_unexplained bigint, left_unreadable integer) LANGUAGE plpgsql AS $$
DECLARE
  v_day reconciled_days;
  v_from timestamptz;
  v_to timestamptz;
BEGIN
  SELECT * INTO v_day FROM reconciled_days WHERE id = p_id AND run_id = p_run_id FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT starts_at, ends_at INTO v_from, v_to FROM day_bounds(v_day.day);
  -- Of a day that is not over, what there was when the run began.
  v_to := least(v_to, v_day.run_at);
  IF v_day.currency <> 'BRL' THEN
    v_day := coins_balance(p_run_id, v_day);
  -- What the balance was at the end of the day: less what has moved since then.
  ELSIF v_day.run_balance_amount IS NOT NULL THEN
    v_day.balance_amount := v_day.run_balance_amount - (
      SELECT coalesce(sum(amount), 0) FROM listed_movements
      WHERE run_id = p_run_id AND at >= v_to AND at <= v_day.run_at);
  ELSIF v_day.read_until < v_to THEN
    -- It was that of a part of the day.
    v_day.balance_amount := NULL;
  END IF;

  WITH compared AS MATERIALIZED (
    SELECT * FROM reconciliation_items(p_run_id, v_day, v_from, v_to)
  ), sums AS (
    SELECT coalesce(sum(theirs_day_amount) FILTER (WHERE c.kind = 'payment'), 0) AS received,
      -coalesce(sum(theirs_day_amount) FILTER (WHERE c.kind = 'refund'), 0) AS returned,
      -coalesce(sum(theirs_day_amount) FILTER (WHERE c.kind = 'payout'), 0) AS sent,
      coalesce(sum(ours_day_amount) FILTER (WHERE c.kind = 'payment'), 0) AS our_received,
      -coalesce(sum(ours_day_amount) FILTER (WHERE c.kind = 'refund'), 0) AS our_returned,
      -coalesce(sum(ours_day_amount) FILTER (WHERE c.kind = 'payout'), 0) AS our_sent,
      coalesce(sum(c.fee_amount) FILTER (WHERE theirs_day_amount <> 0), 0) AS fees,
      sum(ours_day_centavos) FILTER (WHERE c.kind = 'payment') AS our_received_centavos,
      -sum(ours_day_centavos) FILTER (WHERE c.kind = 'payout') AS our_sent_centavos,
      coalesce(sum(theirs_day_amount - ours_day_amount - c.unexplained_amount), 0)
        AS explained,
      coalesce(sum(c.unexplained_amount), 0) AS difference,
      coalesce(sum(abs(c.unexplained_amount)), 0) AS unexplained,
      count(*) FILTER (WHERE c.unexplained_amount <> 0
        OR theirs_day_amount <> ours_day_amount) AS items
    FROM compared c
  ), items AS (
    SELECT coalesce(jsonb_agg(to_jsonb(i)), '[]') AS items FROM (
      SELECT * FROM compared c
      WHERE c.unexplained_amount <> 0 OR theirs_day_amount <> ours_day_amount
      ORDER BY abs(c.unexplained_amount) DESC, coalesce(theirs_at, ours_at), key
      LIMIT p_items_max) AS i
  ), again AS (
    INSERT INTO tasks (kind, subject_id, due_at)
    SELECT DISTINCT 'reconcile_day', d.id, p_now FROM compared c JOIN reconciled_days d
      ON d.rail = v_day.rail AND d.currency = v_day.currency
        AND d.day = (c.claimed_at AT TIME ZONE 'America/Sao_Paulo')::date
    WHERE c.ours_day_amount <> 0 AND c.unexplained_amount = 0
      AND d.id <> p_id AND d.checked_at < c.ours_at
    ON CONFLICT DO NOTHING
  )
  UPDATE reconciled_days d SET checked_at = p_now, read_until = v_day.run_at,
    theirs_received_amount = s.received, theirs_returned_amount = s.returned,
    theirs_sent_amount = s.sent, ours_received_amount = s.our_received,
    ours_returned_amount = s.our_returned, ours_sent_amount = s.our_sent,
    theirs_fees_amount = s.fees, ours_received_centavos = s.our_received_centavos,
    ours_sent_centavos = s.our_sent_centavos,
    explained_amount = s.explained, difference_amount = s.difference,
    unexplained_amount = s.unexplained, unreadable = d.run_unreadable, item_count = s.items,
    items = i.items, balance_amount = v_day.balance_amount,
    balance_listed_amount = v_day.balance_listed_amount, balance_difference_amount = 0,
    run_id = NULL, run_at = NULL, run_step = NULL
  FROM sums s, items i WHERE d.id = p_id;
  IF v_day.currency = 'BRL' THEN
    PERFORM reconciliation_compare_balances(v_day.rail, v_day.day);
  ELSE
    -- Tasks before the days beside this one, as whoever asks for a day does.
    PERFORM coins_compare_again(p_run_id, v_day);
    PERFORM coins_compare_balances(v_day.rail, v_day.currency, v_day.day);
  END IF;
  DELETE FROM listed_movements WHERE run_id = p_run_id;
  RETURN QUERY SELECT d.unexplained_amount, d.unreadable FROM reconciled_days d WHERE d.id = p_id;
END $$;

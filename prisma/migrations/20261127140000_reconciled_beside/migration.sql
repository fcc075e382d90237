-- Where credentials of an account's own lead to one account at a PSP by several keys, its lists
-- have the money of all of them (rails_beside): what it lists over one rail and the ledger has over
-- another is not missing. Without this every day of both differed, by all that came over the other.

-- As in 20261122162009_reconciliation, but for the rails that a movement is looked for over.
CREATE OR REPLACE FUNCTION listed_keys(p_run_id uuid, p_rail text)
RETURNS TABLE (kind text, key text, end_to_end_id text, refund_id text, own_id uuid, return_id text,
  amount bigint, at timestamptz, paid_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT l.kind,
    CASE WHEN l.kind = 'refund' THEN l.end_to_end_id || ' ' || l.refund_id
      WHEN x.id IS NOT NULL THEN replace(x.id::text, '-', '')
      ELSE l.end_to_end_id END,
    l.end_to_end_id, l.refund_id, l.own_id, l.return_id, l.amount, l.at, l.paid_at
  FROM listed_movements l
    LEFT JOIN transactions x
      ON l.kind = 'payout' AND x.id = l.own_id AND x.type = 'pix_out'
        AND x.rail = ANY ((SELECT rails_beside(p_rail))::text[])
  WHERE l.run_id = p_run_id
$$;

CREATE OR REPLACE FUNCTION transfers_of_listed(p_run_id uuid, p_rail text) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
  WITH l AS MATERIALIZED (SELECT * FROM listed_movements WHERE run_id = p_run_id),
  subjects AS (
    SELECT o.id, o.transaction_id FROM l JOIN refunds o ON o.id = l.own_id WHERE l.kind = 'refund'
    UNION
    SELECT b.id, r.transaction_id FROM l JOIN payment_returns b ON b.id = l.own_id
      LEFT JOIN reviews r ON r.id = b.review_id
    WHERE l.kind = 'refund'
    UNION
    SELECT f.id, coalesce(f.transaction_id, r.transaction_id) FROM l
      JOIN foreign_refunds f ON f.end_to_end_id = l.end_to_end_id AND f.refund_id = l.refund_id
        AND f.rail = ANY ((SELECT rails_beside(p_rail))::text[])
      LEFT JOIN reviews r ON r.id = f.review_id
    WHERE l.kind = 'refund'
  )
  SELECT t.id FROM l
    JOIN transactions x ON x.end_to_end_id = l.end_to_end_id
      AND x.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    JOIN ledger_transfers t ON t.transaction_id = x.id AND t.kind = 'charge_paid'
  WHERE l.kind = 'payment'
  UNION
  SELECT t.id FROM l JOIN reviews r ON r.end_to_end_id = l.end_to_end_id
    JOIN transactions x ON x.id = r.transaction_id
      AND x.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    JOIN ledger_transfers t ON t.transaction_id = x.id AND t.kind = 'suspense'
      AND t.reference = l.end_to_end_id
  WHERE l.kind = 'payment'
  UNION
  SELECT t.id FROM l
    JOIN unmatched_payments u ON u.end_to_end_id = l.end_to_end_id
      AND u.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    JOIN ledger_transfers t ON t.transaction_id IS NULL AND t.kind = 'unmatched'
      AND t.reference = u.id::text
  WHERE l.kind = 'payment'
  UNION
  SELECT t.id FROM subjects s JOIN ledger_transfers t ON t.transaction_id = s.transaction_id
    AND t.kind IN ('refund_completed', 'foreign_refund', 'review_returned')
    AND t.reference = s.id::text
  UNION
  SELECT t.id FROM subjects s JOIN ledger_transfers t ON t.transaction_id IS NULL
    AND t.kind = 'unmatched_returned' AND t.reference = s.id::text
  UNION
  SELECT t.id FROM l
    JOIN transactions x ON x.id = l.own_id
      AND x.rail = ANY ((SELECT rails_beside(p_rail))::text[])
      AND x.type = 'pix_out'
    JOIN ledger_transfers t ON t.transaction_id = x.id
  WHERE l.kind = 'payout'
  UNION
  SELECT t.id FROM l JOIN foreign_payouts p ON p.end_to_end_id = l.end_to_end_id
    AND p.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    JOIN ledger_transfers t ON t.transaction_id IS NULL AND t.kind = 'foreign_payout'
      AND t.reference = p.id::text
  WHERE l.kind = 'payout'
$$;

-- What the PSP does not list is looked for over the rail alone.
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
    theirs, ours, theirs_day, ours_day, unexplained, theirs_at, ours_at, provider_at, transaction_id, 0::bigint, NULL::bigint
  FROM judged
$$;

-- Reconciliation of crypto processors, in coins. A processor lists an operation with what it comes
-- to by now, and does not say when each payment to an invoice was final. So an operation counts on
-- the day on which it was made there, with all that it has come to; here each part counts by the
-- time at which it was booked. What of an operation comes later has its day compared again.

-- What the ledger has of a processor's coins: one row for each part of an invoice that was priced,
-- and for each transfer by which a withdrawal leaves, or turns out not to have left. The amount is
-- the change of what the processor holds, in 10^-8 of a coin, and in centavos.
CREATE VIEW coin_movements AS
SELECT i.transaction_id, x.rail, x.currency, 'payment' AS kind, i.units AS amount,
  i.credited_centavos + i.reviewed_centavos AS centavos, i.created_at AS booked_at
FROM invoice_increments i JOIN transactions x ON x.id = i.transaction_id
UNION ALL
SELECT t.transaction_id, x.rail, x.currency, 'payout',
  CASE WHEN e.amount_centavos > 0 THEN -x.units ELSE x.units END, -e.amount_centavos, t.created_at
FROM ledger_transfers t
  JOIN ledger_entries e ON e.transfer_id = t.id AND e.ledger_account_id IN
    (ledger_platform_account('crypto_settlement', 'live'),
     ledger_platform_account('crypto_settlement', 'test'))
  JOIN transactions x ON x.id = t.transaction_id
WHERE t.type = 'crypto_out';

-- Up to when the ledger was looked through for currencies of a processor.
CREATE TABLE reconciled_processors (
  rail text PRIMARY KEY,
  looked_until timestamptz(3) NOT NULL
);

-- Writes the currencies of a processor that the ledger, or what is kept in sight, has got something
-- of since the last call, where they are not there yet. What was made before p_since is not the
-- service's.
CREATE FUNCTION coins_plan_rail(
  p_rail text, p_account_id uuid, p_since timestamptz, p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_looked timestamptz := coalesce((
    -- What was written then may have been committed later.
    SELECT looked_until - interval '1 hour' FROM reconciled_processors WHERE rail = p_rail), p_since);
BEGIN
  INSERT INTO reconciled_rails (rail, currency, account_id, first_day, since, opening_amount)
  SELECT p_rail, c.currency, p_account_id,
    (greatest(min(c.at), p_since) AT TIME ZONE 'America/Sao_Paulo')::date, p_since, 0
  FROM (
    SELECT x.currency, x.created_at AS at FROM transactions x
    WHERE x.rail = p_rail AND x.id = ANY (ARRAY(
      SELECT transaction_id FROM ledger_transfers
      WHERE created_at >= v_looked AND type IN ('crypto_in', 'crypto_out')))
    UNION ALL
    SELECT f.currency, coalesce(f.happened_at, f.created_at) FROM foreign_operations f
    WHERE f.rail = p_rail AND f.created_at >= v_looked) AS c
  WHERE c.currency IS NOT NULL
  GROUP BY c.currency
  ON CONFLICT DO NOTHING;
  INSERT INTO reconciled_processors (rail, looked_until) VALUES (p_rail, p_now)
  ON CONFLICT (rail) DO UPDATE SET looked_until = excluded.looked_until;
END $$;

-- From when on the processor's list has to be read for a day: p_before, or when the earliest
-- operation was made here that the ledger has something of in the day.
CREATE FUNCTION coins_made_from(
  p_rail text, p_currency text, p_from timestamptz, p_to timestamptz, p_before timestamptz
) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT least(p_before, min(x.created_at)) FROM transactions x
  WHERE x.rail = p_rail AND x.currency = p_currency AND x.id = ANY (ARRAY(
    SELECT transaction_id FROM invoice_increments WHERE created_at >= p_from AND created_at < p_to
    UNION SELECT transaction_id FROM ledger_transfers
    WHERE created_at >= p_from AND created_at < p_to AND type = 'crypto_out'))
$$;

-- Compares what a run has read of a currency with the ledger, operation by operation.
CREATE FUNCTION coins_compare(
  p_run_id uuid, p_rail text, p_currency text, p_since timestamptz, p_from timestamptz,
  p_to timestamptz
) RETURNS SETOF compared_item LANGUAGE sql STABLE AS $$
  WITH listed AS MATERIALIZED (
    SELECT l.kind, l.end_to_end_id AS provider_id, coalesce(p.id, o.id) AS transaction_id,
      l.amount, l.fee_amount, l.at
    FROM listed_movements l
      LEFT JOIN transactions p ON p.provider_id = l.end_to_end_id AND p.rail = p_rail
      -- The answer that said what the processor calls it got lost.
      LEFT JOIN transactions o ON o.id = l.own_id AND o.rail = p_rail AND o.provider_id IS NULL
    WHERE l.run_id = p_run_id
  ),
  -- By ids as arrays, as in reconciliation_compare.
  booked AS MATERIALIZED (
    SELECT * FROM coin_movements
    WHERE rail = p_rail AND currency = p_currency AND transaction_id = ANY (ARRAY(
      SELECT transaction_id FROM listed WHERE transaction_id IS NOT NULL
      UNION SELECT transaction_id FROM invoice_increments
        WHERE created_at >= p_from AND created_at < p_to
      UNION SELECT transaction_id FROM ledger_transfers
        WHERE created_at >= p_from AND created_at < p_to AND type = 'crypto_out'))
  ),
  ours AS (
    SELECT transaction_id, kind, sum(amount)::bigint AS amount,
      coalesce(sum(amount) FILTER (WHERE booked_at >= p_from AND booked_at < p_to), 0)::bigint
        AS day_amount,
      coalesce(sum(centavos) FILTER (WHERE booked_at >= p_from AND booked_at < p_to), 0)::bigint
        AS day_centavos,
      bool_or(booked_at >= p_from AND booked_at < p_to) AS is_of_day, max(booked_at) AS at
    FROM booked GROUP BY transaction_id, kind
  ),
  both_sides AS (
    SELECT coalesce(l.kind, o.kind) AS kind, coalesce(l.provider_id, x.provider_id, x.id::text)
        AS key,
      l.amount AS theirs, o.amount AS ours, coalesce(o.day_amount, 0) AS ours_day,
      coalesce(o.day_centavos, 0) AS day_centavos, l.at AS theirs_at, o.at AS ours_at,
      coalesce(l.at >= p_from AND l.at < p_to, false) AS is_theirs_of_day,
      coalesce(o.is_of_day, false) AS is_ours_of_day, coalesce(l.fee_amount, 0) AS fee,
      coalesce(l.transaction_id, o.transaction_id) AS transaction_id,
      o.amount IS NULL AND l.at < p_since AS is_before, f.id IS NOT NULL AS is_foreign,
      -- Too little for the network, which has six decimals at least; or all that came is known,
      -- and the rest is worth less than ten centavos: a price falls to a tenth in no time that an
      -- invoice has, so it is worth less than one where it is priced.
      coalesce(CASE WHEN l.kind = 'payout' THEN l.amount - o.amount BETWEEN 1 AND 99
        ELSE l.amount > coalesce(o.amount, 0) AND x.received_units = l.amount
          AND (l.amount - coalesce(o.amount, 0)) * x.quote_price::numeric < 1e15
        END, false) AS is_remainder
    FROM listed l FULL JOIN ours o ON o.transaction_id = l.transaction_id
      LEFT JOIN transactions x ON x.id = coalesce(l.transaction_id, o.transaction_id)
      LEFT JOIN foreign_operations f ON f.provider_id = l.provider_id AND f.rail = p_rail
  ),
  judged AS (
    SELECT *, CASE WHEN is_theirs_of_day THEN theirs ELSE 0 END AS theirs_day,
      CASE
        WHEN theirs IS NULL THEN CASE WHEN ours = 0 THEN 0 ELSE -ours_day END
        WHEN NOT is_theirs_of_day OR is_before OR is_foreign OR is_remainder THEN 0
        ELSE theirs - coalesce(ours, 0)
      END AS unexplained
    FROM both_sides
    WHERE is_ours_of_day OR is_theirs_of_day AND (theirs <> 0 OR ours <> 0)
  )
  SELECT
    CASE WHEN is_foreign THEN 'foreign'
      WHEN is_before THEN 'before'
      WHEN unexplained = 0 AND is_remainder THEN 'remainder'
      WHEN unexplained = 0 THEN 'other_day'
      WHEN theirs IS NULL THEN 'missing_there'
      WHEN ours IS NULL THEN 'missing_here'
      ELSE 'other_amount' END,
    kind, key, NULL, NULL, theirs, ours, theirs_day, ours_day, unexplained, theirs_at, ours_at,
    CASE WHEN NOT is_theirs_of_day THEN theirs_at END, transaction_id, fee, day_centavos
  FROM judged
$$;

-- The balance that a run began with, and what all operations had come to by then: those that it has
-- read, and before them what was read on their days. A run that was not told a balance leaves that
-- of the run before. Seven days are always read (SWEEP_PLAN.operations_days).
CREATE FUNCTION coins_balance(p_run_id uuid, p_day reconciled_days) RETURNS reconciled_days
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_first date := (
    SELECT greatest(first_day, p_day.day - 7) FROM reconciled_rails
    WHERE rail = p_day.rail AND currency = p_day.currency);
BEGIN
  IF p_day.run_balance_amount IS NULL THEN RETURN p_day; END IF;
  p_day.balance_amount := p_day.run_balance_amount;
  -- Null where a day was never read.
  p_day.balance_listed_amount := (
    SELECT coalesce(sum(amount - fee_amount), 0) FROM listed_movements
    WHERE run_id = p_run_id AND at >= (day_bounds(v_first)).starts_at
  ) + (
    SELECT CASE WHEN bool_and(checked_at IS NOT NULL) IS NOT FALSE THEN coalesce(sum(
      theirs_received_amount - theirs_sent_amount - theirs_fees_amount), 0) END
    FROM reconciled_days
    WHERE rail = p_day.rail AND currency = p_day.currency AND day < v_first);
  RETURN p_day;
END $$;

-- Writes what the balance has changed by from one reading to the next, more than the operations
-- did: for a day that was read, and for the one after it. It is no difference of the day, since no
-- processor says what its balance has of what is under way.
CREATE FUNCTION coins_compare_balances(p_rail text, p_currency text, p_day date) RETURNS void
LANGUAGE sql AS $$
  WITH said AS (
    SELECT id, day, balance_amount - balance_listed_amount
      - lag(balance_amount - balance_listed_amount) OVER (ORDER BY day) AS difference
    FROM reconciled_days
    WHERE rail = p_rail AND currency = p_currency AND balance_listed_amount IS NOT NULL
      -- The readings around it: days are read in order, or missed for a while.
      AND day BETWEEN p_day - 30 AND p_day + 30
  )
  UPDATE reconciled_days d SET balance_difference_amount = coalesce(s.difference, 0)
  FROM said s
  WHERE d.id = s.id AND s.day >= p_day
    AND d.balance_difference_amount <> coalesce(s.difference, 0)
$$;

-- Reconciliation by day: what a provider lists of a day beside what the ledger has of it. A day is
-- one of America/Sao_Paulo. What moved counts at a PSP by its time there, and here by the time of
-- its transfer; of crypto processors see the migration reconciled_coins. Differences are said as
-- the provider's amount less ours. An amount is in the smallest unit of its currency: centavos of
-- BRL, or 10^-8 of a coin.

-- Once per rail and currency: BRL of a PSP, each coin of a crypto processor. There is nothing to
-- compare before first_day.
CREATE TABLE reconciled_rails (
  rail text NOT NULL,
  currency text NOT NULL,
  account_id uuid REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  first_day date NOT NULL,
  -- What was paid before is not the service's.
  since timestamptz(3) NOT NULL,
  opening_amount bigint NOT NULL,
  PRIMARY KEY (rail, currency)
);
CREATE INDEX reconciled_rails_account_id_idx ON reconciled_rails (account_id);

CREATE TYPE reconciliation_step AS ENUM ('received', 'returned', 'sent');

CREATE TABLE reconciled_days (
  id uuid PRIMARY KEY,
  rail text NOT NULL,
  currency text NOT NULL,
  day date NOT NULL,
  -- The run that is under way: what it reads next, and the balance and the time that it began with.
  run_id uuid,
  run_at timestamptz(3),
  run_step reconciliation_step,
  run_page integer NOT NULL DEFAULT 0,
  run_unreadable integer NOT NULL DEFAULT 0,
  run_balance_amount bigint,
  -- The outcome of the last run that came to its end.
  checked_at timestamptz(3),
  read_until timestamptz(3),
  theirs_received_amount bigint NOT NULL DEFAULT 0,
  theirs_returned_amount bigint NOT NULL DEFAULT 0,
  theirs_sent_amount bigint NOT NULL DEFAULT 0,
  -- What a crypto processor and the network took, as it says: no difference of the day.
  theirs_fees_amount bigint NOT NULL DEFAULT 0,
  ours_received_amount bigint NOT NULL DEFAULT 0,
  ours_returned_amount bigint NOT NULL DEFAULT 0,
  ours_sent_amount bigint NOT NULL DEFAULT 0,
  -- Of coins what the ledger has for them.
  ours_received_centavos bigint,
  ours_sent_centavos bigint,
  explained_amount bigint NOT NULL DEFAULT 0,
  difference_amount bigint NOT NULL DEFAULT 0,
  balance_amount bigint,
  -- Of coins what all operations came to when the balance was said.
  balance_listed_amount bigint,
  balance_difference_amount bigint NOT NULL DEFAULT 0,
  unexplained_amount bigint NOT NULL DEFAULT 0,
  unreadable integer NOT NULL DEFAULT 0,
  item_count integer NOT NULL DEFAULT 0,
  items jsonb NOT NULL DEFAULT '[]',
  FOREIGN KEY (rail, currency) REFERENCES reconciled_rails (rail, currency)
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT reconciled_days_run CHECK (
    num_nulls(run_id, run_at, run_step) IN (0, 3) AND run_page >= 0),
  CONSTRAINT reconciled_days_checked CHECK ((checked_at IS NULL) = (read_until IS NULL)),
  CONSTRAINT reconciled_days_difference CHECK (
    theirs_received_amount - theirs_returned_amount - theirs_sent_amount
      - (ours_received_amount - ours_returned_amount - ours_sent_amount)
      = explained_amount + difference_amount)
);
CREATE UNIQUE INDEX reconciled_days_rail_currency_day_key
  ON reconciled_days (rail, currency, day);
-- Days that differ are few.
CREATE INDEX reconciled_days_unexplained ON reconciled_days (rail, currency, day)
  WHERE unexplained_amount > 0 OR unreadable > 0;

-- What a run has read so far. The amount is the change of what the provider holds, without its fee.
CREATE TABLE listed_movements (
  run_id uuid NOT NULL,
  kind text NOT NULL,
  -- At a crypto processor its id of the operation.
  end_to_end_id text NOT NULL,
  -- The id of a devolução in its payment; empty for the others.
  refund_id text NOT NULL,
  -- The id of ours that it names, if it does.
  own_id uuid,
  return_id text,
  amount bigint NOT NULL,
  fee_amount bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  -- Of a devolução the time of its payment.
  paid_at timestamptz(3) NOT NULL,
  PRIMARY KEY (run_id, kind, end_to_end_id, refund_id),
  CONSTRAINT listed_movements_kind CHECK (kind IN ('payment', 'refund', 'payout'))
);

-- The first and the last instant of a day, the last one excluded.
CREATE FUNCTION day_bounds(p_day date, OUT starts_at timestamptz, OUT ends_at timestamptz)
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_day::timestamp AT TIME ZONE 'America/Sao_Paulo',
    (p_day + 1)::timestamp AT TIME ZONE 'America/Sao_Paulo'
$$;

-- Our side ----------------------------------------------------------------------------------------

-- What the ledger has of a PSP's money: one row for each transfer that moves it. The amount is the
-- change of what the PSP holds; `key` names what the PSP has of it, as listed_keys does, and
-- provider_at is what a payment says of its time there.
CREATE VIEW rail_movements AS
SELECT t.id AS transfer_id, coalesce(x.rail, u.rail, p.rail, f.rail, b.rail) AS rail,
  CASE WHEN t.kind IN ('charge_paid', 'suspense', 'unmatched') THEN 'payment'
    WHEN t.kind IN ('refund_completed', 'foreign_refund', 'review_returned', 'unmatched_returned')
      THEN 'refund'
    ELSE 'payout' END AS kind,
  CASE WHEN t.kind = 'charge_paid' THEN x.end_to_end_id
    WHEN t.kind = 'suspense' THEN t.reference
    WHEN t.kind = 'refund_completed' THEN x.end_to_end_id || ' ' || replace(t.reference, '-', '')
    WHEN u.id IS NOT NULL THEN u.end_to_end_id
    WHEN p.id IS NOT NULL THEN p.end_to_end_id
    WHEN f.id IS NOT NULL THEN f.end_to_end_id || ' ' || f.refund_id
    WHEN b.id IS NOT NULL THEN b.end_to_end_id || ' ' || replace(b.id::text, '-', '')
    ELSE replace(t.transaction_id::text, '-', '') END AS key,
  -e.amount_centavos AS centavos, t.created_at AS booked_at,
  CASE WHEN t.kind = 'charge_paid' THEN x.paid_at
    WHEN t.kind = 'suspense' THEN r.paid_at
    ELSE u.paid_at END AS provider_at,
  t.transaction_id
FROM ledger_transfers t
  JOIN ledger_entries e ON e.transfer_id = t.id AND e.ledger_account_id IN
    (ledger_platform_account('pix_settlement', 'live'),
     ledger_platform_account('pix_settlement', 'test'))
  LEFT JOIN transactions x ON x.id = t.transaction_id
  CROSS JOIN LATERAL (SELECT CASE WHEN t.kind IN ('unmatched', 'unmatched_returned',
    'foreign_payout', 'foreign_refund', 'review_returned') THEN t.reference::uuid END) AS ref (id)
  LEFT JOIN unmatched_payments u ON t.kind = 'unmatched' AND u.id = ref.id
  LEFT JOIN foreign_payouts p ON t.kind = 'foreign_payout' AND p.id = ref.id
  LEFT JOIN foreign_refunds f ON f.id = ref.id
  LEFT JOIN payment_returns b ON b.id = ref.id
  LEFT JOIN reviews r ON t.kind = 'suspense'
    AND r.transaction_id = t.transaction_id AND r.end_to_end_id = t.reference;

-- Writes the first and only row of a rail. What was booked before its first day is what the ledger
-- began with: over an account's own credentials that is nothing, since they are read from the
-- moment they are there.
CREATE FUNCTION reconciliation_plan_rail(
  p_rail text, p_account_id uuid, p_since timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM reconciled_rails WHERE rail = p_rail) THEN RETURN; END IF;
  INSERT INTO reconciled_rails (rail, currency, account_id, first_day, since, opening_amount)
  SELECT p_rail, 'BRL', p_account_id, first.day, p_since, coalesce((
    SELECT sum(m.centavos) FROM rail_movements m
    WHERE p_account_id IS NULL AND m.rail = p_rail
      AND m.booked_at < (day_bounds(first.day)).starts_at), 0)
  FROM (SELECT (p_since AT TIME ZONE 'America/Sao_Paulo')::date AS day) AS first
  ON CONFLICT DO NOTHING;
END $$;

-- Both sides --------------------------------------------------------------------------------------

-- What a run has read, under the key that the ledger has for it, over the rail and those beside it
-- (rails_beside): where credentials of an account's own lead to one account at a PSP by several
-- keys, its lists have the money of all of them. The ledger has a payout that was booked as not
-- requested under its end-to-end id, whatever id of ours the PSP lists with it.
CREATE FUNCTION listed_keys(p_run_id uuid, p_rail text)
RETURNS TABLE (kind text, key text, end_to_end_id text, refund_id text, own_id uuid, return_id text,
  amount bigint, at timestamptz, paid_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT l.kind,
    CASE WHEN l.kind = 'refund' THEN l.end_to_end_id || ' ' || l.refund_id
      WHEN x.id IS NOT NULL AND f.id IS NULL THEN replace(x.id::text, '-', '')
      ELSE l.end_to_end_id END,
    l.end_to_end_id, l.refund_id, l.own_id, l.return_id, l.amount, l.at, l.paid_at
  FROM listed_movements l
    LEFT JOIN transactions x
      ON l.kind = 'payout' AND x.id = l.own_id AND x.type = 'pix_out'
        AND x.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    LEFT JOIN foreign_payouts f ON l.kind = 'payout' AND f.end_to_end_id = l.end_to_end_id
      AND f.rail = ANY ((SELECT rails_beside(p_rail))::text[])
  WHERE l.run_id = p_run_id
$$;

-- The transfers about what a run has read, whenever they were written.
CREATE FUNCTION transfers_of_listed(p_run_id uuid, p_rail text) RETURNS SETOF bigint
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

-- The earliest instant at which payouts were sent that the ledger has something of in a day, if
-- there is one before p_before: the PSP may have them on another day.
CREATE FUNCTION payouts_sent_from(
  p_rail text, p_from timestamptz, p_to timestamptz, p_before timestamptz
) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT least(p_before, min(coalesce(x.payout_sent_at, x.created_at)))
  FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id
  WHERE t.created_at >= p_from AND t.created_at < p_to AND t.type = 'pix_out' AND x.rail = p_rail
$$;

-- The same of payments of which something went back in a day: a devolução is listed with its
-- payment, by the time of the payment.
CREATE FUNCTION refunds_paid_from(
  p_rail text, p_from timestamptz, p_to timestamptz, p_before timestamptz
) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  WITH ids AS MATERIALIZED (
    SELECT split_part(key, ' ', 1) AS id FROM rail_movements
    WHERE rail = p_rail AND kind = 'refund' AND transfer_id = ANY (ARRAY(
      SELECT id FROM ledger_transfers WHERE created_at >= p_from AND created_at < p_to AND kind IN
        ('refund_completed', 'foreign_refund', 'review_returned', 'unmatched_returned')))
  )
  SELECT least(p_before, min(paid_at)) FROM (
    SELECT x.paid_at FROM ids JOIN transactions x
      ON x.end_to_end_id = ids.id AND x.rail = p_rail AND x.type = 'pix_in'
    UNION ALL
    SELECT u.paid_at FROM ids JOIN unmatched_payments u
      ON u.end_to_end_id = ids.id AND u.rail = p_rail
    UNION ALL
    SELECT r.paid_at FROM ids JOIN reviews r ON r.end_to_end_id = ids.id) AS paid
$$;

-- What a comparison says of a movement. The amounts are those of both sides whenever they moved,
-- then those of the day; unexplained_amount is what of the day's difference one side does not have.
-- `why`:
--   missing_here   the provider has it, and the ledger nowhere
--   missing_there  the ledger has it, and the provider does not list it
--   other_amount   both have it, with different amounts
--   other_day      both have it, on different days
--   before         it is from before the service first looked, which is not its
--   foreign        it is of a crypto processor, and not of this service: it is kept in sight
--   remainder      coins that are too few to be worth a centavo, or for the network to send
CREATE TYPE compared_item AS (
  why text, kind text, key text, end_to_end_id text, return_id text,
  theirs_amount bigint, ours_amount bigint, theirs_day_amount bigint, ours_day_amount bigint,
  unexplained_amount bigint, theirs_at timestamptz, ours_at timestamptz, claimed_at timestamptz,
  transaction_id uuid, fee_amount bigint, ours_day_centavos bigint
);

-- Compares what a run has read of a day of a PSP with the ledger, item by item. What the PSP does
-- not list is looked for over the rail alone.
CREATE FUNCTION reconciliation_compare(
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

-- The comparison of a rail's kind.
CREATE FUNCTION reconciliation_items(
  p_run_id uuid, p_day reconciled_days, p_from timestamptz, p_to timestamptz
) RETURNS SETOF compared_item LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_since timestamptz := (
    SELECT since FROM reconciled_rails WHERE rail = p_day.rail AND currency = p_day.currency);
BEGIN
  IF p_day.currency = 'BRL' THEN
    RETURN QUERY SELECT * FROM reconciliation_compare(p_run_id, p_day.rail, v_since, p_from, p_to);
  ELSE
    RETURN QUERY SELECT * FROM coins_compare(
      p_run_id, p_day.rail, p_day.currency, v_since, p_from, p_to);
  END IF;
END $$;

-- Begins a run in place of one that is under way, p_before, whose reading is thrown away. Returns
-- false when another one is under way.
CREATE FUNCTION reconciliation_begin(
  p_id uuid, p_before uuid, p_run_id uuid, p_balance bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reconciled_days SET run_id = p_run_id, run_at = p_now, run_step = 'received',
    run_page = 0, run_unreadable = 0, run_balance_amount = p_balance
  WHERE id = p_id AND run_id IS NOT DISTINCT FROM p_before;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM listed_movements WHERE run_id = p_before;
  RETURN true;
END $$;

-- Ends a run: compares, writes the outcome of the day, and removes what was read. A payment that
-- the ledger has got since then under an earlier day has that day looked at again. Returns nothing
-- when this run is not the one that is under way.
CREATE FUNCTION reconciliation_finish(
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
    WHERE (c.theirs_amount IS NULL OR d.currency <> 'BRL') AND c.ours_day_amount <> 0 AND c.unexplained_amount = 0
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
    PERFORM coins_compare_balances(v_day.rail, v_day.currency, v_day.day);
  END IF;
  DELETE FROM listed_movements WHERE run_id = p_run_id;
  RETURN QUERY SELECT d.unexplained_amount, d.unreadable FROM reconciled_days d WHERE d.id = p_id;
END $$;

-- What a PSP has listed of the days after one up to another; null where one of them was not read.
CREATE FUNCTION reconciliation_moved(p_rail text, p_after date, p_until date) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN bool_and(checked_at IS NOT NULL) THEN sum(
    theirs_received_amount - theirs_returned_amount - theirs_sent_amount)::bigint END
  FROM reconciled_days WHERE rail = p_rail AND day > p_after AND day <= p_until
$$;

-- Writes what the balance has changed by from one that is known to the next, more than what was
-- listed: for a day that was read, for the one before it and the one after it. A balance on which
-- those around it do not depend was asked for while money was moving, or before the PSP listed all
-- of the day: it becomes what they say.
CREATE FUNCTION reconciliation_compare_balances(p_rail text, p_day date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_days reconciled_days[] := ARRAY(
    SELECT d FROM (
      (SELECT * FROM reconciled_days WHERE rail = p_rail AND day <= p_day
        AND balance_amount IS NOT NULL ORDER BY day DESC LIMIT 3)
      UNION ALL
      (SELECT * FROM reconciled_days WHERE rail = p_rail AND day > p_day
        AND balance_amount IS NOT NULL ORDER BY day LIMIT 2)) AS d
    ORDER BY d.day);
  v_before reconciled_days;
  v_after reconciled_days;
  v_difference bigint;
BEGIN
  FOR i IN 2 .. coalesce(array_length(v_days, 1), 0) LOOP
    v_before := v_days[i - 1];
    v_after := v_days[i + 1];
    IF v_after.balance_amount - v_before.balance_amount
      = reconciliation_moved(p_rail, v_before.day, v_after.day)
    THEN
      v_days[i].balance_amount := v_before.balance_amount
        + reconciliation_moved(p_rail, v_before.day, v_days[i].day);
    END IF;
    v_difference := coalesce(v_days[i].balance_amount - v_before.balance_amount
      - reconciliation_moved(p_rail, v_before.day, v_days[i].day), 0);
    UPDATE reconciled_days SET balance_amount = v_days[i].balance_amount,
      balance_difference_amount = v_difference,
      unexplained_amount =
        unexplained_amount - abs(balance_difference_amount) + abs(v_difference)
    WHERE id = v_days[i].id
      AND (balance_amount, balance_difference_amount)
        <> (v_days[i].balance_amount, v_difference);
  END LOOP;
END $$;

-- Writes the days of a currency of a rail up to p_last that it does not have yet, with the task of
-- each: due once the day is over for p_after, and one a minute where several are over. A task that
-- was lost is written again, unless the day is older than p_oldest.
CREATE FUNCTION reconciliation_plan_days(
  p_rail text, p_currency text, p_last date, p_oldest date, p_after interval, p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reconciled_days (id, rail, currency, day)
  SELECT gen_random_uuid(), r.rail, r.currency, s::date
  FROM reconciled_rails r, generate_series(
    coalesce((SELECT max(day) + 1 FROM reconciled_days
      WHERE rail = p_rail AND currency = p_currency), r.first_day),
    p_last, interval '1 day') AS s
  WHERE r.rail = p_rail AND r.currency = p_currency
  ON CONFLICT DO NOTHING;
  INSERT INTO tasks (kind, subject_id, due_at)
  SELECT 'reconcile_day', d.id, greatest((day_bounds(d.day)).ends_at + p_after,
    p_now + (row_number() OVER (ORDER BY d.day) - 1) * interval '1 minute')
  FROM reconciled_days d
  WHERE d.rail = p_rail AND d.currency = p_currency AND d.day >= p_oldest AND d.checked_at IS NULL
  ON CONFLICT DO NOTHING;
END $$;

-- A PSP may list a payout of the service without our id (idEnvio). It is known by its end-to-end id
-- then, as a sweep knows it, and is not missing on both sides.

-- As before, but for such payouts.
CREATE OR REPLACE FUNCTION listed_keys(p_run_id uuid, p_rail text)
RETURNS TABLE (kind text, key text, end_to_end_id text, refund_id text, own_id uuid, return_id text,
  amount bigint, at timestamptz, paid_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT l.kind,
    CASE WHEN l.kind = 'refund' THEN l.end_to_end_id || ' ' || l.refund_id
      WHEN coalesce(x.id, y.id) IS NOT NULL AND f.id IS NULL
        THEN replace(coalesce(x.id, y.id)::text, '-', '')
      ELSE l.end_to_end_id END,
    l.end_to_end_id, l.refund_id, l.own_id, l.return_id, l.amount, l.at, l.paid_at
  FROM listed_movements l
    LEFT JOIN transactions x
      ON l.kind = 'payout' AND x.id = l.own_id AND x.type = 'pix_out'
        AND x.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    LEFT JOIN transactions y
      ON l.kind = 'payout' AND l.own_id IS NULL AND y.end_to_end_id = l.end_to_end_id
        AND y.type = 'pix_out' AND y.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    LEFT JOIN foreign_payouts f ON l.kind = 'payout' AND f.end_to_end_id = l.end_to_end_id
      AND f.rail = ANY ((SELECT rails_beside(p_rail))::text[])
  WHERE l.run_id = p_run_id
$$;

-- As before, but for such payouts.
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
  SELECT t.id FROM l
    JOIN transactions x ON x.end_to_end_id = l.end_to_end_id
      AND x.rail = ANY ((SELECT rails_beside(p_rail))::text[])
      AND x.type = 'pix_out'
    JOIN ledger_transfers t ON t.transaction_id = x.id
  WHERE l.kind = 'payout' AND l.own_id IS NULL
  UNION
  SELECT t.id FROM l JOIN foreign_payouts p ON p.end_to_end_id = l.end_to_end_id
    AND p.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    JOIN ledger_transfers t ON t.transaction_id IS NULL AND t.kind = 'foreign_payout'
      AND t.reference = p.id::text
  WHERE l.kind = 'payout'
$$;

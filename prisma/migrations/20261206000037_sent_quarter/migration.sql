-- A receiver may give back a Pix up to 90 days after it was sent, and its PSP lists that with what
-- was sent: so what was sent is read again each week, as far back.
ALTER TYPE sweep_span ADD VALUE 'sent_quarter' AFTER 'sent_days';

-- As before, and of payments that are booked under the id of a return, which may be listed with a
-- Pix that was sent up to 90 days before.
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
  ), (
    SELECT min(paid_at) - interval '91 days' FROM unmatched_payments
    WHERE created_at >= p_from AND created_at < p_to AND rail = p_rail AND end_to_end_id LIKE 'D%'
  ))
$$;

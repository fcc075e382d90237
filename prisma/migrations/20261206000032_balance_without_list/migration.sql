-- As before, but a list that could be read in part only (without white-label) says nothing of the
-- balance beside it: that was an unlisted change of this day, and the opposite one of the next.
CREATE OR REPLACE FUNCTION coins_balance(p_run_id uuid, p_day reconciled_days)
RETURNS reconciled_days
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_first date := (
    SELECT greatest(first_day, p_day.day - 7) FROM reconciled_rails
    WHERE rail = p_day.rail AND currency = p_day.currency);
BEGIN
  IF p_day.run_balance_amount IS NULL THEN RETURN p_day; END IF;
  p_day.balance_amount := p_day.run_balance_amount;
  p_day.balance_listed_amount := NULL;
  IF p_day.run_unreadable > 0 THEN RETURN p_day; END IF;
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

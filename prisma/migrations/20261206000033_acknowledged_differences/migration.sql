ALTER TABLE reconciled_days
  ADD COLUMN acknowledged_differences TEXT,
  ADD COLUMN acknowledged_reason TEXT,
  ADD COLUMN acknowledged_at TIMESTAMPTZ(3);

-- A digest of what nothing explains of a day, null where nothing differs: another one where an
-- item, its amount, the balance or the entries that can't be read are others. The balance of coins
-- is left out, since its difference is not of the day (coins_compare_balances).
CREATE FUNCTION reconciled_differences(p_day reconciled_days)
RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_day.unexplained_amount > 0 OR p_day.unreadable > 0 THEN
    encode(sha256(convert_to(jsonb_build_array(
      p_day.unexplained_amount, p_day.unreadable,
      CASE WHEN p_day.currency = 'BRL' THEN p_day.balance_difference_amount END,
      (SELECT jsonb_agg(jsonb_build_array(i ->> 'kind', i ->> 'key', i -> 'unexplained_amount')
          ORDER BY i ->> 'kind', i ->> 'key')
        FROM jsonb_array_elements(p_day.items) AS i
        WHERE (i ->> 'unexplained_amount')::bigint <> 0))::text, 'UTF8')), 'hex')
  END
$$;

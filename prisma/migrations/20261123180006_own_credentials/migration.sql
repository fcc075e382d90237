-- An account's own credentials over time: replacing them keeps the rail where they lead to the same
-- account at the provider, and nothing that is in flight changes its rail.

ALTER TABLE credentials
  ADD COLUMN rail_id uuid,
  ADD COLUMN connected_by_id uuid,
  ADD COLUMN ended_at timestamptz(3),
  ADD COLUMN checked_at timestamptz(3),
  ADD COLUMN check_result text;
UPDATE credentials SET rail_id = id;
ALTER TABLE credentials ALTER COLUMN rail_id SET NOT NULL,
  ADD CONSTRAINT credentials_checked CHECK ((checked_at IS NULL) = (check_result IS NULL));
CREATE INDEX credentials_rail_id_idx ON credentials (rail_id);

-- The rail and those beside it: over other credentials of the same account, of the same kind. Where
-- these lead to one account at the provider, each of them lists the same money.
CREATE FUNCTION rails_beside(p_rail text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[p_rail] || coalesce(array_agg(DISTINCT 'own-' || beside.rail_id), '{}')
  FROM credentials own
    JOIN credentials beside ON beside.account_id = own.account_id AND beside.kind = own.kind
  WHERE own.id = CASE WHEN p_rail LIKE 'own-%' THEN substr(p_rail, 5)::uuid END
$$;

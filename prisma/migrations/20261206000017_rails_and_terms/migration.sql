-- What the operator decides on for the whole installation, and on what terms an account works.

-- Rails that the operator has turned off for every account; a rail without a row is on. A few rows
-- at most, read with the terms of an account.
CREATE TABLE closed_rails (
  rail transaction_type PRIMARY KEY CHECK (rail <> 'split_in'),
  reason text NOT NULL,
  closed_by text NOT NULL,
  closed_at timestamptz(3) NOT NULL
);

-- What was agreed on with an account, from when, by whom and why. The terms in force stay where
-- they are read (account_fees, account_limits, accounts); a change is a row here that is put there
-- once it takes effect.
CREATE TABLE terms_changes (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  terms jsonb NOT NULL,
  terms_before jsonb,
  reason text,
  created_by text,
  created_at timestamptz(3) NOT NULL,
  effective_at timestamptz(3) NOT NULL,
  applied_at timestamptz(3),
  cancelled_at timestamptz(3),
  cancelled_by text,
  CONSTRAINT terms_changes_one_end CHECK (applied_at IS NULL OR cancelled_at IS NULL)
);
CREATE INDEX terms_changes_account_id_effective_at_idx ON terms_changes (account_id, effective_at);

-- Returns what is in force of the terms that `p_terms` names, in the same form. A fee that was
-- never agreed on is zero.
CREATE FUNCTION terms_in_force(p_account_id uuid, p_terms jsonb) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'fees', (
      SELECT coalesce(jsonb_object_agg(wanted.key, jsonb_build_object(
        'bps', coalesce(f.bps, 0), 'fixed_centavos', coalesce(f.fixed_centavos, 0)::text)), '{}')
      FROM jsonb_each(p_terms -> 'fees') AS wanted
        LEFT JOIN account_fees f ON f.account_id = a.id AND f.type::text = wanted.key),
    'limits', (
      SELECT coalesce(jsonb_object_agg(wanted.key,
        CASE WHEN own.name IS NULL THEN to_jsonb('default'::text)
          ELSE to_jsonb(own.centavos::text) END), '{}')
      FROM jsonb_each(p_terms -> 'limits') AS wanted
        LEFT JOIN account_limits own ON own.account_id = a.id AND own.name = wanted.key),
    'spread_bps', a.spread_bps,
    'tolerance_bps', a.tolerance_bps)
  FROM accounts a WHERE a.id = p_account_id
$$;

-- Puts the changes of an account in force that have taken effect by p_now, the earliest first, and
-- notes when the next one does. Whoever reads terms_change_at and finds it in the past calls this
-- before it uses the terms. Locks the account first: what holds money waits, and so does another
-- caller, who finds nothing to do. Returns how many there were.
CREATE FUNCTION terms_apply_due(p_account_id uuid, p_now timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_change terms_changes;
  v_applied integer := 0;
BEGIN
  PERFORM FROM accounts WHERE id = p_account_id FOR NO KEY UPDATE;
  FOR v_change IN
    SELECT * FROM terms_changes
    WHERE account_id = p_account_id AND applied_at IS NULL AND cancelled_at IS NULL
      AND effective_at <= p_now
    ORDER BY effective_at, id
  LOOP
    UPDATE terms_changes
    SET terms_before = terms_in_force(p_account_id, v_change.terms), applied_at = p_now
    WHERE id = v_change.id;
    INSERT INTO account_fees (account_id, type, bps, fixed_centavos)
    SELECT p_account_id, fee.key::transaction_type, (fee.value ->> 'bps')::integer,
      (fee.value ->> 'fixed_centavos')::bigint
    FROM jsonb_each(v_change.terms -> 'fees') AS fee
    ON CONFLICT (account_id, type)
      DO UPDATE SET bps = excluded.bps, fixed_centavos = excluded.fixed_centavos;
    DELETE FROM account_limits USING jsonb_each_text(v_change.terms -> 'limits') AS wanted
    WHERE account_id = p_account_id AND name = wanted.key AND wanted.value = 'default';
    INSERT INTO account_limits (account_id, name, centavos)
    SELECT p_account_id, wanted.key, wanted.value::bigint
    FROM jsonb_each_text(v_change.terms -> 'limits') AS wanted
    WHERE wanted.value IS DISTINCT FROM 'default'
    ON CONFLICT (account_id, name) DO UPDATE SET centavos = excluded.centavos;
    UPDATE accounts
    SET spread_bps = coalesce((v_change.terms ->> 'spread_bps')::integer, spread_bps),
      tolerance_bps = coalesce((v_change.terms ->> 'tolerance_bps')::integer, tolerance_bps)
    WHERE id = p_account_id;
    v_applied := v_applied + 1;
  END LOOP;
  UPDATE accounts SET terms_change_at = (
    SELECT min(effective_at) FROM terms_changes
    WHERE account_id = p_account_id AND applied_at IS NULL AND cancelled_at IS NULL)
  WHERE id = p_account_id;
  RETURN v_applied;
END $$;

-- Cancels a change that has not taken effect by p_now. Returns whether there was one.
CREATE FUNCTION terms_cancel(
  p_account_id uuid, p_change_id uuid, p_by text, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM terms_apply_due(p_account_id, p_now);
  UPDATE terms_changes SET cancelled_at = p_now, cancelled_by = p_by
  WHERE id = p_change_id AND account_id = p_account_id
    AND applied_at IS NULL AND cancelled_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM terms_apply_due(p_account_id, p_now);
  RETURN true;
END $$;

-- Operations of a crypto processor that are not of this service: an invoice that was made, or a
-- payout that was sent, in the processor's own application. Found by the sweeps of crypto rails.
-- They are kept in sight and not posted: a quantity of coins is no amount of BRL without a price.

CREATE TABLE foreign_operations (
  id uuid PRIMARY KEY,
  rail text NOT NULL,
  mode mode NOT NULL,
  account_id uuid REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  provider_id text NOT NULL,
  kind text NOT NULL,
  currency text,
  units bigint,
  happened_at timestamptz(3),
  reason text,
  decided_by text,
  decided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT foreign_operations_kind CHECK (kind IN ('invoice', 'payout')),
  CONSTRAINT foreign_operations_decided CHECK ((reason IS NULL) = (decided_at IS NULL))
);
CREATE UNIQUE INDEX foreign_operations_provider_id_rail_key
  ON foreign_operations (provider_id, rail);
CREATE INDEX foreign_operations_account_id_idx ON foreign_operations (account_id);
-- What nobody has taken note of is little.
CREATE INDEX foreign_operations_open ON foreign_operations (created_at) WHERE decided_at IS NULL;

-- Somebody has taken note of an operation that is not ours. Returns 'acknowledged' or 'decided'
-- (there is none that waits for it).
CREATE FUNCTION foreign_operation_acknowledge(
  p_id uuid, p_reason text, p_by jsonb, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_operation foreign_operations;
BEGIN
  UPDATE foreign_operations
  SET reason = p_reason, decided_by = p_by ->> 'name', decided_at = p_now
  WHERE id = p_id AND decided_at IS NULL RETURNING * INTO v_operation;
  IF NOT FOUND THEN RETURN 'decided'; END IF;
  PERFORM audit_decision(v_operation.account_id, 'foreign_operation.acknowledged',
    jsonb_build_object('provider_id', v_operation.provider_id, 'reason', p_reason), p_by, p_now);
  RETURN 'acknowledged';
END $$;

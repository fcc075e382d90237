-- The merchant's own reference and metadata of a transaction or a refund, sealed, with a keyed
-- index of the account and the reference. Processes of the version before write none of them.
ALTER TABLE transactions
  ADD COLUMN reference text,
  ADD COLUMN reference_index bytea,
  ADD COLUMN metadata text;
ALTER TABLE refunds
  ADD COLUMN account_id uuid,
  ADD COLUMN reference text,
  ADD COLUMN reference_index bytea,
  ADD COLUMN metadata text,
  ADD CONSTRAINT refunds_reference CHECK (num_nonnulls(account_id, reference, reference_index) IN (0, 3));

-- Transactions without a reference cost no entry.
CREATE INDEX transactions_reference ON transactions (account_id, reference_index, id DESC)
  WHERE reference_index IS NOT NULL;
CREATE INDEX refunds_reference_index ON refunds (account_id, reference_index)
  WHERE reference_index IS NOT NULL;

-- Returns a transaction of the account that has this reference, or one of whose refunds has it;
-- null where there is none, where p_id exists (what was written before is not judged again), or
-- where nothing is to be looked for (p_indexes null: the reference's fingerprints of every master
-- key). What failed does not count: nothing came of it. Who asks at the same time for the same
-- reference waits until this transaction has ended, and sees then what it wrote: of any number one
-- gets the reference. Called before anything else is locked, so that nobody who waits here holds a
-- lock that the one before needs.
CREATE FUNCTION reference_holder(p_account_id uuid, p_id uuid, p_indexes bytea[]) RETURNS uuid
LANGUAGE plpgsql STRICT AS $$
DECLARE
  v_index bytea;
  v_holder uuid;
BEGIN
  FOR v_index IN SELECT one FROM unnest(p_indexes) AS given (one) ORDER BY one LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended(encode(v_index, 'hex'), 0));
  END LOOP;
  IF EXISTS (SELECT FROM transactions WHERE id = p_id)
    OR EXISTS (SELECT FROM refunds WHERE id = p_id)
  THEN
    RETURN NULL;
  END IF;
  SELECT found.id INTO v_holder FROM (
    SELECT id FROM transactions
    WHERE account_id = p_account_id AND reference_index = ANY (p_indexes) AND status <> 'failed'
    UNION ALL
    SELECT transaction_id FROM refunds
    WHERE account_id = p_account_id AND reference_index = ANY (p_indexes) AND status <> 'failed'
  ) AS found LIMIT 1;
  RETURN v_holder;
END $$;

-- withdrawal_request where the withdrawal's reference is to be unique; returns 'reference_taken'
-- where it is not.
CREATE FUNCTION withdrawal_request(
  p_row jsonb, p_day_start timestamptz, p_day_end timestamptz, p_night_start timestamptz,
  p_night_end timestamptz, p_key_id uuid, p_member_id uuid, p_approve_until timestamptz,
  p_pix_key_indexes bytea[], p_network text, p_wallets text[], p_hold boolean,
  p_reference_indexes bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF reference_holder((p_row ->> 'account_id')::uuid, (p_row ->> 'id')::uuid, p_reference_indexes)
    IS NOT NULL
  THEN
    RETURN 'reference_taken';
  END IF;
  RETURN withdrawal_request(p_row, p_day_start, p_day_end, p_night_start, p_night_end, p_key_id,
    p_member_id, p_approve_until, p_pix_key_indexes, p_network, p_wallets, p_hold);
END $$;

-- The same of payout_schedule.
CREATE FUNCTION payout_schedule(
  p_row jsonb, p_plan jsonb, p_key_id uuid, p_member_id uuid, p_approve_until timestamptz,
  p_pix_key_indexes bytea[], p_reference_indexes bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF reference_holder((p_row ->> 'account_id')::uuid, (p_row ->> 'id')::uuid, p_reference_indexes)
    IS NOT NULL
  THEN
    RETURN 'reference_taken';
  END IF;
  RETURN payout_schedule(p_row, p_plan, p_key_id, p_member_id, p_approve_until, p_pix_key_indexes);
END $$;

-- refund_request with the merchant's reference and metadata: p_row has those columns of refunds,
-- and the account where it has a reference.
CREATE FUNCTION refund_request(
  p_refund_id uuid, p_transaction_id uuid, p_centavos bigint, p_description text, p_now timestamptz,
  p_key_id uuid, p_member_id uuid, p_row jsonb, p_reference_indexes bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_row refunds := jsonb_populate_record(NULL::refunds, p_row);
  v_outcome text;
BEGIN
  IF reference_holder(v_row.account_id, p_refund_id, p_reference_indexes) IS NOT NULL THEN
    RETURN 'reference_taken';
  END IF;
  v_outcome := refund_request(
    p_refund_id, p_transaction_id, p_centavos, p_description, p_now, p_key_id, p_member_id);
  IF v_outcome = 'requested' THEN
    UPDATE refunds SET account_id = v_row.account_id, reference = v_row.reference,
      reference_index = v_row.reference_index, metadata = v_row.metadata
    WHERE id = p_refund_id;
  END IF;
  RETURN v_outcome;
END $$;

-- The address book of an account: PIX keys and wallets to which it sends money.

-- Either a PIX key, or a wallet on a network with its memo. A row that was removed stays, for what
-- was sent to it.
CREATE TABLE payees (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  label text NOT NULL,
  pix_key text,
  pix_key_index bytea,
  pix_key_type text,
  network text,
  wallet text,
  memo text,
  added_by_id uuid NOT NULL,
  added_at timestamptz(3) NOT NULL,
  usable_from timestamptz(3) NOT NULL,
  removed_by_id uuid,
  removed_at timestamptz(3)
);
ALTER TABLE payees
  ADD CONSTRAINT payees_destination CHECK (
    num_nonnulls(pix_key, pix_key_index, pix_key_type) = 3 AND num_nonnulls(network, wallet, memo) = 0
    OR num_nonnulls(pix_key, pix_key_index, pix_key_type) = 0 AND num_nonnulls(network, wallet) = 2),
  ADD CONSTRAINT payees_removed CHECK ((removed_at IS NULL) = (removed_by_id IS NULL));
CREATE INDEX payees_account_id_idx ON payees (account_id);

-- Returns the payees of an account that are this destination: a PIX key by its fingerprints, or a
-- wallet by its spellings. The memo is part of it: at one address it says whose the money is.
CREATE FUNCTION payees_at(
  p_account_id uuid, p_pix_key_indexes bytea[], p_network text, p_wallets text[], p_memo text
) RETURNS SETOF payees LANGUAGE sql STABLE AS $$
  SELECT * FROM payees
  WHERE account_id = p_account_id AND removed_at IS NULL
    AND (pix_key_index = ANY (p_pix_key_indexes)
      OR network = p_network AND wallet = ANY (p_wallets) AND memo IS NOT DISTINCT FROM p_memo)
$$;

-- Returns why a withdrawal may not go where it goes: 'not_a_payee', or 'payee_waits' (from its
-- usable_from on it may); null where it may. Only above the account's threshold it has to be a
-- payee. The caller has locked the account's available balance, as whoever adds or removes a payee
-- or changes the threshold has: no order of commits passes it.
CREATE FUNCTION payee_block_reason(
  p_tx transactions, p_pix_key_indexes bytea[], p_network text, p_wallets text[], p_now timestamptz
) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_usable_from timestamptz;
BEGIN
  IF coalesce(p_tx.amount_centavos <= withdrawal_threshold(p_tx.account_id, 'payees', p_now), true)
  THEN
    RETURN NULL;
  END IF;
  -- What is looked for is where this withdrawal goes.
  IF p_tx.pix_key_index = ANY (p_pix_key_indexes) OR p_tx.wallet = ANY (p_wallets) THEN
    SELECT min(usable_from) INTO v_usable_from
    FROM payees_at(p_tx.account_id, p_pix_key_indexes, p_network, p_wallets, p_tx.memo);
  END IF;
  RETURN CASE WHEN v_usable_from IS NULL THEN 'not_a_payee'
    WHEN v_usable_from > p_now THEN 'payee_waits' END;
END $$;

-- Adds a payee; p_pix_key_indexes and p_wallets as above. Returns 'added', 'exists' (the
-- destination is one already) or 'full' (the account has p_most).
CREATE FUNCTION payee_add(
  p_row jsonb, p_pix_key_indexes bytea[], p_wallets text[], p_most integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_payee payees := jsonb_populate_record(NULL::payees, p_row);
BEGIN
  PERFORM FROM ledger_accounts
  WHERE account_id = v_payee.account_id AND kind = 'available' FOR UPDATE;
  IF EXISTS (
    SELECT FROM payees_at(
      v_payee.account_id, p_pix_key_indexes, v_payee.network, p_wallets, v_payee.memo)
  ) THEN
    RETURN 'exists';
  END IF;
  IF (SELECT count(*) FROM payees WHERE account_id = v_payee.account_id AND removed_at IS NULL)
    >= p_most
  THEN
    RETURN 'full';
  END IF;
  INSERT INTO payees SELECT (v_payee).*;
  RETURN 'added';
END $$;

-- Removes a payee at once. Returns false when the account has none of this id.
CREATE FUNCTION payee_remove(
  p_account_id uuid, p_id uuid, p_member_id uuid, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM ledger_accounts WHERE account_id = p_account_id AND kind = 'available' FOR UPDATE;
  UPDATE payees SET removed_at = p_now, removed_by_id = p_member_id
  WHERE id = p_id AND account_id = p_account_id AND removed_at IS NULL;
  RETURN FOUND;
END $$;

-- Ends the wait of a payee of a test account. Returns false when there is none that waits.
CREATE FUNCTION payee_end_wait(p_account_id uuid, p_id uuid, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payees SET usable_from = p_now
  WHERE id = p_id AND account_id = p_account_id AND removed_at IS NULL AND usable_from > p_now
    AND EXISTS (SELECT FROM accounts WHERE id = p_account_id AND mode = 'test');
  RETURN FOUND;
END $$;

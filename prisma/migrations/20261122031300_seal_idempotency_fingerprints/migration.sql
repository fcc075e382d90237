-- What was asked under a key is sealed, so that it can be sealed again under a newer master key and an answer is still given again
-- afterwards. Fingerprints that are there can't be sealed: their keys are kept, and another try with one is refused (422).
UPDATE "idempotency_keys" SET "fingerprint" = '';

DROP FUNCTION idempotency_claim(uuid, text, bytea, uuid, bigint, boolean, timestamptz, timestamptz);

-- p_fingerprints: as it is kept now, then as it may have been sealed under older master keys.
CREATE FUNCTION idempotency_claim(
  p_account_id uuid, p_key text, p_fingerprints bytea[], p_subject_id uuid, p_owner bigint, p_at_work boolean,
  p_now timestamptz, p_expires_at timestamptz
) RETURNS TABLE (outcome text, subject_id uuid, resumed boolean, status integer, body text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_key idempotency_keys;
BEGIN
  -- Of two tries in one process the second, which knows of the first, may come here before it.
  IF NOT p_at_work THEN
    INSERT INTO idempotency_keys (account_id, key, fingerprint, subject_id, owner, created_at, expires_at)
    VALUES (p_account_id, p_key, p_fingerprints[1], p_subject_id, p_owner, p_now, p_expires_at)
    ON CONFLICT (account_id, key) DO UPDATE SET
      fingerprint = excluded.fingerprint, subject_id = excluded.subject_id, owner = excluded.owner, status = NULL, body = NULL,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE idempotency_keys.expires_at <= p_now
    RETURNING * INTO v_key;
    IF FOUND THEN RETURN QUERY SELECT 'execute', v_key.subject_id, false, NULL::integer, NULL::text; RETURN; END IF;
  END IF;

  SELECT * INTO v_key FROM idempotency_keys k WHERE k.account_id = p_account_id AND k.key = p_key FOR UPDATE;
  IF v_key.key IS NULL THEN
    RETURN QUERY SELECT 'running', NULL::uuid, false, NULL::integer, NULL::text;
  ELSIF v_key.fingerprint <> ALL (p_fingerprints) THEN
    RETURN QUERY SELECT 'differs', NULL::uuid, false, NULL::integer, NULL::text;
  ELSIF v_key.status IS NOT NULL THEN
    RETURN QUERY SELECT 'replay', v_key.subject_id, false, v_key.status, v_key.body;
  ELSIF p_at_work OR v_key.owner <> p_owner AND NOT pg_try_advisory_xact_lock_shared(v_key.owner) THEN
    RETURN QUERY SELECT 'running', NULL::uuid, false, NULL::integer, NULL::text;
  ELSE
    UPDATE idempotency_keys k SET owner = p_owner WHERE k.account_id = p_account_id AND k.key = p_key;
    RETURN QUERY SELECT 'execute', v_key.subject_id, true, NULL::integer, NULL::text;
  END IF;
END $$;

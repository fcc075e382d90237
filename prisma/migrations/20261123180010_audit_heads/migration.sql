-- The audit's heads: whenever the ledger proof's head of a day is signed, what the audit's chains
-- come to is signed with the same key. See docs/adr/0059-the-audit-has-signed-heads.md.

CREATE TABLE audit_heads (
  day date PRIMARY KEY,
  record_id bigint NOT NULL,
  chains integer NOT NULL,
  root bytea NOT NULL,
  hash bytea NOT NULL,
  public_key bytea NOT NULL,
  signature bytea NOT NULL,
  signed_at timestamptz(3) NOT NULL
);

CREATE TRIGGER audit_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_heads
  FOR EACH STATEMENT EXECUTE FUNCTION audit_records_reject_change();

-- Writes the audit's head of a day that waits for the ledger's. Returns false and does nothing
-- where none waits, where the day has one, where p_previous is not the hash of the head before it
-- (null for the first), and for records that are in no chain yet or were in a head before. It waits
-- for another session that seals: whoever is answered false closes no day without its head.
CREATE FUNCTION audit_sign_day(
  p_day date, p_record_id bigint, p_previous bytea, p_chains integer, p_root bytea, p_hash bytea,
  p_public_key bytea, p_signature bytea, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_last audit_heads;
BEGIN
  PERFORM 1 FROM ledger_sealing s WHERE s.is_day_over AND s.day = p_day FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT * INTO v_last FROM audit_heads h ORDER BY h.day DESC LIMIT 1;
  IF v_last.day >= p_day OR p_previous IS DISTINCT FROM v_last.hash
    OR p_record_id < coalesce(v_last.record_id, 0)
    OR p_record_id > (SELECT s.record_id FROM audit_sealing s)
  THEN
    RETURN false;
  END IF;
  INSERT INTO audit_heads (day, record_id, chains, root, hash, public_key, signature, signed_at)
  VALUES (p_day, p_record_id, p_chains, p_root, p_hash, p_public_key, p_signature, p_now);
  RETURN true;
END $$;

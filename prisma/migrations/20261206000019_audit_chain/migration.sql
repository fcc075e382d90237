-- The audit's chains: every record is linked to the one before it of the same merchant, and those
-- about the installation to each other. See docs/adr/0047-the-audit-is-chained.md.
--
-- Whoever writes a record waits for nobody: records are linked after they were committed, by
-- audit_seal(), in the order of their ids.

CREATE TABLE audit_links (
  record_id bigint PRIMARY KEY,
  chain uuid NOT NULL,
  number bigint NOT NULL,
  link bytea NOT NULL
);
CREATE UNIQUE INDEX audit_links_chain_number_key ON audit_links (chain, number);
-- Hashes can't be compressed.
ALTER TABLE audit_links ALTER link SET STORAGE PLAIN;

CREATE TABLE audit_sealing (
  id integer PRIMARY KEY DEFAULT 1,
  record_id bigint NOT NULL DEFAULT 0,
  horizon_id bigint NOT NULL DEFAULT 0,
  barrier bigint,
  CONSTRAINT audit_sealing_one CHECK (id = 1)
);
INSERT INTO audit_sealing DEFAULT VALUES;

CREATE TRIGGER audit_links_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_links
  FOR EACH STATEMENT EXECUTE FUNCTION audit_records_reject_change();

-- Whoever writes a record has a transaction's number before the record has its id: a trigger for
-- each statement runs before the defaults of its rows are taken. audit_seal() relies on it.
CREATE FUNCTION audit_records_take_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_current_xact_id();
  RETURN NULL;
END $$;
CREATE TRIGGER audit_records_number BEFORE INSERT ON audit_records
  FOR EACH STATEMENT EXECUTE FUNCTION audit_records_take_number();

-- Which chain a record is in: its merchant's, or the installation's.
CREATE FUNCTION audit_chain(p_merchant_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(p_merchant_id, '00000000-0000-0000-0000-000000000000')
$$;

-- The link of a record: SHA-256 of the link before it, or of nothing, and all that it says. jsonb
-- has one way to write a value, whatever way it was written in. Instants have milliseconds.
CREATE FUNCTION audit_link(p_before bytea, p_number bigint, r audit_records) RETURNS bytea
LANGUAGE sql STABLE AS $$
  SELECT sha256('\x03'::bytea || coalesce(p_before, ''::bytea) || convert_to(
    jsonb_build_array(p_number, r.id, r.merchant_id, r.member_id, r.account_id, r.action, r.details,
      r.ip_address, r.user_agent,
      to_char(r.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'UTF8'))
$$;

-- Brings the chains one step further. Returns what it did:
--   waiting   there are new records, and others may commit that have lower ids
--   sealed    up to p_limit records more are in the chains
--   busy      another session is at it
--   done      there is nothing to do
-- Records are taken in the order of their ids up to a horizon: the last id that was visible. The
-- barrier is the number of a transaction that began after the horizon was written. Whoever has a
-- lower id than the horizon's had a number before that, so that they have ended once all numbers
-- below the barrier have.
CREATE FUNCTION audit_seal(p_limit integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v audit_sealing;
  v_own bigint;
  v_last bigint;
  v_count integer := 0;
  v_record audit_records;
  v_before audit_links;
BEGIN
  SELECT * INTO v FROM audit_sealing FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 'busy'; END IF;
  v_own := pg_current_xact_id()::text::bigint;

  IF v.record_id = v.horizon_id THEN
    v_last := coalesce((SELECT max(id) FROM audit_records), 0);
    IF v_last <= v.horizon_id THEN RETURN 'done'; END IF;
    UPDATE audit_sealing SET horizon_id = v_last, barrier = NULL;
    RETURN 'waiting';
  END IF;
  -- A barrier in the future is another server's: the database was restored.
  IF v.barrier IS NULL OR v.barrier > v_own THEN
    UPDATE audit_sealing SET barrier = v_own;
    RETURN 'waiting';
  END IF;
  IF pg_snapshot_xmin(pg_current_snapshot())::text::bigint < v.barrier THEN RETURN 'waiting'; END IF;

  v_last := v.record_id;
  FOR v_record IN SELECT * FROM audit_records r
    WHERE r.id > v.record_id AND r.id <= v.horizon_id ORDER BY r.id LIMIT p_limit
  LOOP
    SELECT * INTO v_before FROM audit_links l WHERE l.chain = audit_chain(v_record.merchant_id)
    ORDER BY l.number DESC LIMIT 1;
    INSERT INTO audit_links (record_id, chain, number, link)
    VALUES (v_record.id, audit_chain(v_record.merchant_id), coalesce(v_before.number, 0) + 1,
      audit_link(v_before.link, coalesce(v_before.number, 0) + 1, v_record));
    v_count := v_count + 1;
    v_last := v_record.id;
  END LOOP;
  -- Ids may be missing at the end: what was rolled back has none.
  UPDATE audit_sealing
  SET record_id = CASE WHEN v_count < p_limit THEN v.horizon_id ELSE v_last END;
  RETURN 'sealed';
END $$;

-- Heads -------------------------------------------------------------------------------------------

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

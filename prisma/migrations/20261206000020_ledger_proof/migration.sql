-- The ledger proof: every entry is put into a chain of hashes, and what the chains come to on a day
-- is put into a tree of hashes, whose root is signed. See docs/adr/0042-the-ledger-proof.md.
--
-- Each ledger account has a chain of its own, in the order of its entries: an account's by their
-- version, a platform account's by their transfer. So that no posting waits for another, entries
-- are put into chains after they were committed, by proof_seal().

CREATE TABLE ledger_chains (
  ledger_account_id bigint PRIMARY KEY
    REFERENCES ledger_accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  leaf integer NOT NULL,
  day date NOT NULL,
  start bytea NOT NULL
);
CREATE INDEX ledger_chains_leaf_idx ON ledger_chains (leaf);

CREATE TABLE ledger_seals (
  ledger_account_id bigint NOT NULL
    REFERENCES ledger_chains (ledger_account_id) ON DELETE RESTRICT ON UPDATE CASCADE,
  day date NOT NULL,
  version bigint NOT NULL,
  transfer_id bigint NOT NULL,
  balance_centavos bigint NOT NULL,
  credit_centavos bigint NOT NULL,
  link bytea NOT NULL,
  links bytea NOT NULL,
  PRIMARY KEY (ledger_account_id, day, version)
);
-- Hashes can't be compressed.
ALTER TABLE ledger_seals ALTER links SET STORAGE EXTERNAL;
CREATE INDEX ledger_seals_transfer_id_idx ON ledger_seals (transfer_id);

CREATE TABLE ledger_heads (
  day date PRIMARY KEY,
  leaves integer NOT NULL,
  root bytea NOT NULL,
  hash bytea NOT NULL,
  public_key bytea NOT NULL,
  signature bytea NOT NULL,
  transfer_id bigint NOT NULL,
  signed_at timestamptz(3) NOT NULL
);

CREATE TABLE ledger_sealing (
  id integer PRIMARY KEY DEFAULT 1,
  transfer_id bigint NOT NULL DEFAULT 0,
  horizon_id bigint NOT NULL DEFAULT 0,
  horizon_at timestamptz(3),
  barrier bigint,
  day date,
  is_day_over boolean NOT NULL DEFAULT false,
  CONSTRAINT ledger_sealing_one CHECK (id = 1)
);
INSERT INTO ledger_sealing DEFAULT VALUES;

CREATE TRIGGER ledger_chains_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_chains
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();
CREATE TRIGGER ledger_seals_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_seals
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();
CREATE TRIGGER ledger_heads_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_heads
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();

-- What is hashed of an entry. The reference is the last line: the others can't have a line break.
-- docs/adr/0042-the-ledger-proof.md documents it, and src/domain/ledger/proof-text.ts and
-- docs/verify.py write the same. Nothing in it is about another account: not the transfer's id,
-- which counts everybody's, and of a part of another account's charge its own row (proof_part).
CREATE FUNCTION proof_entry_text(
  p_version bigint, p_amount bigint, p_balance bigint, p_credit bigint, p_transaction_id uuid,
  p_kind text, p_created_at timestamptz, p_reference text
) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT p_version::text || E'\n' || p_amount::text || E'\n' || p_balance::text || E'\n'
    || p_credit::text || E'\n' || coalesce(p_transaction_id::text, '-') || E'\n' || p_kind || E'\n'
    || to_char(p_created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || E'\n'
    || p_reference
$$;

-- The account's own row for its part of another account's charge.
CREATE FUNCTION proof_part(p_transaction_id uuid, p_account_id uuid) RETURNS uuid
LANGUAGE sql STABLE AS $$
  SELECT x.id FROM transactions x
  WHERE x.split_of_id = p_transaction_id AND x.account_id = p_account_id
$$;

-- The next link of a chain.
CREATE FUNCTION proof_link(p_link bytea, p_text text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256('\x02'::bytea || p_link || convert_to(p_text, 'UTF8'))
$$;

-- The first instant after a day of America/Sao_Paulo.
CREATE FUNCTION proof_day_end(p_day date) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT (p_day + 1)::timestamp AT TIME ZONE 'America/Sao_Paulo'
$$;

-- Brings the chains one step further. Returns what it did:
--   waiting   there are new transfers, and others may commit that have lower ids
--   sealed    up to p_limit transfers more are in the chains
--   day_over  the day has all of its transfers: its head has to be signed (proof_close_day)
--   busy      another session is at it
--   done      there is nothing to do
-- Transfers are taken in the order of their ids up to a horizon: the last id that was visible. The
-- barrier is the number of a transaction that began after the horizon was written: the one that
-- writes the horizon has its own number before it looks, and others may take a number and a lower
-- id in between. Whoever posts has a number before it has an id (ledger_post), so that whoever has
-- a lower id than the horizon's also has a lower number than the barrier, and has ended once all
-- lower numbers have.
-- A day ends before the first transfer that is of a later day. What commits after that belongs to
-- the next day, as does what has a wrong clock.
CREATE FUNCTION proof_seal(p_now timestamptz, p_limit integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v ledger_sealing;
  v_own bigint;
  v_last bigint;
  v_count integer;
  v_to bigint;
  v_next_day bigint;
  v_is_past boolean;
BEGIN
  SELECT * INTO v FROM ledger_sealing FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 'busy'; END IF;
  IF v.is_day_over THEN RETURN 'day_over'; END IF;
  v_own := pg_current_xact_id()::text::bigint;
  v_is_past := coalesce(proof_day_end(v.day) <= p_now, false);
  -- A barrier in the future is another server's: the database was restored.
  IF v.barrier IS NULL OR v.barrier > v_own THEN
    UPDATE ledger_sealing SET barrier = v_own;
    RETURN 'waiting';
  END IF;
  IF pg_snapshot_xmin(pg_current_snapshot())::text::bigint < v.barrier THEN RETURN 'waiting'; END IF;

  IF v.transfer_id = v.horizon_id THEN
    v_last := coalesce((SELECT max(id) FROM ledger_transfers), 0);
    IF v_last > v.horizon_id OR v_is_past AND v.horizon_at < proof_day_end(v.day) THEN
      UPDATE ledger_sealing
      SET horizon_id = greatest(v_last, v.horizon_id), horizon_at = p_now, barrier = NULL,
        day = coalesce(v.day, (SELECT least(t.created_at, p_now) AT TIME ZONE 'America/Sao_Paulo'
          FROM ledger_transfers t ORDER BY t.id LIMIT 1)::date);
      RETURN 'waiting';
    END IF;
    IF NOT v_is_past THEN RETURN 'done'; END IF;
    UPDATE ledger_sealing SET is_day_over = true;
    RETURN 'day_over';
  END IF;

  SELECT count(*), max(id), min(id) FILTER (WHERE created_at >= proof_day_end(v.day))
    INTO v_count, v_to, v_next_day
  FROM (SELECT id, created_at FROM ledger_transfers
    WHERE id > v.transfer_id AND id <= v.horizon_id ORDER BY id LIMIT p_limit) AS next;
  IF NOT v_is_past THEN v_next_day := NULL; END IF;
  IF v_next_day IS NOT NULL THEN v_to := v_next_day - 1;
  ELSIF v_count < p_limit THEN v_to := v.horizon_id;
  END IF;
  PERFORM ledger_seal_transfers(v.transfer_id, v_to, v.day);
  UPDATE ledger_sealing SET transfer_id = v_to, is_day_over = v_next_day IS NOT NULL;
  RETURN CASE WHEN v_next_day IS NOT NULL THEN 'day_over' ELSE 'sealed' END;
END $$;

-- Puts the entries of the transfers after p_from up to p_to into the chains. An account's chain
-- goes on to its last entry among them: a lower version may have a higher transfer, and was
-- committed before. OFFSET 0 has rows looked up by their index, however many the planner, which
-- does not know p_from and p_to, takes them for.
CREATE FUNCTION ledger_seal_transfers(p_from bigint, p_to bigint, p_day date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v record;
  v_text text;
  v_link bytea;
  v_links bytea[];
BEGIN
  PERFORM ledger_start_chains(p_from, p_to, p_day);
  FOR v IN
    WITH moved AS MATERIALIZED (
      SELECT e.ledger_account_id AS id, max(e.version) AS version FROM ledger_entries e
      WHERE e.transfer_id > p_from AND e.transfer_id <= p_to GROUP BY e.ledger_account_id
    ), chain AS MATERIALIZED (
      SELECT m.id, a.account_id, m.version AS last_version, coalesce(s.version, 0) AS version,
        coalesce(s.balance_centavos, 0) AS balance, coalesce(s.credit_centavos, 0) AS credit,
        coalesce(s.link, c.start) AS link
      FROM moved m
        CROSS JOIN LATERAL (
          SELECT * FROM ledger_accounts a WHERE a.id = m.id OFFSET 0) AS a
        CROSS JOIN LATERAL (
          SELECT * FROM ledger_chains c WHERE c.ledger_account_id = m.id OFFSET 0) AS c
        LEFT JOIN LATERAL (
          SELECT * FROM ledger_seals s WHERE s.ledger_account_id = m.id
          ORDER BY s.day DESC, s.version DESC LIMIT 1) AS s ON true
    ), entry AS (
      SELECT chain.id, e.*
      FROM chain CROSS JOIN LATERAL (
        SELECT version, amount_centavos AS amount, balance_after_centavos AS balance,
          credit_after_centavos AS credit, transfer_id
        FROM ledger_entries
        WHERE ledger_account_id = chain.id AND version > chain.version
          AND version <= chain.last_version
        OFFSET 0) AS e
      WHERE chain.id > 0
      UNION ALL
      SELECT chain.id, chain.version + row_number() OVER past, e.amount_centavos,
        chain.balance + (sum(e.amount_centavos) OVER past)::bigint,
        chain.credit + (sum(greatest(e.amount_centavos, 0)) OVER past)::bigint, e.transfer_id
      FROM ledger_entries e JOIN chain ON chain.id = e.ledger_account_id
      WHERE e.transfer_id > p_from AND e.transfer_id <= p_to AND e.ledger_account_id < 0
      WINDOW past AS (PARTITION BY e.ledger_account_id ORDER BY e.transfer_id, e.id)
    )
    SELECT entry.id, min(chain.link) AS link, max(entry.version) AS version,
      (array_agg(entry.balance ORDER BY entry.version DESC))[1] AS balance,
      max(entry.credit) AS credit,
      array_agg(proof_entry_text(entry.version, entry.amount, entry.balance, entry.credit,
        CASE WHEN chain.account_id <> t.account_id
          THEN proof_part(t.transaction_id, chain.account_id) ELSE t.transaction_id END,
        t.kind, t.created_at, t.reference) ORDER BY entry.version) AS texts
    FROM entry JOIN chain ON chain.id = entry.id
      CROSS JOIN LATERAL (
        SELECT * FROM ledger_transfers t WHERE t.id = entry.transfer_id OFFSET 0) AS t
    GROUP BY entry.id
  LOOP
    v_link := v.link;
    v_links := '{}';
    FOREACH v_text IN ARRAY v.texts LOOP
      v_links := array_append(v_links, v_link);
      v_link := sha256('\x02'::bytea || v_link || convert_to(v_text, 'UTF8'));
    END LOOP;
    INSERT INTO ledger_seals (ledger_account_id, day, version, transfer_id, balance_centavos,
      credit_centavos, link, links)
    SELECT v.id, p_day, v.version, p_to, v.balance, v.credit, v_link,
      string_agg(l.link, ''::bytea ORDER BY l.at)
    FROM unnest(v_links) WITH ORDINALITY AS l (link, at);
  END LOOP;
END $$;

-- Begins the chains of the ledger accounts that these transfers are the first of. A chain begins
-- with a number that nobody can guess, so that its hashes tell nobody else what it is made of. All
-- ledger accounts of an account are one leaf, and all of the platform in a mode; a leaf keeps its
-- number.
CREATE FUNCTION ledger_start_chains(p_from bigint, p_to bigint, p_day date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v record;
  v_leaf integer;
BEGIN
  FOR v IN
    SELECT a.id, a.account_id, a.mode
    FROM (SELECT DISTINCT e.ledger_account_id AS id FROM ledger_entries e
        WHERE e.transfer_id > p_from AND e.transfer_id <= p_to) AS m
      CROSS JOIN LATERAL (SELECT * FROM ledger_accounts a WHERE a.id = m.id OFFSET 0) AS a
    WHERE (SELECT c.leaf FROM ledger_chains c WHERE c.ledger_account_id = m.id) IS NULL
    ORDER BY a.id
  LOOP
    SELECT c.leaf INTO v_leaf
    FROM (SELECT a.id FROM ledger_accounts a WHERE a.account_id = v.account_id
        UNION ALL
        SELECT a.id FROM ledger_accounts a
        WHERE v.account_id IS NULL AND a.account_id IS NULL AND a.mode = v.mode) AS a
      CROSS JOIN LATERAL (
        SELECT c.leaf FROM ledger_chains c WHERE c.ledger_account_id = a.id OFFSET 0) AS c
    LIMIT 1;
    INSERT INTO ledger_chains (ledger_account_id, leaf, day, start)
    VALUES (v.id, coalesce(v_leaf, (SELECT max(c.leaf) FROM ledger_chains c) + 1, 0), p_day,
      sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
  END LOOP;
END $$;

-- Ends a day with its signed head. Returns false and does nothing unless the day waits for its head
-- and p_previous is the hash of the head before it, null for the first.
CREATE FUNCTION proof_close_day(
  p_day date, p_previous bytea, p_leaves integer, p_root bytea, p_hash bytea, p_public_key bytea,
  p_signature bytea, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v ledger_sealing;
BEGIN
  SELECT * INTO v FROM ledger_sealing FOR UPDATE SKIP LOCKED;
  IF NOT FOUND OR NOT v.is_day_over OR v.day <> p_day OR p_previous IS DISTINCT FROM
    (SELECT h.hash FROM ledger_heads h ORDER BY h.day DESC LIMIT 1)
  THEN
    RETURN false;
  END IF;
  INSERT INTO ledger_heads (day, leaves, root, hash, public_key, signature, transfer_id, signed_at)
  VALUES (p_day, p_leaves, p_root, p_hash, p_public_key, p_signature, v.transfer_id, p_now);
  UPDATE ledger_sealing SET day = p_day + 1, is_day_over = false;
  RETURN true;
END $$;

-- Evidence that a merchant hands in with the answer to a dispute: files, sealed. They can be added
-- and taken back as long as the case waits for the answer; with it they stay as they are.

CREATE TABLE dispute_files (
  id uuid PRIMARY KEY,
  dispute_id uuid NOT NULL REFERENCES disputes (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  file_name text NOT NULL,
  media_type text NOT NULL,
  bytes integer NOT NULL,
  sealed bytea NOT NULL,
  uploaded_at timestamptz(3) NOT NULL
);
CREATE INDEX dispute_files_dispute_id_idx ON dispute_files (dispute_id);

-- Locks a case that waits for its answer. Returns false when it does not.
CREATE FUNCTION dispute_lock_awaited(p_id uuid, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM disputes WHERE id = p_id AND state = 'open' AND answer_by >= p_now FOR UPDATE;
  RETURN FOUND;
END $$;

-- Keeps a file: `p_row` is its row of `dispute_files` without the sealed bytes. Of any number at
-- once none passes p_max. Returns 'stored', 'decided' (the case waits for no answer) or 'too_many'.
CREATE FUNCTION dispute_add_file(p_row jsonb, p_sealed bytea, p_max integer, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_new dispute_files := jsonb_populate_record(NULL::dispute_files, p_row);
BEGIN
  IF NOT dispute_lock_awaited(v_new.dispute_id, p_now) THEN RETURN 'decided'; END IF;
  IF (SELECT count(*) FROM dispute_files WHERE dispute_id = v_new.dispute_id) >= p_max THEN
    RETURN 'too_many';
  END IF;
  INSERT INTO dispute_files (id, dispute_id, file_name, media_type, bytes, sealed, uploaded_at)
  VALUES (v_new.id, v_new.dispute_id, v_new.file_name, v_new.media_type, v_new.bytes, p_sealed,
    p_now);
  RETURN 'stored';
END $$;

-- Takes a file back. Returns 'removed', 'decided' or 'unknown' (the case has no such file).
CREATE FUNCTION dispute_remove_file(p_id uuid, p_dispute_id uuid, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF NOT dispute_lock_awaited(p_dispute_id, p_now) THEN RETURN 'decided'; END IF;
  DELETE FROM dispute_files WHERE id = p_id AND dispute_id = p_dispute_id;
  RETURN CASE WHEN FOUND THEN 'removed' ELSE 'unknown' END;
END $$;

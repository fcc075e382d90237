-- What members are notified of in the panel, and the e-mails of a day that collect what can wait.

-- Who is removed from a merchant loses what they were notified of.
CREATE TABLE notices (
  id uuid PRIMARY KEY,
  member_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  account_id uuid,
  kind text NOT NULL,
  subject_id uuid,
  occasion text NOT NULL,
  params text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  read_at timestamptz(3)
);
ALTER TABLE notices
  ADD CONSTRAINT notices_member_id_merchant_id_fkey FOREIGN KEY (member_id, merchant_id)
    REFERENCES memberships (member_id, merchant_id) ON DELETE CASCADE ON UPDATE CASCADE;
-- A task that runs twice writes one of them. Without a subject each is one of its own.
CREATE UNIQUE INDEX notices_member_id_kind_subject_id_occasion_key
  ON notices (member_id, kind, subject_id, occasion);
CREATE INDEX notices_member_id_merchant_id_created_at_idx
  ON notices (member_id, merchant_id, created_at DESC);
CREATE INDEX notices_created_at_idx ON notices (created_at);

-- One row changes in two ways: it is read, and its parameters are sealed under a newer master key.
CREATE FUNCTION notices_reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'notices are append-only';
END $$;
CREATE TRIGGER notices_append_only
  BEFORE UPDATE OF id, member_id, merchant_id, account_id, kind, subject_id, occasion, created_at
  ON notices FOR EACH STATEMENT EXECUTE FUNCTION notices_reject_change();

-- One e-mail a member and day.
CREATE TABLE notice_digests (
  member_id uuid NOT NULL REFERENCES members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  day date NOT NULL,
  until timestamptz(3) NOT NULL,
  PRIMARY KEY (member_id, day)
);

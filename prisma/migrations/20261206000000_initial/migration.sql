-- The types, tables, indexes and constraints of schema.prisma, which documents every table and
-- column, and what it can't express: checks, partial and covering indexes, triggers. The functions
-- that move money are in the migrations after this one. grantPrivileges() grants privileges, after
-- each migration and at every start.

CREATE TYPE kyc_status AS ENUM ('pending', 'approved', 'rejected');
CREATE TYPE document_type AS ENUM ('cpf', 'cnpj');
CREATE TYPE mode AS ENUM ('live', 'test');
CREATE TYPE transaction_type AS ENUM ('pix_in', 'pix_out', 'crypto_in', 'crypto_out', 'split_in');
CREATE TYPE transaction_status AS ENUM (
  'pending', 'paid', 'expired', 'cancelled', 'failed', 'review', 'processing', 'completed',
  'refunded');
CREATE TYPE topic AS ENUM ('deposit', 'withdrawal', 'usdt');
CREATE TYPE delivery_status AS ENUM ('pending', 'delivered', 'failed', 'held');
CREATE TYPE ledger_account_kind AS ENUM (
  'available', 'pending', 'blocked', 'owed', 'pix_settlement', 'crypto_settlement', 'fees',
  'suspense', 'write_offs');
CREATE TYPE kyc_decision AS ENUM ('submitted', 'approved', 'rejected');
CREATE TYPE limit_period AS ENUM ('day', 'night');
CREATE TYPE refund_status AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE total_unit AS ENUM ('hour', 'day');
CREATE TYPE member_role AS ENUM ('owner', 'finance', 'developer', 'support', 'viewer');
CREATE TYPE foreign_payout_state AS ENUM ('open', 'written_off', 'charged');

-- Merchants, members and sign-in ------------------------------------------------------------------
CREATE TABLE merchants (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  document text NOT NULL,
  document_type document_type NOT NULL,
  phone text,
  kyc_status kyc_status NOT NULL DEFAULT 'pending',
  can_create_accounts boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX merchants_email_key ON merchants (email);

CREATE TABLE sign_ups (
  id uuid PRIMARY KEY,
  sealed text NOT NULL,
  token_hash bytea,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX sign_ups_token_hash_key ON sign_ups (token_hash);
CREATE INDEX sign_ups_expires_at_idx ON sign_ups (expires_at);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  role member_role NOT NULL,
  sealed text NOT NULL,
  invited_by uuid,
  token_hash bytea,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE INDEX invitations_merchant_id_idx ON invitations (merchant_id);
CREATE INDEX invitations_expires_at_idx ON invitations (expires_at);

CREATE TABLE members (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  language text,
  theme text,
  notifications jsonb NOT NULL DEFAULT '{}',
  withdrawals_blocked_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- A member is created when the person opens the link that was mailed to the address.
  CONSTRAINT members_email_verified CHECK (email_verified)
);
CREATE UNIQUE INDEX members_email_key ON members (email);

CREATE TABLE memberships (
  member_id uuid NOT NULL REFERENCES members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  merchant_id uuid NOT NULL REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  role member_role NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (member_id, merchant_id)
);
CREATE INDEX memberships_merchant_id_idx ON memberships (merchant_id);

CREATE TABLE sessions (
  id text PRIMARY KEY,
  member_id uuid NOT NULL REFERENCES members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  merchant_id uuid REFERENCES merchants (id) ON DELETE SET NULL ON UPDATE CASCADE,
  token text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ip_address text,
  user_agent text,
  confirmed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX sessions_token_key ON sessions (token);
CREATE INDEX sessions_member_id_idx ON sessions (member_id);

CREATE TABLE logins (
  id text PRIMARY KEY,
  member_id uuid NOT NULL REFERENCES members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX logins_member_id_idx ON logins (member_id);

CREATE TABLE login_tokens (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX login_tokens_identifier_idx ON login_tokens (identifier);

CREATE TABLE two_factors (
  id text PRIMARY KEY,
  member_id uuid NOT NULL REFERENCES members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean DEFAULT true,
  failed_verification_count integer DEFAULT 0,
  locked_until timestamptz(3),
  last_step bigint
);
CREATE INDEX two_factors_member_id_idx ON two_factors (member_id);

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  member_id uuid NOT NULL REFERENCES members (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name text,
  public_key text NOT NULL,
  credential_id text NOT NULL,
  counter integer NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz(3)
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id);
CREATE INDEX passkeys_member_id_idx ON passkeys (member_id);

CREATE TABLE mails (
  id uuid PRIMARY KEY,
  sealed text,
  template text NOT NULL,
  recipient text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  given_up_at timestamptz(3),
  -- What was sent is not kept; what was not can be sent.
  CONSTRAINT mails_sealed_until_sent CHECK ((sealed IS NULL) = (sent_at IS NOT NULL)),
  CONSTRAINT mails_one_end CHECK (sent_at IS NULL OR given_up_at IS NULL)
);
CREATE INDEX mails_not_sent ON mails (id) WHERE sent_at IS NULL;

-- Audit and verification --------------------------------------------------------------------------
CREATE TABLE audit_records (
  id bigserial PRIMARY KEY,
  -- NULL: it is about the installation.
  merchant_id uuid REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  member_id uuid,
  account_id uuid,
  action text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  ip_address text,
  user_agent text,
  at timestamptz(3) NOT NULL
);
-- The security page lists changes of keys, logins and settings apart from operations with money,
-- which are far more. The query that lists them has the same patterns.
CREATE INDEX audit_records_money_idx ON audit_records (merchant_id, id DESC)
  WHERE action ~ '^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]';
CREATE INDEX audit_records_not_money_idx ON audit_records (merchant_id, id DESC)
  WHERE action !~ '^(withdrawal|refund|charge|review|dispute|unmatched|foreign_payout)[.]';
-- Everything of a merchant, which the operator's console reads.
CREATE INDEX audit_records_merchant_id_id_idx ON audit_records (merchant_id, id DESC);

CREATE FUNCTION audit_records_reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit records are append-only';
END $$;
CREATE TRIGGER audit_records_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_records
  FOR EACH STATEMENT EXECUTE FUNCTION audit_records_reject_change();

CREATE TABLE kyc_submissions (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  kind text NOT NULL,
  sealed text NOT NULL,
  decision kyc_decision NOT NULL DEFAULT 'submitted',
  reason text,
  submitted_at timestamptz(3) NOT NULL,
  decided_at timestamptz(3)
);
CREATE INDEX kyc_submissions_merchant_id_id_idx ON kyc_submissions (merchant_id, id DESC);

CREATE TABLE kyc_documents (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  submission_id uuid REFERENCES kyc_submissions (id) ON DELETE SET NULL ON UPDATE CASCADE,
  kind text NOT NULL,
  file_name text NOT NULL,
  media_type text NOT NULL,
  bytes integer NOT NULL,
  sealed bytea NOT NULL,
  uploaded_at timestamptz(3) NOT NULL
);
CREATE INDEX kyc_documents_merchant_id_idx ON kyc_documents (merchant_id);
CREATE INDEX kyc_documents_submission_id_idx ON kyc_documents (submission_id);

-- Accounts, API keys and records of requests ------------------------------------------------------
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  mode mode NOT NULL,
  currency text,
  webhook_secret text NOT NULL,
  previous_webhook_secret text,
  previous_webhook_secret_until timestamptz(3),
  inactive_rails transaction_type[] NOT NULL DEFAULT ARRAY[]::transaction_type[],
  suspended_at timestamptz(3),
  suspension_reason text,
  spread_bps integer NOT NULL DEFAULT 0,
  tolerance_bps integer NOT NULL DEFAULT 50,
  created_at timestamptz(3) NOT NULL,
  -- When the next change of the terms takes effect, for whoever reads them.
  terms_change_at timestamptz(3),
  CONSTRAINT accounts_id_mode_key UNIQUE (id, mode)
);
CREATE UNIQUE INDEX accounts_merchant_id_mode_key ON accounts (merchant_id, mode);

-- The time of a test account, which can be moved forward. mode is there for the foreign key alone:
-- no live account can have a clock.
CREATE TABLE test_clocks (
  account_id uuid PRIMARY KEY,
  mode mode NOT NULL DEFAULT 'test' CHECK (mode = 'test'),
  ahead_ms bigint NOT NULL DEFAULT 0 CHECK (ahead_ms >= 0),
  target_at timestamptz(3),
  stopped_why text,
  holder uuid,
  held_until timestamptz(3),
  moved_at timestamptz(3) NOT NULL,
  -- A request that moves a clock may be repeated after a crash that lost its answer: the clock is
  -- not moved a second time.
  recent_moves uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  FOREIGN KEY (account_id, mode) REFERENCES accounts (id, mode)
    ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE account_fees (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  type transaction_type NOT NULL,
  bps integer NOT NULL,
  fixed_centavos bigint NOT NULL,
  PRIMARY KEY (account_id, type)
);

CREATE TABLE account_limits (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  name text NOT NULL,
  centavos bigint,
  PRIMARY KEY (account_id, name)
);

CREATE TABLE default_limits (
  name text PRIMARY KEY,
  centavos bigint NOT NULL
);

-- What an account has used of a limit: the sum of its withdrawals of one type that were requested
-- in one day or night, without fees and failed ones. Kept by the functions that request, fail and
-- review withdrawals, checked against them by the ledger check. Small: three rows a day at most.
CREATE TABLE limit_usage (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  type transaction_type NOT NULL,
  period limit_period NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  centavos bigint NOT NULL,
  PRIMARY KEY (account_id, type, period, starts_at),
  CONSTRAINT limit_usage_not_negative CHECK (centavos >= 0),
  CONSTRAINT limit_usage_period CHECK (starts_at < ends_at)
);

CREATE TABLE credentials (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  kind text NOT NULL,
  sealed text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL,
  -- Replacing credentials keeps the rail where they lead to the same account at the provider, and
  -- nothing that is in flight changes its rail.
  rail_id uuid NOT NULL,
  connected_by_id uuid,
  ended_at timestamptz(3),
  checked_at timestamptz(3),
  check_result text,
  CONSTRAINT credentials_checked CHECK ((checked_at IS NULL) = (check_result IS NULL))
);
CREATE INDEX credentials_account_id_idx ON credentials (account_id);
-- An account has at most one active credential of each kind.
CREATE UNIQUE INDEX credentials_is_active ON credentials (account_id, kind) WHERE is_active;
CREATE INDEX credentials_rail_id_idx ON credentials (rail_id);

-- first_key_id: the first of the keys of which rotations made this one; null: it is that itself. A
-- rotation changes neither what was asked for today nor what an idempotency key stands for. The
-- caps are what an assistant (MCP) may ask for at most, a call and a day.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  name text NOT NULL,
  hash bytea NOT NULL,
  prefix text NOT NULL,
  last_four text NOT NULL DEFAULT '',
  permissions text[] NOT NULL DEFAULT ARRAY[]::text[],
  allowed_ips text[] NOT NULL DEFAULT ARRAY[]::text[],
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_by_id uuid,
  rotated_by_id uuid,
  replaced_by_id uuid,
  first_key_id uuid,
  call_cap_centavos bigint,
  day_cap_centavos bigint,
  -- What an assistant can be talked into has to be harmless, whoever made its key.
  CONSTRAINT api_keys_assistant CHECK (
    NOT permissions && '{mcp:use,mcp:withdraw}'
    OR permissions @> '{mcp:use}'
      AND permissions <@ '{mcp:use,mcp:withdraw,charges:write,transactions:read,balance:read}'),
  CONSTRAINT api_keys_caps CHECK (
    num_nonnulls(call_cap_centavos, day_cap_centavos)
      = CASE WHEN permissions @> '{mcp:withdraw}' THEN 2 ELSE 0 END
    AND call_cap_centavos > 0 AND day_cap_centavos >= call_cap_centavos)
);
CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash);
CREATE INDEX api_keys_account_id_idx ON api_keys (account_id);

CREATE TABLE request_records (
  id bigserial PRIMARY KEY,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  request_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  duration_ms double precision NOT NULL,
  request_body text,
  response_body text,
  at timestamptz(3) NOT NULL
);
CREATE INDEX request_records_account_id_id_idx ON request_records (account_id, id DESC);
CREATE INDEX request_records_key_id_id_idx ON request_records (key_id, id DESC);
CREATE INDEX request_records_at_idx ON request_records (at);

CREATE TABLE provider_calls (
  id bigserial PRIMARY KEY,
  transaction_id uuid NOT NULL,
  rail text NOT NULL,
  operation text NOT NULL,
  method text NOT NULL,
  target text NOT NULL,
  status integer,
  outcome text NOT NULL,
  duration_ms double precision NOT NULL,
  request_body text,
  response_body text,
  at timestamptz(3) NOT NULL
);
CREATE INDEX provider_calls_transaction_id_id_idx ON provider_calls (transaction_id, id);
CREATE INDEX provider_calls_at_idx ON provider_calls (at);

-- Transactions ------------------------------------------------------------------------------------
CREATE TABLE transactions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  type transaction_type NOT NULL,
  status transaction_status NOT NULL DEFAULT 'pending',
  amount_centavos bigint NOT NULL,
  fee_centavos bigint NOT NULL,
  net_centavos bigint NOT NULL,
  split_account_id uuid REFERENCES accounts (id) ON DELETE SET NULL ON UPDATE CASCADE,
  split_centavos bigint NOT NULL DEFAULT 0,
  split_of_id uuid REFERENCES transactions (id) ON DELETE SET NULL ON UPDATE CASCADE,
  description text,
  customer_name text,
  customer_email text,
  customer_phone text,
  customer_document text,
  customer_document_index bytea,
  search_tokens bigint[] NOT NULL DEFAULT ARRAY[]::bigint[],
  customer_document_type document_type,
  callback_url text,
  rail text NOT NULL,
  br_code text,
  end_to_end_id text,
  pix_key text,
  pix_key_type text,
  pix_key_index bytea,
  receiver_name text,
  receiver_document text,
  currency text,
  units bigint,
  wallet text,
  memo text,
  provider_id text,
  provider_url text,
  quote_price bigint,
  quote_spread_bps integer,
  quoted_at timestamptz(3),
  quote_sources jsonb,
  fee_bps integer,
  fee_fixed_centavos bigint,
  tolerance_bps integer,
  received_units bigint NOT NULL DEFAULT 0,
  in_time_units bigint NOT NULL DEFAULT 0,
  settled_units bigint NOT NULL DEFAULT 0,
  quoted_units bigint NOT NULL DEFAULT 0,
  credited_centavos bigint NOT NULL DEFAULT 0,
  credited_fee_centavos bigint NOT NULL DEFAULT 0,
  reviewed_centavos bigint NOT NULL DEFAULT 0,
  confirmations integer NOT NULL DEFAULT 0,
  confirmations_needed integer,
  tx_hashes text[] NOT NULL DEFAULT ARRAY[]::text[],
  sub_status text,
  payout_step text,
  payout_sent_at timestamptz(3),
  failure_code text,
  refunded_centavos bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  paid_at timestamptz(3),
  scheduled_for timestamptz(3),
  begun_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  -- The merchant's own reference and metadata, sealed, with a keyed index of the reference.
  reference text,
  reference_index bytea,
  metadata text
);

-- Returns whether a transaction of this type may have this status. In plain SQL it is a part of the
-- expression that calls it, and no call.
CREATE FUNCTION transaction_has_status(
  p_type transaction_type, p_status transaction_status
) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_type
    WHEN 'pix_in' THEN
      p_status IN ('pending', 'paid', 'expired', 'cancelled', 'failed', 'review', 'refunded')
    WHEN 'pix_out' THEN
      p_status IN ('pending', 'processing', 'paid', 'failed', 'review', 'cancelled')
    WHEN 'crypto_in' THEN p_status IN ('pending', 'completed', 'expired', 'cancelled', 'failed')
    WHEN 'crypto_out' THEN p_status IN ('pending', 'completed', 'failed', 'review')
    WHEN 'split_in' THEN p_status = 'paid'
  END
$$;

-- The rules of a row of `transactions`. Returns true, or raises a check_violation that names the
-- rule which is broken. A function, because PostgreSQL parses the text of every CHECK of a table
-- for each statement that writes to it: these rules as nine constraints took a quarter of the time
-- in which a charge is settled. It has two parts: the rules of every transaction, and those of
-- columns in which most charges keep the defaults. The second part is not read for a charge that
-- has these defaults, because they break none of its rules. What is refunded has no bound here: a
-- PSP may carry out a refund and take the same payment by the return mechanism (MED). A request of
-- ours is bound by what is left of the payment (ledger_require_returnable).
CREATE FUNCTION transaction_check(t transactions) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_broken text := CASE
    WHEN NOT (t.amount_centavos > 0 AND t.fee_centavos >= 0 AND t.split_centavos >= 0
      AND t.net_centavos >= 0
      -- Incoming amounts are divided. An outgoing PIX pays its fee on top of the amount, an
      -- outgoing crypto transfer pays it out of the amount.
      AND CASE t.type
        WHEN 'pix_in' THEN t.amount_centavos = t.net_centavos + t.fee_centavos + t.split_centavos
        WHEN 'pix_out' THEN t.amount_centavos = t.net_centavos AND t.split_centavos = 0
        ELSE t.amount_centavos = t.net_centavos + t.fee_centavos AND t.split_centavos = 0 END)
      THEN 'amounts'
    WHEN NOT transaction_has_status(t.type, t.status) THEN 'status'
    WHEN NOT ((t.split_account_id IS NULL) = (t.split_centavos = 0)
      AND t.split_account_id <> t.account_id) THEN 'split'
    WHEN t.refunded_centavos < 0 THEN 'refunded'
  END;
BEGIN
  IF v_broken IS NULL AND (t.type <> 'pix_in'
    OR num_nonnulls(t.split_of_id, t.pix_key, t.pix_key_type, t.currency, t.sub_status,
      t.scheduled_for, t.begun_at, t.payout_step) > 0
    OR (t.credited_centavos, t.credited_fee_centavos, t.reviewed_centavos, t.received_units,
      t.in_time_units, t.settled_units, t.quoted_units) <> (0, 0, 0, 0, 0, 0, 0))
  THEN
    v_broken := CASE
      WHEN (t.type = 'split_in') <> (t.split_of_id IS NOT NULL) THEN 'split_in'
      WHEN (t.pix_key IS NULL) <> (t.pix_key_type IS NULL)
        -- One without a key was made in the bank's application, and is known since it was paid.
        OR CASE WHEN t.type = 'pix_out' THEN t.pix_key IS NULL AND t.status <> 'paid'
          ELSE t.pix_key IS NOT NULL END
        THEN 'pix_key'
      WHEN (t.type IN ('crypto_in', 'crypto_out'))
        <> (t.currency IS NOT NULL AND t.units IS NOT NULL AND t.quote_price IS NOT NULL)
        OR t.type = 'crypto_out' AND t.wallet IS NULL THEN 'crypto'
      WHEN t.sub_status IS NOT NULL AND NOT CASE
        WHEN t.type = 'crypto_in' THEN t.sub_status
          IN ('partial', 'detected', 'underpaid', 'overpaid', 'late', 'paid_again')
        WHEN t.type IN ('pix_out', 'crypto_out') THEN
          t.sub_status IN ('pending_approval', 'scheduled') AND t.status = 'pending'
          AND t.payout_step IS NULL
        ELSE false END THEN 'sub_status'
      -- What is scheduled waits, has begun, or has ended without that.
      WHEN NOT CASE
        WHEN t.scheduled_for IS NULL THEN t.begun_at IS NULL
          AND t.sub_status IS DISTINCT FROM 'scheduled'
          AND (t.type <> 'pix_out' OR t.status <> 'cancelled')
        WHEN t.begun_at IS NULL THEN t.type = 'pix_out' AND CASE t.status
          WHEN 'pending' THEN t.sub_status IS NOT NULL ELSE t.status IN ('failed', 'cancelled') END
        ELSE t.type = 'pix_out' AND t.sub_status IS NULL AND t.status <> 'cancelled' END
        THEN 'scheduled'
      WHEN t.payout_step NOT IN ('sending', 'unknown', 'sent') THEN 'payout_step'
      WHEN NOT (t.received_units >= 0
        AND t.credited_centavos >= t.credited_fee_centavos AND t.credited_fee_centavos >= 0
        AND (t.type = 'crypto_in' OR t.credited_centavos = 0)) THEN 'credited'
      WHEN NOT (0 <= t.quoted_units AND t.quoted_units <= t.settled_units
        AND t.settled_units <= t.received_units
        AND 0 <= t.in_time_units AND t.in_time_units <= t.received_units
        AND t.reviewed_centavos >= 0
        AND (t.type = 'crypto_in' OR t.received_units = 0 AND t.reviewed_centavos = 0))
        THEN 'settled'
    END;
  END IF;
  IF v_broken IS NULL THEN RETURN true; END IF;
  RAISE EXCEPTION 'Transaction % breaks the rule transactions_%.', t.id, v_broken
    USING ERRCODE = 'check_violation', TABLE = 'transactions',
      CONSTRAINT = 'transactions_' || v_broken;
END $$;
ALTER TABLE transactions
  ADD CONSTRAINT transactions_consistent CHECK (transaction_check(transactions.*));

-- The columns that most rows leave empty have partial indexes: an entry for each empty one costs an
-- insertion as much as any other.
CREATE UNIQUE INDEX transactions_split_of_id_key ON transactions (split_of_id)
  WHERE split_of_id IS NOT NULL;
CREATE INDEX transactions_account_id_id_idx ON transactions (account_id, id DESC);
-- A filter by types or statuses reads the newest of each type and status, one after the other.
CREATE INDEX transactions_account_id_type_status_id_idx
  ON transactions (account_id, type, status, id DESC);
-- The few that are shown under another name than their status. The query that finds them has the
-- same condition.
CREATE INDEX transactions_special ON transactions (account_id, sub_status, id DESC)
  WHERE sub_status IS NOT NULL OR refunded_centavos > 0 AND status = 'paid';
-- By the amount that the panel shows, and for those that asked for another one by that one. The
-- queries have the same expression and the same condition.
CREATE INDEX transactions_shown_amount ON transactions (account_id, (CASE
    WHEN credited_centavos > 0 THEN credited_centavos
    WHEN type = 'crypto_out' THEN net_centavos ELSE amount_centavos END), id DESC);
CREATE INDEX transactions_asked_amount ON transactions (account_id, amount_centavos, id DESC)
  WHERE credited_centavos > 0 OR type = 'crypto_out';
-- With the id, by which what was paid on a day is ordered.
CREATE INDEX transactions_paid_at ON transactions (account_id, paid_at) INCLUDE (id)
  WHERE paid_at IS NOT NULL;
-- The overview counts the transactions of its period with this index alone.
CREATE INDEX transactions_account_id_updated_at_idx ON transactions (account_id, updated_at DESC)
  INCLUDE (type, status, created_at);
-- The id too, so that the newest transaction of a document, and its page of them, are one look.
CREATE INDEX transactions_customer ON transactions (account_id, customer_document_index, id DESC)
  WHERE customer_document_index IS NOT NULL;
CREATE INDEX transactions_reference ON transactions (account_id, reference_index, id DESC)
  WHERE reference_index IS NOT NULL;
-- The rail comes second: a search knows only the id.
-- By type, too: what one of the PSP's keys sends to another is sent and received under one id.
CREATE UNIQUE INDEX transactions_end_to_end_id_rail_type_key
  ON transactions (end_to_end_id, rail, type);
CREATE UNIQUE INDEX transactions_provider_id_rail_key ON transactions (provider_id, rail)
  WHERE provider_id IS NOT NULL;
-- The words of a transaction's texts, and the end of its id, which is how the panel names it. One
-- index for both: a second one would cost every insertion more than one entry more in this one. The
-- pending list is short, so that no insert pays for flushing a long one.
CREATE INDEX transactions_search ON transactions
  USING gin ((search_tokens || hashtextextended(right(id::text, 6), 0)))
  WITH (gin_pending_list_limit = 1024);
CREATE INDEX transactions_wallet ON transactions (account_id, wallet) WHERE wallet IS NOT NULL;
-- Every crypto withdrawal checks whether its destination is a deposit address of this installation.
CREATE INDEX transactions_deposit_wallet ON transactions (wallet)
  WHERE type = 'crypto_in' AND wallet IS NOT NULL;
-- A withdrawal's page sums up those before it in its day, the ledger check those of every day.
CREATE INDEX transactions_withdrawals ON transactions (account_id, type, created_at)
  WHERE type IN ('pix_out', 'crypto_out');
-- Those that were scheduled count in the day in which they began.
CREATE INDEX transactions_begun ON transactions (account_id, begun_at) WHERE begun_at IS NOT NULL;
-- Withdrawals with a known receiver only: inserting a charge does not touch this index.
CREATE INDEX transactions_receiver ON transactions (account_id, pix_key_index, id DESC)
  WHERE receiver_name IS NOT NULL;
-- What was booked after it was paid: money that a sweep found, or that waited for a decision. A
-- list of what was paid until a day looks for these few apart, so that it need not read on from
-- that day to the newest transaction. The query has the same condition.
CREATE INDEX transactions_paid_before_made ON transactions (account_id, id DESC)
  WHERE created_at - paid_at > interval '0';
-- Without them a planner takes a third of all transactions for such, and walks through an account.
CREATE STATISTICS transactions_paid_before ON (created_at - paid_at) FROM transactions;
-- Invoices with money that was put to review, which are few: what an operator has credited of it is
-- in the amount that is shown, and in no column that transactions_shown_amount could have. The
-- query has the same condition.
CREATE INDEX transactions_reviewed ON transactions (account_id, id DESC)
  WHERE reviewed_centavos > 0;

CREATE TABLE invoice_increments (
  transaction_id uuid NOT NULL REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  units_before bigint NOT NULL,
  units bigint NOT NULL,
  price bigint NOT NULL,
  is_quoted boolean NOT NULL,
  credited_centavos bigint NOT NULL,
  reviewed_centavos bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (transaction_id, units_before),
  CONSTRAINT invoice_increments_amounts CHECK (
    units_before >= 0 AND units > 0 AND price > 0
    AND credited_centavos >= 0 AND reviewed_centavos >= 0)
);
-- Increments lie in the order of their time, as transfers do.
CREATE INDEX invoice_increments_created_at_idx ON invoice_increments USING brin (created_at)
  WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE refunds (
  id uuid PRIMARY KEY,
  transaction_id uuid NOT NULL REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  centavos bigint NOT NULL,
  description text,
  status refund_status NOT NULL DEFAULT 'pending',
  sent_at timestamptz(3),
  return_id text,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  -- As of a transaction; account_id is there for the index.
  account_id uuid,
  reference text,
  reference_index bytea,
  metadata text,
  CONSTRAINT refunds_centavos CHECK (centavos > 0),
  CONSTRAINT refunds_reference CHECK (num_nonnulls(account_id, reference, reference_index) IN (0, 3))
);
CREATE INDEX refunds_transaction_id_idx ON refunds (transaction_id);
-- The ledger check compares what is held with what is blocked: these and disputes.
CREATE INDEX refunds_pending ON refunds (transaction_id) WHERE status = 'pending';
CREATE INDEX refunds_reference_index ON refunds (account_id, reference_index)
  WHERE reference_index IS NOT NULL;

CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  subject_id uuid NOT NULL,
  owner bigint NOT NULL,
  status integer,
  body text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

-- Claims an idempotency key for a request. p_fingerprints: the request's fingerprint, sealed with
-- the current master key first, then with the older ones. `outcome` is one of
--   execute  run the request with subject_id; `resumed`: an earlier attempt may have done a part
--   replay   return the stored status and body again
--   differs  the key was used for another request
--   running  the first attempt has not finished
-- An attempt is taken over when its process has died (its advisory lock is free), or when it
-- belongs to this process and is not running any more (p_is_running is false). An expired key
-- counts as unused. The lock is tried in shared mode, so that many keys of a dead process can be
-- taken over at once.
CREATE FUNCTION idempotency_claim(
  p_account_id uuid, p_key text, p_fingerprints bytea[], p_subject_id uuid, p_owner bigint,
  p_is_running boolean, p_now timestamptz, p_expires_at timestamptz
) RETURNS TABLE (outcome text, subject_id uuid, resumed boolean, status integer, body text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_key idempotency_keys;
BEGIN
  -- Of two attempts in one process the second, which knows about the first, may get here earlier.
  IF NOT p_is_running THEN
    INSERT INTO idempotency_keys
      (account_id, key, fingerprint, subject_id, owner, created_at, expires_at)
    VALUES (p_account_id, p_key, p_fingerprints[1], p_subject_id, p_owner, p_now, p_expires_at)
    ON CONFLICT (account_id, key) DO UPDATE SET
      fingerprint = excluded.fingerprint, subject_id = excluded.subject_id,
      owner = excluded.owner, status = NULL, body = NULL,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE idempotency_keys.expires_at <= p_now
    RETURNING * INTO v_key;
    IF FOUND THEN
      RETURN QUERY SELECT 'execute', v_key.subject_id, false, NULL::integer, NULL::text;
      RETURN;
    END IF;
  END IF;

  SELECT * INTO v_key FROM idempotency_keys k
  WHERE k.account_id = p_account_id AND k.key = p_key FOR UPDATE;
  IF v_key.key IS NULL THEN
    RETURN QUERY SELECT 'running', NULL::uuid, false, NULL::integer, NULL::text;
  ELSIF v_key.fingerprint <> ALL (p_fingerprints) THEN
    RETURN QUERY SELECT 'differs', NULL::uuid, false, NULL::integer, NULL::text;
  ELSIF v_key.status IS NOT NULL THEN
    RETURN QUERY SELECT 'replay', v_key.subject_id, false, v_key.status, v_key.body;
  ELSIF p_is_running
    OR v_key.owner <> p_owner AND NOT pg_try_advisory_xact_lock_shared(v_key.owner)
  THEN
    RETURN QUERY SELECT 'running', NULL::uuid, false, NULL::integer, NULL::text;
  ELSE
    UPDATE idempotency_keys k SET owner = p_owner
    WHERE k.account_id = p_account_id AND k.key = p_key;
    RETURN QUERY SELECT 'execute', v_key.subject_id, true, NULL::integer, NULL::text;
  END IF;
END $$;

-- Counters of a minute. Unlogged: the write-ahead log would make them cost five times as much, and
-- losing them in a crash does no harm.
CREATE UNLOGGED TABLE rate_limits (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- Money that left a provider without a request of ours.
CREATE TABLE foreign_payouts (
  id uuid PRIMARY KEY,
  rail text NOT NULL,
  mode mode NOT NULL,
  account_id uuid REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  end_to_end_id text NOT NULL,
  centavos bigint NOT NULL,
  sent_at timestamptz(3) NOT NULL,
  state foreign_payout_state NOT NULL DEFAULT 'open',
  transaction_id uuid REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  reason text,
  decided_by text,
  decided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT foreign_payouts_centavos CHECK (centavos > 0),
  CONSTRAINT foreign_payouts_state CHECK (
    (state = 'open') = (decided_at IS NULL)
    AND (state = 'charged') = (transaction_id IS NOT NULL))
);
CREATE UNIQUE INDEX foreign_payouts_end_to_end_id_rail_key ON foreign_payouts (end_to_end_id, rail);
CREATE INDEX foreign_payouts_account_id_idx ON foreign_payouts (account_id);
CREATE INDEX foreign_payouts_transaction_id_idx ON foreign_payouts (transaction_id);
-- What waits for a decision is little.
CREATE INDEX foreign_payouts_open ON foreign_payouts (created_at) WHERE state = 'open';

CREATE TABLE reviews (
  id uuid PRIMARY KEY,
  transaction_id uuid NOT NULL REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  reason text NOT NULL,
  expected_centavos bigint NOT NULL,
  received_centavos bigint NOT NULL,
  end_to_end_id text NOT NULL,
  paid_at timestamptz(3),
  returned_centavos bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  resolved_at timestamptz(3),
  resolution text,
  resolution_reason text,
  resolved_by text,
  -- The PSP's id of the case about a payment in review. It becomes a case of ours once the payment
  -- is credited.
  contested_as text,
  -- What was booked of the payout that a review of its withdrawal is about.
  foreign_payout_id uuid REFERENCES foreign_payouts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- The return mechanism (MED) may take what a refund has taken: more than was received.
  CONSTRAINT reviews_returned CHECK (returned_centavos >= 0),
  CONSTRAINT reviews_resolution CHECK (
    (resolved_at IS NULL) = (resolution IS NULL) AND (resolution IS NULL) = (resolved_by IS NULL))
);
CREATE UNIQUE INDEX reviews_transaction_id_end_to_end_id_key
  ON reviews (transaction_id, end_to_end_id);
-- Whether a payment that a provider lists is known is asked by its own id.
CREATE INDEX reviews_end_to_end_id_idx ON reviews (end_to_end_id);
-- The open ones are few, however many were ever opened.
CREATE INDEX reviews_open ON reviews (transaction_id) WHERE resolved_at IS NULL;
CREATE INDEX reviews_contested ON reviews (end_to_end_id) WHERE contested_as IS NOT NULL;
CREATE INDEX reviews_foreign_payout_id_idx ON reviews (foreign_payout_id);

-- The merchant's audit says, in the same commit, that money waits for the operator. The time of a
-- review is the account's, which a test clock may have moved ahead; the audit has the service's.
CREATE FUNCTION reviews_write_audit_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_records (merchant_id, account_id, action, details, at)
  SELECT a.merchant_id, a.id, 'review.opened', jsonb_build_object('subject', NEW.transaction_id,
    'reason', NEW.reason, 'received_centavos', NEW.received_centavos),
    NEW.created_at - coalesce(c.ahead_ms, 0) * interval '1 millisecond'
  FROM transactions t JOIN accounts a ON a.id = t.account_id
    LEFT JOIN test_clocks c ON c.account_id = a.id WHERE t.id = NEW.transaction_id;
  RETURN NULL;
END $$;
CREATE TRIGGER reviews_audited AFTER INSERT ON reviews
  FOR EACH ROW EXECUTE FUNCTION reviews_write_audit_record();

-- Webhooks ----------------------------------------------------------------------------------------
-- An endpoint is that of a topic, or is managed over REST: then it chooses types of events and has
-- a signing secret of its own. An event may have several deliveries.
CREATE TABLE endpoints (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  topic topic,
  url text NOT NULL,
  disabled_at timestamptz(3),
  called_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  description text,
  event_types text[] NOT NULL DEFAULT ARRAY[]::text[],
  secret text,
  previous_secret text,
  previous_secret_until timestamptz(3),
  disabled_by_merchant boolean NOT NULL DEFAULT false,
  removed_at timestamptz(3),
  CONSTRAINT endpoints_of_a_topic CHECK (
    topic IS NULL OR (description IS NULL AND event_types = '{}' AND secret IS NULL
      AND previous_secret IS NULL AND NOT disabled_by_merchant AND removed_at IS NULL)),
  CONSTRAINT endpoints_without_topic CHECK (
    topic IS NOT NULL OR CASE WHEN removed_at IS NULL THEN secret IS NOT NULL AND url <> ''
      ELSE secret IS NULL AND previous_secret IS NULL AND disabled_at IS NOT NULL END),
  CONSTRAINT endpoints_disabled CHECK (NOT disabled_by_merchant OR disabled_at IS NOT NULL)
);
CREATE UNIQUE INDEX endpoints_account_id_topic_key ON endpoints (account_id, topic);
-- What an event is offered to, however many were removed before.
CREATE INDEX endpoints_without_topic ON endpoints (account_id)
  WHERE topic IS NULL AND removed_at IS NULL;

CREATE TABLE events (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  transaction_id uuid REFERENCES transactions (id) ON DELETE SET NULL ON UPDATE CASCADE,
  type text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX events_transaction_id_idx ON events (transaction_id);
CREATE INDEX events_account_id_id_idx ON events (account_id, id DESC);

CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  endpoint_id uuid REFERENCES endpoints (id) ON DELETE SET NULL ON UPDATE CASCADE,
  url text NOT NULL,
  status delivery_status NOT NULL DEFAULT 'pending',
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  -- The task that sends it again, in the order of the events.
  replay_subject_id uuid
);
-- An event goes to an endpoint once, whoever asks for it at the same time.
CREATE UNIQUE INDEX deliveries_event_id_endpoint_id_key ON deliveries (event_id, endpoint_id);
CREATE INDEX deliveries_status_created_at_idx ON deliveries (status, created_at);
-- Whether anything has got through to an endpoint that fails.
CREATE INDEX deliveries_delivered ON deliveries (endpoint_id, finished_at)
  WHERE status = 'delivered';
-- What an endpoint has to send once it is enabled, oldest first.
CREATE INDEX deliveries_held ON deliveries (endpoint_id, created_at, event_id)
  WHERE status = 'held';
-- What a task is to send again, oldest first: empty but for what waits.
CREATE INDEX deliveries_replayed ON deliveries (replay_subject_id, created_at, event_id)
  WHERE replay_subject_id IS NOT NULL;
-- The failed deliveries of an account, the newest event first: without this all that ever failed
-- were read for each page.
CREATE INDEX deliveries_failed ON deliveries (event_id DESC, id DESC) WHERE status = 'failed';

CREATE TABLE attempts (
  delivery_id uuid NOT NULL REFERENCES deliveries (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  number integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  status_code integer,
  error text,
  response_body text,
  PRIMARY KEY (delivery_id, number)
);

CREATE TABLE received_webhooks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  sealed text NOT NULL,
  verified boolean NOT NULL,
  received_at timestamptz(3) NOT NULL
);
CREATE INDEX received_webhooks_account_id_id_idx ON received_webhooks (account_id, id DESC);
CREATE INDEX received_webhooks_received_at_idx ON received_webhooks (received_at);

-- Tasks and callbacks -----------------------------------------------------------------------------
CREATE TABLE inbound_callbacks (
  id uuid PRIMARY KEY,
  rail text NOT NULL,
  body text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  processed_at timestamptz(3),
  outcome text
);

CREATE TABLE tasks (
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  due_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  -- The account by whose test clock it is due, and is claimed; null: by the service's time.
  clock_id uuid,
  PRIMARY KEY (kind, subject_id)
);
CREATE INDEX tasks_due ON tasks (due_at) WHERE clock_id IS NULL;
CREATE INDEX tasks_by_clock ON tasks (clock_id, due_at) WHERE clock_id IS NOT NULL;
-- Of all that is scheduled few have failed.
CREATE INDEX tasks_failed ON tasks (subject_id, kind) WHERE last_error IS NOT NULL;

-- Ledger (its rules and functions are in the next migration) --------------------------------------
CREATE TABLE ledger_accounts (
  id bigserial PRIMARY KEY,
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL ON UPDATE CASCADE,
  kind ledger_account_kind NOT NULL,
  mode mode NOT NULL,
  balance_centavos bigint,
  credit_centavos bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  -- What of an available balance came over credentials of the account's own.
  own_centavos bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX ledger_accounts_account_id_kind_key ON ledger_accounts (account_id, kind);

CREATE TABLE ledger_transfers (
  id bigserial PRIMARY KEY,
  transaction_id uuid REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  kind text NOT NULL,
  reference text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  account_id uuid,
  type transaction_type,
  gross_centavos bigint NOT NULL DEFAULT 0,
  fee_centavos bigint NOT NULL DEFAULT 0,
  split_account_id uuid,
  split_centavos bigint NOT NULL DEFAULT 0,
  pending_centavos bigint NOT NULL DEFAULT 0,
  CONSTRAINT ledger_transfers_owner CHECK (
    (transaction_id IS NULL) = (account_id IS NULL) AND (transaction_id IS NULL) = (type IS NULL))
);
CREATE UNIQUE INDEX ledger_transfers_transaction_id_kind_reference_key
  ON ledger_transfers (transaction_id, kind, reference);
CREATE UNIQUE INDEX ledger_transfers_unmatched ON ledger_transfers (kind, reference)
  WHERE transaction_id IS NULL;
-- Statements and the overview read the figures of a period from these two indexes alone.
CREATE INDEX ledger_transfers_moved ON ledger_transfers (account_id, created_at)
  INCLUDE (kind, type, gross_centavos, fee_centavos, split_centavos, pending_centavos)
  WHERE gross_centavos <> 0 OR pending_centavos <> 0;
CREATE INDEX ledger_transfers_split ON ledger_transfers (split_account_id, created_at)
  INCLUDE (split_centavos) WHERE split_account_id IS NOT NULL;
-- Transfers lie in the order of their time, so that an index of ranges is small and costs a posting
-- next to nothing.
CREATE INDEX ledger_transfers_created_at_idx ON ledger_transfers USING brin (created_at)
  WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE ledger_entries (
  id bigserial PRIMARY KEY,
  transfer_id bigint NOT NULL REFERENCES ledger_transfers (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  ledger_account_id bigint NOT NULL
    REFERENCES ledger_accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  amount_centavos bigint NOT NULL,
  balance_after_centavos bigint,
  credit_after_centavos bigint,
  version bigint
);
CREATE INDEX ledger_entries_transfer_id_idx ON ledger_entries (transfer_id);
CREATE UNIQUE INDEX ledger_entries_ledger_account_id_version_key
  ON ledger_entries (ledger_account_id, version);

CREATE TABLE ledger_checkpoints (
  id integer PRIMARY KEY DEFAULT 1,
  transfer_id bigint NOT NULL,
  entry_id bigint NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  sealed_until timestamptz(3),
  chained_id bigint NOT NULL DEFAULT 0,
  head_day date,
  audited_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT ledger_checkpoints_one CHECK (id = 1)
);

-- What the ledger check of the command line found last.
CREATE TABLE ledger_checks (
  kind text PRIMARY KEY CHECK (kind IN ('since', 'full')),
  checked_at timestamptz(3) NOT NULL,
  transfers bigint NOT NULL,
  entries bigint NOT NULL,
  discrepancies integer NOT NULL,
  first_finding text
);

-- Totals of hours and days (their functions are at the end of the next migration) -----------------
CREATE TABLE account_totals (
  id bigserial PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  unit total_unit NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  kind text NOT NULL,
  is_late boolean NOT NULL DEFAULT false,
  count bigint NOT NULL,
  gross_centavos bigint NOT NULL DEFAULT 0,
  fee_centavos bigint NOT NULL DEFAULT 0,
  split_centavos bigint NOT NULL DEFAULT 0,
  pending_centavos bigint NOT NULL DEFAULT 0
);
-- The overview reads the totals of its period from this index alone.
CREATE INDEX account_totals_period ON account_totals (account_id, unit, starts_at)
  INCLUDE (kind, count, gross_centavos, fee_centavos, split_centavos, pending_centavos);
CREATE INDEX account_totals_late ON account_totals (unit, starts_at) WHERE is_late;

CREATE TABLE totals_progress (
  id integer PRIMARY KEY DEFAULT 1,
  closed_until timestamptz(3),
  barrier bigint,
  sealed_until timestamptz(3),
  CONSTRAINT totals_progress_one CHECK (id = 1)
);
INSERT INTO totals_progress DEFAULT VALUES;

-- Installation ------------------------------------------------------------------------------------
CREATE TABLE settings (
  name text PRIMARY KEY,
  sealed text NOT NULL
);

CREATE TABLE master_keys (
  version text PRIMARY KEY,
  check_value bytea NOT NULL,
  retired_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE backups (
  due_at timestamptz(3) PRIMARY KEY,
  file text NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  tried_at timestamptz(3) NOT NULL,
  error text,
  taken_at timestamptz(3),
  bytes bigint
);

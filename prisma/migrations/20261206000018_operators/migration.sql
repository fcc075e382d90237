-- Operators: the people who run this installation. Their logins and sessions are their own, so that
-- no member's session is ever one of an operator.

CREATE TABLE operators (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  totp_secret text NOT NULL,
  last_totp_step bigint,
  disabled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX operators_email_key ON operators (email);

CREATE TABLE operator_sessions (
  id uuid PRIMARY KEY,
  operator_id uuid NOT NULL REFERENCES operators (id) ON DELETE CASCADE ON UPDATE CASCADE,
  token_hash text NOT NULL,
  ip_address text,
  user_agent text,
  confirmed_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX operator_sessions_token_hash_key ON operator_sessions (token_hash);
CREATE INDEX operator_sessions_operator_id_idx ON operator_sessions (operator_id);
CREATE INDEX operator_sessions_expires_at_idx ON operator_sessions (expires_at);

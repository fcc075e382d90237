/**
 * The sandbox keeps a schema of its own, outside the product's migrations: it stands for somebody else's database.
 * The text is one simple query, hence one transaction: the advisory lock makes a second process wait until the first
 * has committed, since two concurrent `CREATE … IF NOT EXISTS` can both find nothing and collide.
 */
export const CREATE_TABLES = `
SELECT pg_advisory_xact_lock(hashtext('sandbox.tables'));

CREATE SCHEMA IF NOT EXISTS sandbox;

CREATE TABLE IF NOT EXISTS sandbox.switches (
  name text PRIMARY KEY,
  value text NOT NULL
);

-- A charge. txid comes first in the key because the control side looks a charge up without knowing its receiver.
CREATE TABLE IF NOT EXISTS sandbox.cobs (
  document text NOT NULL,
  txid text NOT NULL,
  chave text NOT NULL,
  request jsonb NOT NULL,
  status text NOT NULL DEFAULT 'ATIVA'
    CHECK (status IN ('ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP')),
  revisao integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  location_id bigint GENERATED ALWAYS AS IDENTITY,
  location_token text NOT NULL UNIQUE,
  location text NOT NULL,
  br_code text NOT NULL,
  PRIMARY KEY (txid, document)
);

CREATE TABLE IF NOT EXISTS sandbox.payments (
  end_to_end_id text PRIMARY KEY,
  document text NOT NULL,
  txid text NOT NULL,
  chave text NOT NULL,
  amount_centavos bigint NOT NULL CHECK (amount_centavos > 0),
  paid_at timestamptz NOT NULL,
  payer_note text,
  FOREIGN KEY (txid, document) REFERENCES sandbox.cobs
);
CREATE INDEX IF NOT EXISTS payments_txid ON sandbox.payments (txid, document);

CREATE TABLE IF NOT EXISTS sandbox.webhooks (
  chave text PRIMARY KEY,
  webhook_url text NOT NULL,
  created_at timestamptz NOT NULL
);

-- A callback to be sent, forged ones included. While it is in flight its due_at is the end of its sender's lease.
CREATE TABLE IF NOT EXISTS sandbox.callbacks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chave text NOT NULL,
  body text NOT NULL,
  state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'given_up')),
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  -- So many first tries are counted as failures without being sent.
  dropped_tries integer NOT NULL,
  -- Held back until this callback is done, but not beyond due_at.
  waits_for bigint,
  -- Held back until a payment that is still to come; that payment turns this into waits_for.
  awaits_next boolean NOT NULL,
  -- Why the last try failed; NULL while a try is in flight.
  last_error text
);
CREATE INDEX IF NOT EXISTS callbacks_due ON sandbox.callbacks (due_at) WHERE state = 'due';
CREATE INDEX IF NOT EXISTS callbacks_waiting ON sandbox.callbacks (waits_for) WHERE state = 'due';
`;

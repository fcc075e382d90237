import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { withTransaction } from '#db/connection/with-transaction.ts';
import { CREATE_CRYPTO_TABLES } from './crypto/create-crypto-tables.ts';
import { CREATE_CLOCK_TABLES } from './test-clocks.ts';

/**
 * Creates the sandbox's own schema, unless it is this version's already: even `CREATE INDEX IF NOT
 * EXISTS` locks its table, and a process that starts would deadlock with the work of those that
 * run. The advisory lock makes a second process wait until the first has committed, since two
 * concurrent `CREATE … IF NOT EXISTS` can both find nothing and collide.
 */
export async function createTables(pool: Pool): Promise<void> {
  await withTransaction(pool, createTablesOn);
}

/**
 * Does the same in the caller's transaction: for the role that owns the database, where another
 * role serves.
 */
export async function createTablesOn(db: ClientBase): Promise<void> {
  const version = createHash('sha256').update(CREATE_TABLES).digest('hex');
  await db.query("SELECT pg_advisory_xact_lock(hashtext('sandbox.tables'))");
  const { rows } = await db.query<{ version: string | null }>(
    "SELECT obj_description(to_regnamespace('sandbox'), 'pg_namespace') AS version",
  );
  if (rows[0]?.version === version) return;
  await db.query(`${CREATE_TABLES} COMMENT ON SCHEMA sandbox IS '${version}';`);
}

/** A schema outside the product's migrations: it stands for another company's database. */
const CREATE_TABLES = `
CREATE SCHEMA IF NOT EXISTS sandbox;

CREATE TABLE IF NOT EXISTS sandbox.switches (
  name text PRIMARY KEY,
  value text NOT NULL
);

-- A charge. txid comes first in the key because the control side looks a charge up without knowing
-- its receiver.
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
  -- NULL: paid to the key, without a charge.
  txid text,
  chave text NOT NULL,
  amount_centavos bigint NOT NULL CHECK (amount_centavos > 0),
  paid_at timestamptz NOT NULL,
  payer_note text,
  FOREIGN KEY (txid, document) REFERENCES sandbox.cobs
);
CREATE INDEX IF NOT EXISTS payments_txid ON sandbox.payments (txid, document);
CREATE INDEX IF NOT EXISTS payments_paid_at ON sandbox.payments (document, paid_at);

-- A devolução. ends_as is what it comes to after its moment of EM_PROCESSAMENTO.
CREATE TABLE IF NOT EXISTS sandbox.refunds (
  end_to_end_id text NOT NULL REFERENCES sandbox.payments,
  id text NOT NULL,
  return_id text NOT NULL UNIQUE,
  amount_centavos bigint NOT NULL CHECK (amount_centavos > 0),
  nature text NOT NULL DEFAULT 'ORIGINAL',
  description text,
  status text NOT NULL CHECK (status IN ('EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO')),
  ends_as text NOT NULL CHECK (ends_as IN ('DEVOLVIDO', 'NAO_REALIZADO')),
  reason text,
  asked_at timestamptz NOT NULL,
  settled_at timestamptz,
  PRIMARY KEY (end_to_end_id, id)
);

-- A PIX that was sent. What was rejected at once, or never carried out, has no row. ends_as as
-- above, failure_code with it.
CREATE TABLE IF NOT EXISTS sandbox.payouts (
  id_envio text NOT NULL,
  document text NOT NULL,
  end_to_end_id text NOT NULL UNIQUE,
  chave text NOT NULL,
  payee_key text NOT NULL,
  amount_centavos bigint NOT NULL CHECK (amount_centavos > 0),
  payer_note text,
  status text NOT NULL CHECK (status IN ('EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO')),
  ends_as text NOT NULL CHECK (ends_as IN ('REALIZADO', 'NAO_REALIZADO')),
  failure_code text,
  -- How often it was asked for; all but the first were rejected.
  attempts integer NOT NULL DEFAULT 1,
  asked_at timestamptz NOT NULL,
  settled_at timestamptz,
  PRIMARY KEY (id_envio, document)
);

-- A case of the central bank's return mechanism (MED) about a payment.
CREATE TABLE IF NOT EXISTS sandbox.disputes (
  id text PRIMARY KEY,
  protocol bigint GENERATED ALWAYS AS IDENTITY,
  document text NOT NULL,
  end_to_end_id text NOT NULL REFERENCES sandbox.payments,
  amount_centavos bigint NOT NULL CHECK (amount_centavos > 0),
  status text NOT NULL
    CHECK (status IN ('ABERTA', 'EM_DEFESA', 'ACEITA', 'REJEITADA', 'CANCELADA_EFI')),
  outcome text NOT NULL,
  opened_at timestamptz NOT NULL,
  answer_by timestamptz NOT NULL,
  analysis text CHECK (analysis IN ('aceito', 'rejeitado')),
  defence text,
  answered_at timestamptz,
  decided_at timestamptz,
  updated_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS disputes_opened_at ON sandbox.disputes (document, opened_at);

-- What happens by itself once it is due.
CREATE TABLE IF NOT EXISTS sandbox.due_steps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  step jsonb NOT NULL,
  due_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS due_steps_due ON sandbox.due_steps (due_at);

CREATE TABLE IF NOT EXISTS sandbox.webhooks (
  chave text PRIMARY KEY,
  webhook_url text NOT NULL,
  created_at timestamptz NOT NULL
);

-- A callback to be sent, forged ones included. While it is in flight its due_at is the end of its
-- sender's lease.
CREATE TABLE IF NOT EXISTS sandbox.callbacks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The PIX key of the webhook; without one it is the URL.
  chave text,
  url text,
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
DROP INDEX IF EXISTS sandbox.callbacks_waiting;
-- Hardly any callback is held back.
CREATE INDEX IF NOT EXISTS callbacks_held_back ON sandbox.callbacks (waits_for)
  WHERE state = 'due' AND waits_for IS NOT NULL;
CREATE INDEX IF NOT EXISTS callbacks_awaiting ON sandbox.callbacks (chave) WHERE state = 'due' AND awaits_next;
${CREATE_CRYPTO_TABLES}${CREATE_CLOCK_TABLES}`;

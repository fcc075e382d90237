/**
 * The crypto processor's tables, in the sandbox's schema; part of CREATE_TABLES. Quantities are in
 * 10^-8 of a coin.
 */
export const CREATE_CRYPTO_TABLES = `
-- order_number comes first in its key because the control side looks an invoice up without knowing
-- its shop.
CREATE TABLE IF NOT EXISTS sandbox.crypto_invoices (
  id text PRIMARY KEY,
  shop_id text NOT NULL,
  order_number text NOT NULL,
  order_name text NOT NULL,
  currency text NOT NULL,
  units numeric(30) NOT NULL CHECK (units > 0),
  wallet text NOT NULL,
  memo text,
  callback_url text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE (order_number, shop_id)
);
CREATE INDEX IF NOT EXISTS crypto_invoices_newest ON sandbox.crypto_invoices (shop_id, created_at);

-- What the network has seen; an invoice's status follows from these rows and the time.
CREATE TABLE IF NOT EXISTS sandbox.crypto_payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id text NOT NULL REFERENCES sandbox.crypto_invoices,
  tx_hash text NOT NULL UNIQUE,
  units numeric(30) NOT NULL CHECK (units > 0),
  seen_at timestamptz NOT NULL,
  confirmed_at timestamptz
);
CREATE INDEX IF NOT EXISTS crypto_payments_invoice ON sandbox.crypto_payments (invoice_id);

-- A withdrawal that was carried out: one row for each request. What was rejected, or silently lost,
-- has no row.
CREATE TABLE IF NOT EXISTS sandbox.crypto_payouts (
  id text PRIMARY KEY,
  shop_id text NOT NULL,
  currency text NOT NULL,
  units numeric(30) NOT NULL CHECK (units > 0),
  wallet text NOT NULL,
  tx_hash text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  -- Pending before it, completed from then on.
  completes_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS crypto_payouts_newest ON sandbox.crypto_payouts (shop_id, created_at);

-- A database of before: callbacks went to webhooks only.
ALTER TABLE sandbox.callbacks ADD COLUMN IF NOT EXISTS url text;
ALTER TABLE sandbox.callbacks ALTER COLUMN chave DROP NOT NULL;
`;

-- Nothing is unlimited by omission: an account without a limit of its own has the installation's.

-- AlterTable
ALTER TABLE "account_limits" ALTER COLUMN "centavos" DROP NOT NULL;

-- CreateTable
CREATE TABLE "default_limits" (
    "name" TEXT NOT NULL,
    "centavos" BIGINT NOT NULL,

    CONSTRAINT "default_limits_pkey" PRIMARY KEY ("name")
);

-- The limits that hold for an account: its own row, else the installation's default. A row without a value is none on purpose.
CREATE FUNCTION effective_limits(p_account_id uuid) RETURNS TABLE (name text, centavos bigint) LANGUAGE sql STABLE AS $$
  SELECT own.name, own.centavos FROM account_limits own WHERE own.account_id = p_account_id AND own.centavos IS NOT NULL
  UNION ALL
  SELECT d.name, d.centavos FROM default_limits d
  WHERE NOT EXISTS (SELECT FROM account_limits own WHERE own.account_id = p_account_id AND own.name = d.name)
$$;

-- As before, with the limits that hold.
CREATE OR REPLACE FUNCTION withdrawal_request(p_row jsonb, p_day_start timestamptz, p_night_start timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_rail text := CASE v_tx.type WHEN 'pix_out' THEN 'pix' WHEN 'crypto_out' THEN 'crypto' END;
  v_balance bigint;
  v_limit bigint;
BEGIN
  SELECT balance_centavos INTO STRICT v_balance FROM ledger_accounts
  WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;

  IF EXISTS (SELECT FROM transactions WHERE id = v_tx.id) THEN RETURN 'exists'; END IF;

  v_limit := (SELECT centavos FROM effective_limits(v_tx.account_id) WHERE name = 'daily_limit_out_' || v_rail);
  IF withdrawn_since(v_tx.account_id, v_tx.type, p_day_start) + v_tx.amount_centavos > v_limit THEN RETURN 'daily_limit'; END IF;

  v_limit := (SELECT centavos FROM effective_limits(v_tx.account_id) WHERE name = 'night_limit_out_' || v_rail
    AND p_night_start IS NOT NULL);
  IF withdrawn_since(v_tx.account_id, v_tx.type, p_night_start) + v_tx.amount_centavos > v_limit THEN RETURN 'night_limit'; END IF;

  IF v_tx.net_centavos + v_tx.fee_centavos > v_balance THEN RETURN 'insufficient_funds'; END IF;

  INSERT INTO transactions SELECT (v_tx).*;
  PERFORM ledger_withdrawal_requested(v_tx.id, v_tx.created_at);
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, v_tx.created_at);
  RETURN 'requested';
END $$;

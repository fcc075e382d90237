-- What a transfer came to for the account of its transaction stands in the transfer itself, so that lists, files, the overview and
-- statements add up the same figures. See docs/adr/0010-figures-from-the-ledger.md.

-- 1. The columns, also of transfers from before --------------------------------------------------------------------------

ALTER TABLE "ledger_transfers"
  ADD COLUMN "account_id" UUID,
  ADD COLUMN "type" "transaction_type",
  ADD COLUMN "gross_centavos" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "fee_centavos" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "split_account_id" UUID,
  ADD COLUMN "split_centavos" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "pending_centavos" BIGINT NOT NULL DEFAULT 0;

ALTER TABLE ledger_transfers DISABLE TRIGGER ledger_transfers_immutable;
UPDATE ledger_transfers t SET account_id = moved.account_id, type = moved.type, gross_centavos = moved.own + moved.fee + moved.split,
  fee_centavos = moved.fee, split_account_id = CASE WHEN moved.split <> 0 THEN moved.split_account_id END,
  split_centavos = moved.split, pending_centavos = moved.pending
FROM (
  SELECT t.id, x.account_id, x.type, x.split_account_id,
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.account_id = x.account_id AND a.kind <> 'pending'), 0) AS own,
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.account_id = x.account_id AND a.kind = 'pending'), 0) AS pending,
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'fees'), 0) AS fee,
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.account_id <> x.account_id), 0) AS split
  FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id
    LEFT JOIN (ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id) ON e.transfer_id = t.id
  GROUP BY t.id, x.id
) AS moved WHERE moved.id = t.id;
ALTER TABLE ledger_transfers ENABLE TRIGGER ledger_transfers_immutable;

ALTER TABLE "ledger_transfers" ALTER COLUMN "account_id" SET NOT NULL, ALTER COLUMN "type" SET NOT NULL;

-- A period's movements are read from these alone.
CREATE INDEX ledger_transfers_moved ON ledger_transfers (account_id, created_at)
  INCLUDE (kind, type, gross_centavos, fee_centavos, split_centavos, pending_centavos)
  WHERE gross_centavos <> 0 OR pending_centavos <> 0;
CREATE INDEX ledger_transfers_split ON ledger_transfers (split_account_id, created_at) INCLUDE (split_centavos)
  WHERE split_account_id IS NOT NULL;

-- The overview counts what was made in its period; the money of it is in the ledger.
DROP INDEX transactions_account_id_updated_at_idx;
CREATE INDEX transactions_account_id_updated_at_idx ON transactions (account_id, updated_at DESC) INCLUDE (type, status, created_at);

-- 2. The one way in ----------------------------------------------------------------------------------------------------

-- As before, and writes into the transfer what it comes to for the account of its transaction:
-- gross: what came in from outside and is final (positive), or left (negative): its available and blocked balances' change, the fee
-- and the split together; pending: the change of its pending balance.
CREATE OR REPLACE FUNCTION ledger_post(
  p_transaction_id uuid, p_kind text, p_reference text, p_now timestamptz, p_accounts bigint[], p_amounts bigint[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_transfer bigint;
BEGIN
  INSERT INTO ledger_transfers (transaction_id, kind, reference, created_at, account_id, type,
    gross_centavos, fee_centavos, split_account_id, split_centavos, pending_centavos)
  SELECT p_transaction_id, p_kind, p_reference, p_now, x.account_id, x.type, moved.own + moved.fee + moved.split, moved.fee,
    CASE WHEN moved.split <> 0 THEN x.split_account_id END, moved.split, moved.pending
  FROM transactions x CROSS JOIN LATERAL (
    SELECT coalesce(sum(leg.amount) FILTER (WHERE a.account_id = x.account_id AND a.kind <> 'pending'), 0)::bigint AS own,
      coalesce(sum(leg.amount) FILTER (WHERE a.account_id = x.account_id AND a.kind = 'pending'), 0)::bigint AS pending,
      coalesce(sum(leg.amount) FILTER (WHERE a.kind = 'fees'), 0)::bigint AS fee,
      coalesce(sum(leg.amount) FILTER (WHERE a.account_id <> x.account_id), 0)::bigint AS split
    FROM unnest(p_accounts, p_amounts) AS leg(account, amount) JOIN ledger_accounts a ON a.id = leg.account
  ) AS moved
  WHERE x.id = p_transaction_id
  ON CONFLICT (transaction_id, kind, reference) DO NOTHING
  RETURNING id INTO v_transfer;
  IF v_transfer IS NULL THEN RETURN false; END IF;

  PERFORM FROM ledger_accounts WHERE id = ANY (p_accounts) AND id > 0 ORDER BY id FOR UPDATE;

  WITH legs AS (
    SELECT leg.account, sum(leg.amount)::bigint AS amount
    FROM unnest(p_accounts, p_amounts) AS leg(account, amount) GROUP BY leg.account HAVING sum(leg.amount) <> 0
  ), moved AS (
    UPDATE ledger_accounts a SET balance_centavos = a.balance_centavos + legs.amount, version = a.version + 1
    FROM legs WHERE a.id = legs.account AND a.id > 0
    RETURNING a.id, a.balance_centavos, a.version
  )
  INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos, balance_after_centavos, version)
  SELECT v_transfer, legs.account, legs.amount, moved.balance_centavos, moved.version
  FROM legs LEFT JOIN moved ON moved.id = legs.account;
  RETURN true;
END $$;

-- 3. The figures of a transaction -----------------------------------------------------------------------------------------

-- What a transaction has moved by now for one of its accounts, by the ledger's transfers; all zero while nothing is final.
-- gross: what the payer paid and was credited (positive), or what was sent (negative); of the account that receives a split, the split.
-- net = gross - fee - split - refunded: the change of the account's available and blocked balances together.
CREATE FUNCTION transaction_figures(p_transaction_id uuid, p_account_id uuid)
RETURNS TABLE (gross_centavos bigint, fee_centavos bigint, split_centavos bigint, refunded_centavos bigint, net_centavos bigint)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE WHEN t.account_id = p_account_id THEN t.gross_centavos ELSE t.split_centavos END)
      FILTER (WHERE t.kind <> 'refund_completed'), 0)::bigint,
    coalesce(sum(t.fee_centavos) FILTER (WHERE t.account_id = p_account_id), 0)::bigint,
    coalesce(sum(t.split_centavos) FILTER (WHERE t.account_id = p_account_id), 0)::bigint,
    coalesce(-sum(t.gross_centavos) FILTER (WHERE t.account_id = p_account_id AND t.kind = 'refund_completed'), 0)::bigint,
    coalesce(sum(CASE WHEN t.account_id = p_account_id THEN t.gross_centavos - t.fee_centavos - t.split_centavos
      ELSE t.split_centavos END), 0)::bigint
  FROM ledger_transfers t WHERE t.transaction_id = p_transaction_id
$$;

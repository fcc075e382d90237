-- Money that came over credentials of an account's own is at the provider of those credentials: the
-- installation has none of it, and sends none of it. Without this rule a merchant could be paid
-- over credentials of their own, take them away, and be sent other merchants' money.

-- AlterTable
ALTER TABLE "ledger_accounts" ADD COLUMN     "own_centavos" BIGINT NOT NULL DEFAULT 0;

-- Whether a rail is over credentials of an account's own (ownRailName).
CREATE FUNCTION is_own_rail(p_rail text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(p_rail LIKE 'own-%', false)
$$;

-- Adds what the entries of transfers have changed to what the accounts have over credentials of
-- their own (p_sign 1), or takes it away (-1).
CREATE FUNCTION ledger_add_own(p_transfers bigint[], p_sign integer) RETURNS void
LANGUAGE sql AS $$
  UPDATE ledger_accounts a SET own_centavos = a.own_centavos + p_sign * moved.centavos
  FROM (
    SELECT l.account_id, sum(e.amount_centavos) AS centavos
    FROM ledger_entries e
      JOIN ledger_accounts l ON l.id = e.ledger_account_id AND l.kind IN ('available', 'owed')
    WHERE e.transfer_id = ANY (p_transfers) GROUP BY l.account_id
  ) AS moved
  WHERE a.account_id = moved.account_id AND a.kind = 'available'
$$;

SELECT ledger_add_own(array_agg(t.id), 1)
FROM transactions x JOIN ledger_transfers t ON t.transaction_id = x.id
WHERE is_own_rail(x.rail) AND x.account_id IN (SELECT account_id FROM credentials)
GROUP BY x.account_id;

-- ledger_post (see 20261122162001_ledger), which also keeps what of an account's available balance,
-- less what it owes, came over credentials of an account's own. What pays a debt counts as well: a
-- debt to the installation is not paid by money that it does not get.
CREATE OR REPLACE FUNCTION ledger_post(
  p_transaction_id uuid, p_kind text, p_reference text, p_now timestamptz,
  p_accounts bigint[], p_amounts bigint[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_transfer bigint;
  v_is_own boolean;
  v_leg record;
  v_accounts bigint[];
  v_amounts bigint[];
  v_balances bigint[];
  v_credits bigint[];
  v_versions bigint[];
  v_balance bigint;
  v_credit bigint;
  v_version bigint;
  v_receiver uuid;
  v_owed bigint;
  v_repaid bigint;
  v_owed_balance bigint;
  v_owed_credit bigint;
  v_owed_version bigint;
BEGIN
  -- Before the transfer's id is taken: whoever waits for lower ids relies on that (proof_seal).
  PERFORM pg_current_xact_id();
  INSERT INTO ledger_transfers (transaction_id, kind, reference, created_at, account_id, type,
    gross_centavos, fee_centavos, split_account_id, split_centavos, pending_centavos)
  SELECT p_transaction_id, p_kind, p_reference, p_now, x.account_id, x.type,
    moved.own + moved.fee + moved.split, moved.fee,
    CASE WHEN moved.split <> 0 THEN x.split_account_id END, moved.split, moved.pending
  FROM transactions x CROSS JOIN LATERAL (
    SELECT
      coalesce(sum(leg.amount)
        FILTER (WHERE a.account_id = x.account_id AND a.kind <> 'pending'), 0)::bigint AS own,
      coalesce(sum(leg.amount)
        FILTER (WHERE a.account_id = x.account_id AND a.kind = 'pending'), 0)::bigint AS pending,
      coalesce(sum(leg.amount) FILTER (WHERE a.kind = 'fees'), 0)::bigint AS fee,
      coalesce(sum(leg.amount) FILTER (WHERE a.account_id <> x.account_id), 0)::bigint AS split
    FROM unnest(p_accounts, p_amounts) AS leg(account, amount)
      JOIN ledger_accounts a ON a.id = leg.account
  ) AS moved
  WHERE x.id = p_transaction_id
  ON CONFLICT (transaction_id, kind, reference) DO NOTHING
  RETURNING id, (SELECT is_own_rail(x.rail) FROM transactions x WHERE x.id = p_transaction_id)
  INTO v_transfer, v_is_own;
  IF v_transfer IS NULL THEN RETURN false; END IF;

  -- In the order of the ids, which is the order of the locks.
  FOR v_leg IN
    SELECT leg.account, sum(leg.amount)::bigint AS amount
    FROM unnest(p_accounts, p_amounts) AS leg(account, amount)
    GROUP BY leg.account HAVING sum(leg.amount) <> 0 ORDER BY leg.account
  LOOP
    v_balance := NULL;
    v_credit := NULL;
    v_version := NULL;
    IF v_leg.account > 0 THEN
      UPDATE ledger_accounts
      SET balance_centavos = balance_centavos + v_leg.amount,
        credit_centavos = credit_centavos + greatest(v_leg.amount, 0), version = version + 1
      WHERE id = v_leg.account
      RETURNING balance_centavos, credit_centavos, version,
        CASE WHEN kind = 'available' AND v_leg.amount > 0 THEN account_id END
      INTO v_balance, v_credit, v_version, v_receiver;
      IF v_receiver IS NOT NULL THEN
        -- The lock on the available balance, which this call holds now, guards what is owed, too.
        SELECT id, least(v_leg.amount, -balance_centavos) INTO v_owed, v_repaid
        FROM ledger_accounts
        WHERE account_id = v_receiver AND kind = 'owed' AND balance_centavos < 0;
        IF FOUND THEN
          UPDATE ledger_accounts SET balance_centavos = balance_centavos + v_repaid,
            credit_centavos = credit_centavos + v_repaid, version = version + 1
          WHERE id = v_owed
          RETURNING balance_centavos, credit_centavos, version
          INTO STRICT v_owed_balance, v_owed_credit, v_owed_version;
          v_accounts := v_accounts || v_owed;
          v_amounts := v_amounts || v_repaid;
          v_balances := v_balances || v_owed_balance;
          v_credits := v_credits || v_owed_credit;
          v_versions := v_versions || v_owed_version;
          UPDATE ledger_accounts SET balance_centavos = balance_centavos - v_repaid,
            credit_centavos = credit_centavos - v_repaid,
            version = version - (v_repaid = v_leg.amount)::integer
          WHERE id = v_leg.account
          RETURNING balance_centavos, credit_centavos, version INTO v_balance, v_credit, v_version;
          CONTINUE WHEN v_repaid = v_leg.amount;
          v_leg.amount := v_leg.amount - v_repaid;
        END IF;
      END IF;
    END IF;
    v_accounts := v_accounts || v_leg.account;
    v_amounts := v_amounts || v_leg.amount;
    v_balances := v_balances || v_balance;
    v_credits := v_credits || v_credit;
    v_versions := v_versions || v_version;
  END LOOP;
  INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos,
    balance_after_centavos, credit_after_centavos, version)
  SELECT v_transfer, entry.*
  FROM unnest(v_accounts, v_amounts, v_balances, v_credits, v_versions) AS entry;
  IF v_is_own THEN PERFORM ledger_add_own(ARRAY[v_transfer], 1); END IF;
  PERFORM ledger_add_late_totals(v_transfer, p_now);
  RETURN true;
END $$;

-- A payout that was planned may begin over another rail than its money was held for: what its
-- entries have changed belongs to the new one. The service's role may not change the rail of
-- what is posted but by a function that runs as the ledger's owner.
CREATE FUNCTION ledger_move_own() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_transfers bigint[] := ARRAY(SELECT id FROM ledger_transfers WHERE transaction_id = NEW.id);
BEGIN
  IF v_transfers <> '{}' THEN
    PERFORM ledger_add_own(v_transfers, CASE WHEN is_own_rail(NEW.rail) THEN 1 ELSE -1 END);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER transactions_rail_moves_own AFTER UPDATE OF rail ON transactions
  FOR EACH ROW WHEN (is_own_rail(OLD.rail) <> is_own_rail(NEW.rail))
  EXECUTE FUNCTION ledger_move_own();

-- withdrawal_request (see 20261124180007_mcp): over a rail of the installation what came over
-- credentials of an account's own is not there, and counts as too little, at a request and when a
-- planned one begins.
CREATE OR REPLACE FUNCTION withdrawal_request(
  p_row jsonb, p_day_start timestamptz, p_day_end timestamptz, p_night_start timestamptz,
  p_night_end timestamptz, p_key_id uuid, p_member_id uuid, p_approve_until timestamptz,
  p_pix_key_indexes bytea[], p_network text, p_wallets text[], p_hold boolean
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_begins boolean := v_tx.begun_at IS NOT NULL;
  v_now timestamptz := coalesce(v_tx.begun_at, v_tx.created_at);
  v_rail text := CASE v_tx.type WHEN 'pix_out' THEN 'pix' WHEN 'crypto_out' THEN 'crypto' END;
  v_balance bigint;
  v_own bigint;
  v_reached limit_period;
  v_block_reason text;
  v_waits boolean;
  -- The key of an assistant; null: none asks.
  v_key api_keys;
  v_assistant_id uuid;
BEGIN
  SELECT balance_centavos, own_centavos INTO STRICT v_balance, v_own FROM ledger_accounts
  WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;

  IF NOT v_begins AND EXISTS (SELECT FROM transactions WHERE id = v_tx.id) THEN
    RETURN 'exists';
  END IF;

  v_block_reason :=
    money_out_block_reason(v_tx.account_id, p_key_id, p_member_id, true, v_now);
  -- What is planned has to be allowed when it begins, and is looked at again then.
  v_block_reason := coalesce(v_block_reason, payee_block_reason(v_tx, p_pix_key_indexes, p_network,
    p_wallets, CASE WHEN v_begins THEN v_now ELSE coalesce(v_tx.scheduled_for, v_now) END));
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;

  SELECT * INTO v_key FROM api_keys WHERE id = p_key_id AND permissions @> '{mcp:use}';
  v_assistant_id := coalesce(v_key.first_key_id, v_key.id);
  IF v_assistant_id IS NOT NULL THEN
    -- Without a cap it may ask for nothing.
    IF v_tx.amount_centavos > coalesce(v_key.call_cap_centavos, 0) THEN RETURN 'key_call_cap'; END IF;
    -- Without a day, which a withdrawal that is planned has not, nothing is asked for.
    IF p_day_start IS NULL OR v_tx.amount_centavos
      + assistant_asked_centavos(v_assistant_id, p_day_start) > v_key.day_cap_centavos
    THEN
      RETURN 'key_day_cap';
    END IF;
  END IF;

  SELECT counted.period INTO v_reached
  FROM (VALUES ('day'::limit_period, 'daily_limit_out_' || v_rail, p_day_start),
      ('night', 'night_limit_out_' || v_rail, p_night_start)) AS counted (period, name, starts_at)
    JOIN effective_limits(v_tx.account_id) AS allowed ON allowed.name = counted.name
    LEFT JOIN limit_usage AS used ON used.account_id = v_tx.account_id AND used.type = v_tx.type
      AND used.period = counted.period AND used.starts_at = counted.starts_at
  WHERE counted.starts_at IS NOT NULL
    AND coalesce(used.centavos, 0) + v_tx.amount_centavos > allowed.centavos
  ORDER BY counted.period LIMIT 1;
  IF v_reached = 'day' THEN RETURN 'daily_limit'; END IF;
  IF v_reached = 'night' THEN RETURN 'night_limit'; END IF;

  IF p_hold AND v_tx.net_centavos + v_tx.fee_centavos > v_balance THEN
    RETURN 'insufficient_funds';
  END IF;
  -- What was held before is taken off already.
  IF (p_hold OR v_begins) AND NOT is_own_rail(v_tx.rail) AND v_balance - v_own
    < (CASE WHEN p_hold THEN v_tx.net_centavos + v_tx.fee_centavos ELSE 0 END)
  THEN
    RETURN 'insufficient_funds';
  END IF;

  IF v_begins THEN
    UPDATE transactions SET sub_status = NULL, begun_at = v_now, updated_at = v_now
    WHERE id = v_tx.id;
  ELSE
    v_waits := v_tx.amount_centavos > withdrawal_threshold(v_tx.account_id, 'approval', v_now);
    IF v_waits THEN v_waits := NOT payout_batch_is_approved(v_tx); END IF;
    IF v_waits OR v_assistant_id IS NOT NULL THEN
      v_tx.sub_status := 'pending_approval';
    ELSIF v_tx.scheduled_for IS NOT NULL THEN
      v_tx.sub_status := 'scheduled';
    END IF;
    INSERT INTO transactions SELECT (v_tx).*;
  END IF;
  IF p_hold THEN PERFORM ledger_withdrawal_requested(v_tx.id, v_now); END IF;
  INSERT INTO limit_usage AS used (account_id, type, period, starts_at, ends_at, centavos)
  SELECT v_tx.account_id, v_tx.type, period, starts_at, ends_at, v_tx.amount_centavos
  FROM (VALUES ('day'::limit_period, p_day_start, p_day_end), ('night', p_night_start, p_night_end))
    AS counted (period, starts_at, ends_at)
  WHERE starts_at IS NOT NULL
  ON CONFLICT (account_id, type, period, starts_at)
    DO UPDATE SET centavos = used.centavos + excluded.centavos;
  IF v_tx.sub_status = 'pending_approval' THEN
    PERFORM approval_begin(v_tx.id, p_key_id, p_member_id, p_approve_until, v_now);
    -- What waits only because an assistant asked for it has been asked for by no member: who made
    -- its key may confirm it.
    UPDATE withdrawal_approvals SET assistant_id = v_assistant_id, asked_at = v_now,
      asker_ids = CASE WHEN v_waits THEN asker_ids ELSE '{}' END
    WHERE transaction_id = v_tx.id AND v_assistant_id IS NOT NULL;
  END IF;
  IF v_tx.sub_status IS NOT NULL THEN RETURN v_tx.sub_status; END IF;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('payout', v_tx.id, v_now);
  RETURN 'requested';
END $$;

-- refund_request (see 20261122162004_refunds): the same for the refund of a payment that the
-- installation received.
CREATE OR REPLACE FUNCTION refund_request(
  p_refund_id uuid, p_transaction_id uuid, p_centavos bigint, p_description text, p_now timestamptz,
  p_key_id uuid, p_member_id uuid
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_block_reason text;
  v_constraint text;
BEGIN
  IF EXISTS (SELECT FROM refunds WHERE id = p_refund_id) THEN RETURN 'exists'; END IF;
  v_block_reason := money_out_block_reason(v_tx.account_id, p_key_id, p_member_id, false, p_now);
  IF v_block_reason IS NOT NULL THEN RETURN v_block_reason; END IF;
  IF v_tx.status NOT IN ('paid', 'refunded') THEN RETURN 'not_paid'; END IF;
  IF is_disputed(v_tx.id) THEN RETURN 'disputed'; END IF;
  INSERT INTO refunds (id, transaction_id, centavos, description, created_at)
  VALUES (p_refund_id, v_tx.id, p_centavos, p_description, p_now);
  PERFORM ledger_refund_requested(v_tx.id, p_refund_id::text, p_centavos, p_now);
  IF NOT is_own_rail(v_tx.rail) AND EXISTS (SELECT FROM ledger_accounts
    WHERE account_id = v_tx.account_id AND kind = 'available' AND balance_centavos < own_centavos)
  THEN
    RAISE EXCEPTION 'The money of refund % is at another provider.', p_refund_id
      USING ERRCODE = 'TR006';
  END IF;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('refund', p_refund_id, p_now);
  RETURN 'requested';
EXCEPTION
  -- What this block has written is rolled back.
  WHEN SQLSTATE 'TR005' THEN RETURN 'exceeds';
  WHEN SQLSTATE 'TR006' THEN RETURN 'insufficient_funds';
  WHEN check_violation THEN
    GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME;
    IF v_constraint <> 'ledger_accounts_balance_not_negative' THEN RAISE; END IF;
    RETURN 'insufficient_funds';
END $$;

-- scheduled_payout_plan (see 20261123180003_scheduled_payouts): the same for what the next payout
-- of a schedule holds.
CREATE OR REPLACE FUNCTION scheduled_payout_plan(p_row jsonb, p_plan jsonb, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_plan scheduled_payouts := jsonb_populate_record(NULL::scheduled_payouts, p_plan);
  v_balance bigint;
BEGIN
  IF v_tx.id IS NULL OR EXISTS (SELECT FROM transactions WHERE id = v_tx.id) THEN RETURN; END IF;
  v_tx.sub_status := 'scheduled';
  INSERT INTO transactions SELECT (v_tx).*;
  INSERT INTO scheduled_payouts SELECT (v_plan).*;
  PERFORM scheduled_payout_wait(v_tx.id, v_tx.scheduled_for);
  IF v_plan.reserve THEN
    SELECT CASE WHEN is_own_rail(v_tx.rail) THEN balance_centavos
      ELSE least(balance_centavos, balance_centavos - own_centavos) END
    INTO STRICT v_balance FROM ledger_accounts
    WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
    IF v_tx.net_centavos + v_tx.fee_centavos <= v_balance THEN
      PERFORM ledger_withdrawal_requested(v_tx.id, p_now);
    END IF;
  END IF;
END $$;

-- The ledger: rules that every writer has to keep, the one function that writes entries, and the
-- postings. Callers are the functions of the migrations after this one.
--
-- Every function locks the transaction's row first and ledger accounts after it, in the order of
-- their ids, so that no two calls can deadlock. Amounts are read from the locked row, so that no
-- caller can pass wrong ones. Functions raise these errors:
--   TR001  the ledger is append-only
--   TR002  invalid entries
--   TR003  the transaction does not exist or has another type
--   TR004  not possible in the transaction's state
--   TR005  invalid amount
-- A check_violation of ledger_accounts_balance_not_negative means insufficient funds.

-- Rules -------------------------------------------------------------------------------------------

-- Platform accounts have fixed negative ids, which this function returns, and no stored balance.
-- Not in SQL: PostgreSQL would parse it again for each statement that changes a balance.
CREATE FUNCTION ledger_platform_account(p_kind ledger_account_kind, p_mode mode) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN -(
    CASE p_kind WHEN 'pix_settlement' THEN 1 WHEN 'crypto_settlement' THEN 2 WHEN 'fees' THEN 3
      WHEN 'suspense' THEN 4 WHEN 'write_offs' THEN 5 END
    + CASE p_mode WHEN 'live' THEN 0 WHEN 'test' THEN 10 END)::bigint;
END $$;

ALTER TABLE ledger_accounts
  -- What an account owes is a receivable: its balance is never positive, the others' never
  -- negative.
  ADD CONSTRAINT ledger_accounts_balance_not_negative CHECK (
    CASE WHEN kind = 'owed' THEN balance_centavos <= 0 ELSE balance_centavos >= 0 END),
  ADD CONSTRAINT ledger_accounts_platform CHECK (
    (account_id IS NULL) = (id < 0) AND (account_id IS NULL) = (balance_centavos IS NULL)
    AND (account_id IS NULL)
      = (kind IN ('pix_settlement', 'crypto_settlement', 'fees', 'suspense', 'write_offs'))
    AND (id > 0 OR id = ledger_platform_account(kind, mode)));

ALTER TABLE ledger_entries
  ADD CONSTRAINT ledger_entries_amount_not_zero CHECK (amount_centavos <> 0),
  ADD CONSTRAINT ledger_entries_stored_balance CHECK (
    (ledger_account_id < 0) = (balance_after_centavos IS NULL)
    AND (ledger_account_id < 0) = (credit_after_centavos IS NULL)
    AND (ledger_account_id < 0) = (version IS NULL));

INSERT INTO ledger_accounts (id, account_id, kind, mode, balance_centavos)
SELECT ledger_platform_account(k, m), NULL, k, m, NULL
FROM unnest(ARRAY['pix_settlement', 'crypto_settlement', 'fees', 'suspense', 'write_offs']
    ::ledger_account_kind[]) AS k,
  unnest(ARRAY['live', 'test']::mode[]) AS m;

CREATE FUNCTION ledger_reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The ledger is append-only: % on % is rejected.', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'TR001';
END $$;

CREATE TRIGGER ledger_entries_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();
CREATE TRIGGER ledger_transfers_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();
CREATE TRIGGER invoice_increments_immutable
  BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice_increments
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();
-- The identity of a ledger account never changes and no ledger account is deleted; only its
-- balance, the sum of its credits and its version are updated.
CREATE TRIGGER ledger_accounts_fixed
  BEFORE UPDATE OF id, account_id, kind, mode OR DELETE OR TRUNCATE ON ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();

CREATE FUNCTION ledger_reject_imbalance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM new_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
    GROUP BY e.transfer_id
    HAVING sum(e.amount_centavos) <> 0 OR min(a.mode) <> max(a.mode)
      OR bool_or(e.balance_after_centavos IS DISTINCT FROM a.balance_centavos
        OR e.credit_after_centavos <> a.credit_centavos OR e.version <> a.version)
  ) THEN
    RAISE EXCEPTION
      'A transfer''s entries must sum to zero, stay in one mode and be its accounts'' last.'
      USING ERRCODE = 'TR002';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS new_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_imbalance();

-- Later postings of a transaction rely on its amounts: a completed withdrawal releases what its
-- request blocked, a refund is limited by what was paid. Hence amounts are fixed from the first
-- posting on. What goes into suspense, back from it, or is written off does not depend on them.
CREATE FUNCTION ledger_reject_changed_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM ledger_transfers
    WHERE transaction_id = OLD.id AND kind NOT IN ('suspense', 'review_returned', 'review_written_off')
  ) THEN
    RAISE EXCEPTION 'Transaction % is posted: its type, accounts and amounts are fixed.', OLD.id
      USING ERRCODE = 'TR001';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER transactions_posted_fixed
  BEFORE UPDATE OF account_id, type, amount_centavos, fee_centavos, net_centavos, split_account_id,
    split_centavos ON transactions
  FOR EACH ROW EXECUTE FUNCTION ledger_reject_changed_amounts();

-- Money over an account's own credentials ---------------------------------------------------------
-- It is at the provider of those credentials: the installation has none of it, and sends none of
-- it. Without this rule a merchant could be paid over credentials of their own, take them away, and
-- be sent other merchants' money.

-- Whether a rail is over credentials of an account's own (ownRailName).
CREATE FUNCTION is_own_rail(p_rail text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(p_rail LIKE 'own-%', false)
$$;

-- The rail and those beside it: over other credentials of the same account, of the same kind. Where
-- these lead to one account at the provider, each of them lists the same money.
CREATE FUNCTION rails_beside(p_rail text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY[p_rail] || coalesce(array_agg(DISTINCT 'own-' || beside.rail_id), '{}')
  FROM credentials own
    JOIN credentials beside ON beside.account_id = own.account_id AND beside.kind = own.kind
  WHERE own.id = CASE WHEN p_rail LIKE 'own-%' THEN substr(p_rail, 5)::uuid END
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

-- Writing transfers -------------------------------------------------------------------------------

-- Creates the three ledger accounts of an account.
CREATE FUNCTION ledger_open(p_account_id uuid, p_mode mode) RETURNS void LANGUAGE sql AS $$
  INSERT INTO ledger_accounts (account_id, kind, mode, balance_centavos)
  SELECT p_account_id, k, p_mode, 0
  FROM unnest(ARRAY['available', 'pending', 'blocked']::ledger_account_kind[]) AS k
$$;

CREATE FUNCTION ledger_account(p_account_id uuid, p_kind ledger_account_kind) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT id FROM ledger_accounts WHERE account_id = p_account_id AND kind = p_kind
$$;

CREATE FUNCTION account_mode(p_account_id uuid) RETURNS mode LANGUAGE sql STABLE AS $$
  SELECT mode FROM accounts WHERE id = p_account_id
$$;

-- Writes one transfer with its entries. Returns false and does nothing when it was written before.
-- Zero amounts are left out, amounts of the same ledger account are added up. Fails with a
-- check_violation of ledger_accounts_balance_not_negative when a balance would become negative.
-- The transfer's figures are written with it, from the point of view of the transaction's account:
-- What an account owes is paid first by whatever is added to its available balance.
--   gross    what came in from outside and is final (positive) or went out (negative); that is the
--            change of the available, blocked and owed balances plus fee and split
--   pending  the change of the pending balance
-- It also keeps what of an account's available balance, less what it owes, came over credentials of
-- its own. What pays a debt counts as well: a debt to the installation is not paid by money that it
-- does not get.
--
-- Each statement that a function runs costs some 10 µs before its first row: the legs are added up
-- and put in order here, not by queries, and the figures are known before the transfer is written.
CREATE FUNCTION ledger_post(
  p_transaction_id uuid, p_kind text, p_reference text, p_now timestamptz,
  p_accounts bigint[], p_amounts bigint[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  -- Before the transfer's id is taken: whoever waits for lower ids relies on that (proof_seal).
  v_xact xid8 := pg_current_xact_id();
  v_transfer bigint;
  -- One for each ledger account, in the order of the ids, which is the order of the locks.
  v_leg_accounts bigint[] := '{}';
  v_leg_amounts bigint[] := '{}';
  v_account bigint;
  v_amount bigint;
  v_place integer;
  v_kind ledger_account_kind;
  v_is_of_transaction boolean;
  v_is_own boolean;
  v_own bigint := 0;
  v_pending bigint := 0;
  v_fee bigint := 0;
  v_split bigint := 0;
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
  FOR v_at IN 1 .. cardinality(p_accounts) LOOP
    v_account := p_accounts[v_at];
    v_amount := p_amounts[v_at];
    CONTINUE WHEN v_amount = 0;
    IF v_account > 0 THEN
      SELECT a.kind, a.account_id = x.account_id, is_own_rail(x.rail)
      INTO v_kind, v_is_of_transaction, v_is_own
      FROM ledger_accounts a, transactions x
      WHERE a.id = v_account AND x.id = p_transaction_id;
      IF NOT v_is_of_transaction THEN v_split := v_split + v_amount;
      ELSIF v_kind = 'pending' THEN v_pending := v_pending + v_amount;
      ELSE v_own := v_own + v_amount;
      END IF;
    ELSIF v_account = ledger_platform_account('fees', 'live')
      OR v_account = ledger_platform_account('fees', 'test')
    THEN
      v_fee := v_fee + v_amount;
    END IF;
    v_place := cardinality(v_leg_accounts);
    WHILE v_place > 0 AND v_leg_accounts[v_place] > v_account LOOP
      v_place := v_place - 1;
    END LOOP;
    IF v_place > 0 AND v_leg_accounts[v_place] = v_account THEN
      v_leg_amounts[v_place] := v_leg_amounts[v_place] + v_amount;
    ELSE
      v_leg_accounts := v_leg_accounts[:v_place] || v_account || v_leg_accounts[v_place + 1:];
      v_leg_amounts := v_leg_amounts[:v_place] || v_amount || v_leg_amounts[v_place + 1:];
    END IF;
  END LOOP;

  INSERT INTO ledger_transfers (transaction_id, kind, reference, created_at, account_id, type,
    gross_centavos, fee_centavos, split_account_id, split_centavos, pending_centavos)
  SELECT x.id, p_kind, p_reference, p_now, x.account_id, x.type, v_own + v_fee + v_split, v_fee,
    CASE WHEN v_split <> 0 THEN x.split_account_id END, v_split, v_pending
  FROM transactions x WHERE x.id = p_transaction_id
  ON CONFLICT (transaction_id, kind, reference) DO NOTHING
  RETURNING id INTO v_transfer;
  IF v_transfer IS NULL THEN RETURN false; END IF;

  FOR v_at IN 1 .. cardinality(v_leg_accounts) LOOP
    v_account := v_leg_accounts[v_at];
    v_amount := v_leg_amounts[v_at];
    CONTINUE WHEN v_amount = 0;
    v_balance := NULL;
    v_credit := NULL;
    v_version := NULL;
    IF v_account > 0 THEN
      UPDATE ledger_accounts
      SET balance_centavos = balance_centavos + v_amount,
        credit_centavos = credit_centavos + greatest(v_amount, 0), version = version + 1
      WHERE id = v_account
      RETURNING balance_centavos, credit_centavos, version,
        CASE WHEN kind = 'available' AND v_amount > 0 THEN account_id END
      INTO v_balance, v_credit, v_version, v_receiver;
      IF v_receiver IS NOT NULL THEN
        -- The lock on the available balance, which this call holds now, guards what is owed, too.
        SELECT id, least(v_amount, -balance_centavos) INTO v_owed, v_repaid
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
            version = version - (v_repaid = v_amount)::integer
          WHERE id = v_account
          RETURNING balance_centavos, credit_centavos, version INTO v_balance, v_credit, v_version;
          CONTINUE WHEN v_repaid = v_amount;
          v_amount := v_amount - v_repaid;
        END IF;
      END IF;
    END IF;
    v_accounts := v_accounts || v_account;
    v_amounts := v_amounts || v_amount;
    v_balances := v_balances || v_balance;
    v_credits := v_credits || v_credit;
    v_versions := v_versions || v_version;
  END LOOP;
  INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos,
    balance_after_centavos, credit_after_centavos, version)
  SELECT v_transfer, entry.*
  FROM unnest(v_accounts, v_amounts, v_balances, v_credits, v_versions) AS entry;
  IF v_is_own THEN PERFORM ledger_add_own(ARRAY[v_transfer], 1); END IF;
  -- After the transfer was written: whoever closes hours relies on that (totals_seal).
  IF p_now < (SELECT closed_until FROM totals_progress) THEN
    PERFORM ledger_add_late_totals(v_transfer, p_now);
  END IF;
  RETURN true;
END $$;

-- Writes a transfer between accounts of the platform that belongs to no transaction. The amounts
-- sum to zero; those that are zero are left out. Returns false and does nothing when it was written
-- before.
CREATE FUNCTION ledger_post_unmatched(
  p_kind text, p_reference text, p_now timestamptz, p_accounts bigint[], p_amounts bigint[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_transfer bigint;
BEGIN
  -- As in ledger_post.
  PERFORM pg_current_xact_id();
  INSERT INTO ledger_transfers (kind, reference, created_at) VALUES (p_kind, p_reference, p_now)
  ON CONFLICT (kind, reference) WHERE transaction_id IS NULL DO NOTHING
  RETURNING id INTO v_transfer;
  IF v_transfer IS NULL THEN RETURN false; END IF;
  INSERT INTO ledger_entries (transfer_id, ledger_account_id, amount_centavos)
  SELECT v_transfer, leg.account, leg.amount
  FROM unnest(p_accounts, p_amounts) AS leg (account, amount) WHERE leg.amount <> 0;
  RETURN true;
END $$;

-- Returns the final figures of a transaction for one of its accounts, by the ledger's transfers;
-- all are zero while nothing is final.
--   gross  what the payer paid and was credited (positive), or what was sent (negative); for the
--          account that receives a split, the split
--   net    gross - fee - split - refunded: the change of the available and blocked balances
CREATE FUNCTION transaction_figures(p_transaction_id uuid, p_account_id uuid)
RETURNS TABLE (gross_centavos bigint, fee_centavos bigint, split_centavos bigint,
  refunded_centavos bigint, net_centavos bigint)
LANGUAGE sql STABLE AS $$
  SELECT
    coalesce(sum(
        CASE WHEN t.account_id = p_account_id THEN t.gross_centavos ELSE t.split_centavos END)
      FILTER (WHERE t.kind NOT IN ('refund_completed', 'foreign_refund')), 0)::bigint,
    coalesce(sum(t.fee_centavos) FILTER (WHERE t.account_id = p_account_id), 0)::bigint,
    coalesce(sum(t.split_centavos) FILTER (WHERE t.account_id = p_account_id), 0)::bigint,
    coalesce(-sum(t.gross_centavos)
      FILTER (WHERE t.account_id = p_account_id
        AND t.kind IN ('refund_completed', 'foreign_refund')), 0)::bigint,
    coalesce(sum(
      CASE WHEN t.account_id = p_account_id
        THEN t.gross_centavos - t.fee_centavos - t.split_centavos
        ELSE t.split_centavos END), 0)::bigint
  FROM ledger_transfers t WHERE t.transaction_id = p_transaction_id
$$;

-- Checks ------------------------------------------------------------------------------------------

-- Locks a transaction for a posting. Raises TR003 unless it has one of the given types.
CREATE FUNCTION ledger_lock_transaction(p_transaction_id uuid, p_types transaction_type[])
RETURNS transactions LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
BEGIN
  SELECT * INTO v_tx FROM transactions WHERE id = p_transaction_id FOR UPDATE;
  IF v_tx.id IS NULL OR v_tx.type <> ALL (p_types) THEN
    RAISE EXCEPTION 'No transaction % of type %.', p_transaction_id, p_types
      USING ERRCODE = 'TR003';
  END IF;
  RETURN v_tx;
END $$;

CREATE FUNCTION ledger_is_posted(p_transaction_id uuid, p_kind text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM ledger_transfers WHERE transaction_id = p_transaction_id AND kind = p_kind)
$$;

-- Raises TR004 unless a posting of this kind is present, or absent.
CREATE FUNCTION ledger_require(p_transaction_id uuid, p_kind text, p_present boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF ledger_is_posted(p_transaction_id, p_kind) <> p_present THEN
    RAISE EXCEPTION 'Transaction %: % is %posted.', p_transaction_id, p_kind,
        CASE WHEN p_present THEN 'not ' ELSE 'already ' END
      USING ERRCODE = 'TR004';
  END IF;
END $$;

-- Returns whether a part was posted before. Raises TR005 for an amount that is not positive, and
-- for a reference that was posted with another amount: that is not the same posting again.
CREATE FUNCTION ledger_is_part_posted(
  p_transaction_id uuid, p_kind text, p_reference text, p_centavos bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_before bigint;
BEGIN
  SELECT sum(e.amount_centavos) INTO v_before
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  WHERE t.transaction_id = p_transaction_id AND t.kind = p_kind AND t.reference = p_reference
    AND e.amount_centavos > 0;
  IF p_centavos IS NULL OR p_centavos <= 0 OR v_before <> p_centavos THEN
    RAISE EXCEPTION 'Transaction %: % % of % is rejected, posted before: %.',
        p_transaction_id, p_kind, p_reference, p_centavos, v_before
      USING ERRCODE = 'TR005';
  END IF;
  RETURN v_before IS NOT NULL;
END $$;

-- Returns what is left of a payment that can be given back: not refunded, asked to be, gone back at
-- the bank or held by a dispute. A failed refund does not count.
CREATE FUNCTION ledger_returnable(p_tx transactions) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN p_tx.amount_centavos - (
    SELECT coalesce(sum(CASE
      WHEN t.kind IN ('refund_requested', 'foreign_refund', 'dispute') AND e.amount_centavos > 0
        THEN e.amount_centavos
      WHEN t.kind IN ('refund_failed', 'dispute_released') AND e.amount_centavos > 0
        THEN -e.amount_centavos
      -- What a dispute had held was counted before.
      WHEN t.kind = 'foreign_refund' AND a.kind = 'blocked' THEN e.amount_centavos END), 0)
    FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
      JOIN ledger_accounts a ON a.id = e.ledger_account_id
    WHERE t.transaction_id = p_tx.id);
END $$;

-- Raises TR005 when refunds and disputes together would return more than was paid.
CREATE FUNCTION ledger_require_returnable(p_tx transactions, p_centavos bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_returnable bigint := ledger_returnable(p_tx);
BEGIN
  IF p_centavos > v_returnable THEN
    RAISE EXCEPTION
        'Transaction %: % would exceed the original amount, % of it are left.',
        p_tx.id, p_centavos, v_returnable
      USING ERRCODE = 'TR005';
  END IF;
END $$;

-- Postings ----------------------------------------------------------------------------------------
-- Each returns false when it was posted before.

-- Charge paid, of a charge that the caller has locked: settlement -> available (net), fees, the
-- split receiver's available. Money that was in suspense before comes from there.
CREATE FUNCTION ledger_credit_charge(
  p_tx transactions, p_now timestamptz, p_source ledger_account_kind
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_available bigint;
  v_mode mode;
BEGIN
  SELECT id, mode INTO STRICT v_available, v_mode FROM ledger_accounts
  WHERE account_id = p_tx.account_id AND kind = 'available';
  IF p_tx.split_account_id IS NULL THEN
    RETURN ledger_post(p_tx.id, 'charge_paid', '', p_now,
      ARRAY[ledger_platform_account(p_source, v_mode), v_available,
        ledger_platform_account('fees', v_mode)],
      ARRAY[-p_tx.amount_centavos, p_tx.net_centavos, p_tx.fee_centavos]);
  END IF;
  RETURN ledger_post(p_tx.id, 'charge_paid', '', p_now,
    ARRAY[ledger_platform_account(p_source, v_mode), v_available,
      ledger_platform_account('fees', v_mode), ledger_account(p_tx.split_account_id, 'available')],
    ARRAY[-p_tx.amount_centavos, p_tx.net_centavos, p_tx.fee_centavos, p_tx.split_centavos]);
END $$;

-- Charge paid (ledger_credit_charge), of a charge that is not locked yet.
CREATE FUNCTION ledger_charge_paid(
  p_transaction_id uuid, p_now timestamptz, p_source ledger_account_kind DEFAULT 'pix_settlement'
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  RETURN ledger_credit_charge(v_tx, p_now, p_source);
END $$;

-- Money that arrived and can't be credited as requested: settlement -> suspense, once per
-- reference. The reference is the end-to-end id of a PIX payment, or the units before an invoice's
-- increment.
CREATE FUNCTION ledger_suspense(
  p_transaction_id uuid, p_end_to_end_id text, p_centavos bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in,crypto_in}');
  v_mode mode := account_mode(v_tx.account_id);
  v_settlement ledger_account_kind :=
    CASE v_tx.type WHEN 'pix_in' THEN 'pix_settlement' ELSE 'crypto_settlement' END;
BEGIN
  IF ledger_is_part_posted(v_tx.id, 'suspense', p_end_to_end_id, p_centavos) THEN RETURN false; END IF;
  RETURN ledger_post(v_tx.id, 'suspense', p_end_to_end_id, p_now,
    ARRAY[ledger_platform_account(v_settlement, v_mode),
          ledger_platform_account('suspense', v_mode)],
    ARRAY[-p_centavos, p_centavos]);
END $$;

-- Withdrawal requested: available -> blocked, with the fee.
CREATE FUNCTION ledger_withdrawal_requested(p_transaction_id uuid, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
  v_total bigint := v_tx.net_centavos + v_tx.fee_centavos;
BEGIN
  RETURN ledger_post(v_tx.id, 'withdrawal_requested', '', p_now,
    ARRAY[ledger_account(v_tx.account_id, 'available'),
          ledger_account(v_tx.account_id, 'blocked')],
    ARRAY[-v_total, v_total]);
END $$;

-- Withdrawal completed: blocked -> p_settlement and fees. Raises TR004 after withdrawal_failed.
CREATE FUNCTION ledger_withdrawal_completed(
  p_transaction_id uuid, p_settlement bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
  v_mode mode := account_mode(v_tx.account_id);
BEGIN
  PERFORM ledger_require(v_tx.id, 'withdrawal_requested', true),
    ledger_require(v_tx.id, 'withdrawal_failed', false);
  RETURN ledger_post(v_tx.id, 'withdrawal_completed', '', p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'),
          p_settlement, ledger_platform_account('fees', v_mode)],
    ARRAY[-(v_tx.net_centavos + v_tx.fee_centavos), v_tx.net_centavos, v_tx.fee_centavos]);
END $$;

-- Withdrawal failed: blocked -> available, with the fee. Raises TR004 after withdrawal_completed.
CREATE FUNCTION ledger_withdrawal_failed(p_transaction_id uuid, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
  v_total bigint := v_tx.net_centavos + v_tx.fee_centavos;
BEGIN
  PERFORM ledger_require(v_tx.id, 'withdrawal_requested', true),
    ledger_require(v_tx.id, 'withdrawal_completed', false);
  RETURN ledger_post(v_tx.id, 'withdrawal_failed', '', p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'),
          ledger_account(v_tx.account_id, 'available')],
    ARRAY[-v_total, v_total]);
END $$;

-- Crypto received: brings what this transaction has put into the account's pending and available
-- balances (what was owed before and it has paid counts as available), and the fee, to the given
-- totals; the difference comes from settlement. The pending total may also shrink (the network may
-- revert a payment); the available total and the fee may not (TR005). Unchanged totals are a no-op.
-- The reference is a count of these transfers.
CREATE FUNCTION ledger_crypto_received(
  p_transaction_id uuid, p_pending bigint, p_net bigint, p_fee bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
  v_mode mode := account_mode(v_tx.account_id);
  v_pending bigint;
  v_net bigint;
  v_fee bigint;
  v_before bigint;
BEGIN
  SELECT count(DISTINCT t.id),
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'pending'), 0),
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind IN ('available', 'owed')), 0),
    coalesce(sum(e.amount_centavos) FILTER (WHERE a.kind = 'fees'), 0)
  INTO v_before, v_pending, v_net, v_fee
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
    JOIN ledger_accounts a ON a.id = e.ledger_account_id
  WHERE t.transaction_id = v_tx.id AND t.kind = 'crypto_received';
  IF (p_pending >= 0 AND p_net >= v_net AND p_fee >= v_fee) IS NOT TRUE THEN
    RAISE EXCEPTION 'Transaction %: % credited and % of fee do not become % and %.',
        v_tx.id, v_net, v_fee, p_net, p_fee
      USING ERRCODE = 'TR005';
  END IF;
  IF (p_pending, p_net, p_fee) = (v_pending, v_net, v_fee) THEN RETURN false; END IF;
  RETURN ledger_post(v_tx.id, 'crypto_received', (v_before + 1)::text, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'pending'), ledger_account(v_tx.account_id, 'available'),
          ledger_platform_account('fees', v_mode),
          ledger_platform_account('crypto_settlement', v_mode)],
    ARRAY[p_pending - v_pending, p_net - v_net, p_fee - v_fee,
          v_pending + v_net + v_fee - p_pending - p_net - p_fee]);
END $$;

-- Refund requested: available -> blocked.
CREATE FUNCTION ledger_refund_requested(
  p_transaction_id uuid, p_reference text, p_centavos bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  PERFORM ledger_require(v_tx.id, 'charge_paid', true);
  IF ledger_is_part_posted(v_tx.id, 'refund_requested', p_reference, p_centavos) THEN
    RETURN false;
  END IF;
  PERFORM ledger_require_returnable(v_tx, p_centavos);
  RETURN ledger_post(v_tx.id, 'refund_requested', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'available'),
          ledger_account(v_tx.account_id, 'blocked')],
    ARRAY[-p_centavos, p_centavos]);
END $$;

-- Returns what a refund has blocked. Raises TR004 when it has blocked nothing, or when the posting
-- p_other_end has released it.
CREATE FUNCTION ledger_refund_blocked(p_transaction_id uuid, p_reference text, p_other_end text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_blocked bigint;
BEGIN
  SELECT sum(e.amount_centavos) INTO v_blocked
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  WHERE t.transaction_id = p_transaction_id AND t.kind = 'refund_requested'
    AND t.reference = p_reference AND e.amount_centavos > 0;
  IF v_blocked IS NULL OR EXISTS (SELECT FROM ledger_transfers
    WHERE transaction_id = p_transaction_id AND kind = p_other_end AND reference = p_reference)
  THEN
    RAISE EXCEPTION 'Transaction %: refund % has nothing blocked.', p_transaction_id, p_reference
      USING ERRCODE = 'TR004';
  END IF;
  RETURN v_blocked;
END $$;

-- Refund completed: blocked -> settlement.
CREATE FUNCTION ledger_refund_completed(
  p_transaction_id uuid, p_reference text, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_blocked bigint := ledger_refund_blocked(v_tx.id, p_reference, 'refund_failed');
BEGIN
  RETURN ledger_post(v_tx.id, 'refund_completed', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'),
          ledger_platform_account('pix_settlement', account_mode(v_tx.account_id))],
    ARRAY[-v_blocked, v_blocked]);
END $$;

-- Refund failed: blocked -> available.
CREATE FUNCTION ledger_refund_failed(p_transaction_id uuid, p_reference text, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_blocked bigint := ledger_refund_blocked(v_tx.id, p_reference, 'refund_completed');
BEGIN
  RETURN ledger_post(v_tx.id, 'refund_failed', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'),
          ledger_account(v_tx.account_id, 'available')],
    ARRAY[-v_blocked, v_blocked]);
END $$;

-- Dispute (MED) of a paid charge: available -> blocked.
CREATE FUNCTION ledger_dispute(
  p_transaction_id uuid, p_reference text, p_centavos bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  PERFORM ledger_require(v_tx.id, 'charge_paid', true);
  IF ledger_is_part_posted(v_tx.id, 'dispute', p_reference, p_centavos) THEN RETURN false; END IF;
  PERFORM ledger_require_returnable(v_tx, p_centavos);
  RETURN ledger_post(v_tx.id, 'dispute', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'available'),
          ledger_account(v_tx.account_id, 'blocked')],
    ARRAY[-p_centavos, p_centavos]);
END $$;

-- Totals of hours and days ------------------------------------------------------------------------
-- The overview of a period adds up hours and days that are over, and reads transfers only of what
-- is not. See docs/adr/0039-totals-of-hours-and-days.md.

-- What transfers come to for the accounts that they concern: the figures that the overview and the
-- totals add up.
CREATE VIEW account_movements AS
SELECT account_id, created_at AS at, id AS transfer_id,
  CASE WHEN kind IN ('refund_completed', 'foreign_refund') THEN 'refund' ELSE type::text END AS kind,
  CASE kind WHEN 'withdrawal_returned' THEN -1 ELSE (gross_centavos <> 0)::integer END AS count,
  gross_centavos, fee_centavos, split_centavos,
  pending_centavos
FROM ledger_transfers WHERE gross_centavos <> 0 OR pending_centavos <> 0
UNION ALL
SELECT split_account_id, created_at, id, 'split_received', 1, split_centavos, 0, 0, 0
FROM ledger_transfers WHERE split_account_id IS NOT NULL;

-- How the overview counts a charge or an invoice that has ended; null for the others. A charge that
-- failed was never one for its payer.
CREATE FUNCTION made_kind(p_status transaction_status) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_status IN ('paid', 'refunded', 'completed') THEN 'made_paid'
    WHEN p_status = 'expired' THEN 'made_expired'
    WHEN p_status = 'cancelled' THEN 'made_cancelled' END
$$;

CREATE VIEW account_outcomes AS
SELECT account_id, created_at AS at, updated_at, made_kind(status) AS kind, 1 AS count
FROM transactions
WHERE type IN ('pix_in', 'crypto_in')
  AND status IN ('paid', 'refunded', 'completed', 'expired', 'cancelled');

-- Returns the hour and the day of an instant; the day only when it is closed.
CREATE FUNCTION totals_steps(p_at timestamptz, p_closed_until timestamptz)
RETURNS TABLE (unit total_unit, starts_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT 'hour'::total_unit, date_trunc('hour', p_at)
  UNION ALL
  SELECT 'day', date_trunc('day', p_at, 'America/Sao_Paulo')
  WHERE date_trunc('day', p_at, 'America/Sao_Paulo')
    < date_trunc('day', p_closed_until, 'America/Sao_Paulo')
$$;

-- Adds a transfer to the totals when its instant is in an hour that is closed. Called after the
-- transfer was written: whoever closes hours relies on that (totals_seal).
CREATE FUNCTION ledger_add_late_totals(p_transfer_id bigint, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_closed_until timestamptz := (SELECT closed_until FROM totals_progress);
BEGIN
  IF (p_now < v_closed_until) IS NOT TRUE THEN RETURN; END IF;
  INSERT INTO account_totals (account_id, unit, starts_at, kind, is_late, count, gross_centavos,
    fee_centavos, split_centavos, pending_centavos)
  SELECT m.account_id, step.unit, step.starts_at, m.kind, true, m.count, m.gross_centavos,
    m.fee_centavos, m.split_centavos, m.pending_centavos
  FROM account_movements m CROSS JOIN totals_steps(p_now, v_closed_until) AS step
  WHERE m.transfer_id = p_transfer_id;
END $$;

-- The same for charges and invoices that end, or end another way, after their hour was closed.
CREATE FUNCTION transactions_add_late_totals() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_closed_until timestamptz;
  v_before text;
  v_after text := made_kind(NEW.status);
BEGIN
  IF TG_OP = 'UPDATE' THEN v_before := made_kind(OLD.status); END IF;
  IF v_before IS NOT DISTINCT FROM v_after THEN RETURN NULL; END IF;
  SELECT closed_until INTO v_closed_until FROM totals_progress;
  IF (NEW.created_at < v_closed_until) IS NOT TRUE THEN RETURN NULL; END IF;
  INSERT INTO account_totals (account_id, unit, starts_at, kind, is_late, count)
  SELECT NEW.account_id, step.unit, step.starts_at, made.kind, true, made.count
  FROM totals_steps(NEW.created_at, v_closed_until) AS step
    CROSS JOIN (VALUES (v_before, -1), (v_after, 1)) AS made (kind, count)
  WHERE made.kind IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER transactions_late_totals AFTER INSERT OR UPDATE OF status ON transactions
  FOR EACH ROW WHEN (NEW.type IN ('pix_in', 'crypto_in') AND NEW.status <> 'pending')
  EXECUTE FUNCTION transactions_add_late_totals();

-- Brings the totals one step further towards p_until, a whole hour. Returns what it did:
--   closed   from now on whatever is written for an hour before p_until adds to the totals itself
--   waiting  there may be transactions that began before that and don't
--   sealed   p_span more of what is closed has its totals: they are what is visible at this moment,
--            in place of what was late and is visible, and what commits later adds to them
--   merged   late rows were added to those of their hour
--   busy     another session is at it
--   done     there is nothing to do
-- The barrier is the number of a transaction that saw closed_until changed. Whoever writes what is
-- counted reads closed_until after that, with a number of its own: one with a higher number has
-- seen the change, too, and once those with lower numbers have ended, nobody is left who has not.
CREATE FUNCTION totals_seal(p_until timestamptz, p_span interval) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_progress totals_progress;
  v_own bigint;
  v_oldest bigint;
  v_from timestamptz;
  v_to timestamptz;
BEGIN
  SELECT * INTO v_progress FROM totals_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 'busy'; END IF;
  v_own := pg_current_xact_id()::text::bigint;
  v_oldest := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  IF v_progress.closed_until IS NULL
    OR v_progress.sealed_until = v_progress.closed_until AND v_progress.closed_until < p_until
  THEN
    UPDATE totals_progress SET closed_until = p_until, barrier = NULL;
    RETURN 'closed';
  END IF;
  IF v_progress.sealed_until = v_progress.closed_until THEN
    RETURN CASE WHEN ledger_merge_late_totals(v_progress.sealed_until) THEN 'merged' ELSE 'done' END;
  END IF;
  -- A barrier in the future is another server's: the database was restored.
  IF v_progress.barrier IS NULL OR v_progress.barrier > v_own THEN
    UPDATE totals_progress SET barrier = v_own;
    RETURN 'waiting';
  END IF;
  IF v_oldest < v_progress.barrier THEN RETURN 'waiting'; END IF;

  v_from := coalesce(v_progress.sealed_until, totals_start(v_progress.closed_until));
  v_to := least(v_progress.closed_until, v_from + p_span);
  PERFORM ledger_write_totals(v_from, v_to);
  UPDATE totals_progress SET sealed_until = v_to;
  RETURN 'sealed';
END $$;

-- Returns the day in which the totals begin: with the first transfer or, as ids are UUIDv7, the
-- first transaction. A clock may have been behind by a day.
CREATE FUNCTION totals_start(p_closed_until timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT date_trunc('day', least(p_closed_until,
      (SELECT min(first.created_at) FROM accounts a CROSS JOIN LATERAL (
        SELECT t.created_at FROM ledger_transfers t
        WHERE t.account_id = a.id AND (t.gross_centavos <> 0 OR t.pending_centavos <> 0)
        ORDER BY t.created_at LIMIT 1) AS first),
      -- The first 48 bits are milliseconds (RFC 9562 section 5.7), which PostgreSQL itself reads
      -- from version 17 on.
      (SELECT to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) - interval '1 day'
        FROM transactions ORDER BY id LIMIT 1)),
    'America/Sao_Paulo')
$$;

-- Writes the totals of the hours from p_from up to p_to and of the days that end there, in place of
-- their late rows, in one statement: what it reads, replaces and leaves is of one moment.
CREATE FUNCTION ledger_write_totals(p_from timestamptz, p_to timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_first_day timestamptz := date_trunc('day', p_from, 'America/Sao_Paulo');
  v_days_end timestamptz := date_trunc('day', p_to, 'America/Sao_Paulo');
BEGIN
  WITH hours AS MATERIALIZED (
    SELECT a.id AS account_id, date_trunc('hour', m.at) AS starts_at, m.kind,
      sum(m.count) AS count, sum(m.gross_centavos) AS gross, sum(m.fee_centavos) AS fee,
      sum(m.split_centavos) AS split, sum(m.pending_centavos) AS pending
    FROM accounts a CROSS JOIN LATERAL (
      SELECT at, kind, count, gross_centavos, fee_centavos, split_centavos, pending_centavos
      FROM account_movements WHERE account_id = a.id AND at >= p_from AND at < p_to
      UNION ALL
      -- What was made since then was also changed since then, and the index is by change.
      SELECT at, kind, count, 0, 0, 0, 0 FROM account_outcomes
      WHERE account_id = a.id AND updated_at >= p_from AND at >= p_from AND at < p_to
    ) AS m
    GROUP BY a.id, date_trunc('hour', m.at), m.kind
  ), days AS (
    SELECT account_id, date_trunc('day', starts_at, 'America/Sao_Paulo') AS starts_at, kind,
      sum(count) AS count, sum(gross) AS gross, sum(fee) AS fee, sum(split) AS split,
      sum(pending) AS pending
    FROM (
      SELECT * FROM hours
      UNION ALL
      SELECT t.account_id, t.starts_at, t.kind, t.count, t.gross_centavos, t.fee_centavos,
        t.split_centavos, t.pending_centavos
      FROM accounts a JOIN account_totals t ON t.account_id = a.id
        AND t.unit = 'hour' AND t.starts_at >= v_first_day AND t.starts_at < p_from
    ) AS h
    WHERE starts_at < v_days_end GROUP BY 1, 2, 3
  ), replaced AS (
    DELETE FROM account_totals WHERE is_late AND (
      unit = 'hour' AND starts_at >= p_from AND starts_at < p_to
      OR unit = 'day' AND starts_at >= v_first_day AND starts_at < v_days_end)
  )
  INSERT INTO account_totals (account_id, unit, starts_at, kind, count, gross_centavos,
    fee_centavos, split_centavos, pending_centavos)
  SELECT account_id, 'hour'::total_unit, starts_at, kind, count, gross, fee, split, pending
  FROM hours
  UNION ALL
  SELECT account_id, 'day', starts_at, kind, count, gross, fee, split, pending FROM days;
END $$;

-- Adds late rows to those of their hour or day, some thousands at a time. Returns false when there
-- is none.
CREATE FUNCTION ledger_merge_late_totals(p_sealed_until timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  WITH late AS MATERIALIZED (
    SELECT DISTINCT account_id, unit, starts_at, kind FROM (
      SELECT * FROM account_totals WHERE is_late AND starts_at < p_sealed_until LIMIT 5000) AS t
  ), merged AS (
    DELETE FROM account_totals t USING late
    WHERE (t.account_id, t.unit, t.starts_at, t.kind)
      = (late.account_id, late.unit, late.starts_at, late.kind)
    RETURNING t.*
  )
  INSERT INTO account_totals (account_id, unit, starts_at, kind, count, gross_centavos,
    fee_centavos, split_centavos, pending_centavos)
  SELECT account_id, unit, starts_at, kind, sum(count), sum(gross_centavos), sum(fee_centavos),
    sum(split_centavos), sum(pending_centavos)
  FROM merged GROUP BY account_id, unit, starts_at, kind;
  RETURN FOUND;
END $$;

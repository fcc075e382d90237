-- The ledger: where money moves. Every function locks the transaction's row first and ledger accounts in id order after
-- it, so that no two of them can deadlock, and reads amounts from the locked row, so that no caller can misstate them.
-- Refusals: TR001 the ledger is append-only, TR002 entries that can't be, TR003 not for this transaction, TR004 not now,
-- TR005 not this amount; a check_violation on ledger_accounts_balance_not_negative is insufficient funds.

-- 1. Rules that hold whoever writes ------------------------------------------------------------------------------------

CREATE FUNCTION ledger_platform_account(p_kind ledger_account_kind, p_mode mode) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT -(CASE p_kind WHEN 'pix_settlement' THEN 1 WHEN 'crypto_settlement' THEN 2 WHEN 'fees' THEN 3 WHEN 'suspense' THEN 4 END
         + CASE p_mode WHEN 'live' THEN 0 WHEN 'test' THEN 10 END)::bigint
$$;

ALTER TABLE ledger_accounts
  ADD CONSTRAINT ledger_accounts_balance_not_negative CHECK (balance_centavos >= 0),
  -- Platform accounts have fixed negative ids (ledger_platform_account) and no stored balance.
  ADD CONSTRAINT ledger_accounts_platform CHECK (
    (account_id IS NULL) = (id < 0) AND (account_id IS NULL) = (balance_centavos IS NULL)
    AND (account_id IS NULL) = (kind IN ('pix_settlement', 'crypto_settlement', 'fees', 'suspense'))
    AND (id > 0 OR id = ledger_platform_account(kind, mode)));

ALTER TABLE ledger_entries
  ADD CONSTRAINT ledger_entries_amount_not_zero CHECK (amount_centavos <> 0),
  ADD CONSTRAINT ledger_entries_stored_balance CHECK (
    (ledger_account_id < 0) = (balance_after_centavos IS NULL) AND (ledger_account_id < 0) = (version IS NULL));

ALTER TABLE transactions
  ADD CONSTRAINT transactions_amounts CHECK (
    amount_centavos > 0 AND fee_centavos >= 0 AND split_centavos >= 0 AND net_centavos >= 0
    -- What comes in is divided; what goes out over PIX has its fee on top, over crypto inside the amount.
    AND CASE type
      WHEN 'pix_in' THEN amount_centavos = net_centavos + fee_centavos + split_centavos
      WHEN 'pix_out' THEN amount_centavos = net_centavos AND split_centavos = 0
      ELSE amount_centavos = net_centavos + fee_centavos AND split_centavos = 0 END),
  ADD CONSTRAINT transactions_split CHECK ((split_account_id IS NULL) = (split_centavos = 0) AND split_account_id <> account_id);

INSERT INTO ledger_accounts (id, account_id, kind, mode, balance_centavos)
SELECT ledger_platform_account(k, m), NULL, k, m, NULL
FROM unnest(ARRAY['pix_settlement', 'crypto_settlement', 'fees', 'suspense']::ledger_account_kind[]) AS k,
     unnest(ARRAY['live', 'test']::mode[]) AS m;

CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The ledger is append-only: % on % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'TR001';
END $$;

CREATE TRIGGER ledger_entries_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_transfers_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

-- What names a ledger account never changes, and no ledger account goes away; its balance and version move.
CREATE TRIGGER ledger_accounts_fixed BEFORE UPDATE OF id, account_id, kind, mode OR DELETE OR TRUNCATE ON ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE FUNCTION ledger_refuse_imbalance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM new_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id GROUP BY e.transfer_id
    HAVING sum(e.amount_centavos) <> 0 OR min(a.mode) <> max(a.mode)
      OR bool_or(e.balance_after_centavos IS DISTINCT FROM a.balance_centavos OR e.version <> a.version)
  ) THEN
    RAISE EXCEPTION 'A transfer''s entries must sum to zero, stay in one mode and be its accounts'' last.' USING ERRCODE = 'TR002';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS new_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_imbalance();

-- A withdrawal that is done takes what its request held, a refund is measured by what was paid: what the ledger has posted
-- from a transaction's row stays. Suspense takes nothing from it.
CREATE FUNCTION ledger_refuse_other_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_transfers WHERE transaction_id = OLD.id AND kind <> 'suspense') THEN
    RAISE EXCEPTION 'Transaction % is posted: its type, accounts and amounts are fixed.', OLD.id USING ERRCODE = 'TR001';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER transactions_posted_fixed
  BEFORE UPDATE OF account_id, type, amount_centavos, fee_centavos, net_centavos, split_account_id, split_centavos ON transactions
  FOR EACH ROW EXECUTE FUNCTION ledger_refuse_other_amounts();

-- 2. The one way in ----------------------------------------------------------------------------------------------------

-- Opens the three ledger accounts of an account.
CREATE FUNCTION ledger_open(p_account_id uuid, p_mode mode) RETURNS void LANGUAGE sql AS $$
  INSERT INTO ledger_accounts (account_id, kind, mode, balance_centavos)
  SELECT p_account_id, k, p_mode, 0 FROM unnest(ARRAY['available', 'pending', 'blocked']::ledger_account_kind[]) AS k
$$;

CREATE FUNCTION ledger_account(p_account_id uuid, p_kind ledger_account_kind) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT id FROM ledger_accounts WHERE account_id = p_account_id AND kind = p_kind
$$;

-- Writes one transfer. False: it was there already, nothing happened. Legs of zero are dropped, legs of one account are
-- joined. A balance that would become negative fails with check_violation on ledger_accounts_balance_not_negative.
CREATE FUNCTION ledger_post(
  p_transaction_id uuid, p_kind text, p_reference text, p_now timestamptz, p_accounts bigint[], p_amounts bigint[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_transfer bigint;
BEGIN
  INSERT INTO ledger_transfers (transaction_id, kind, reference, created_at)
  VALUES (p_transaction_id, p_kind, p_reference, p_now)
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

-- Locks a transaction for a posting and checks that the posting fits its type.
CREATE FUNCTION ledger_lock_transaction(p_transaction_id uuid, p_types transaction_type[]) RETURNS transactions
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
BEGIN
  SELECT * INTO v_tx FROM transactions WHERE id = p_transaction_id FOR UPDATE;
  IF v_tx.id IS NULL OR v_tx.type <> ALL (p_types) THEN
    RAISE EXCEPTION 'No transaction % of type %.', p_transaction_id, p_types USING ERRCODE = 'TR003';
  END IF;
  RETURN v_tx;
END $$;

CREATE FUNCTION ledger_posted(p_transaction_id uuid, p_kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM ledger_transfers WHERE transaction_id = p_transaction_id AND kind = p_kind)
$$;

CREATE FUNCTION ledger_require(p_transaction_id uuid, p_kind text, p_present boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF ledger_posted(p_transaction_id, p_kind) <> p_present THEN
    RAISE EXCEPTION 'Transaction %: % is %posted.', p_transaction_id, p_kind, CASE WHEN p_present THEN 'not ' ELSE 'already ' END
      USING ERRCODE = 'TR004';
  END IF;
END $$;

-- Whether a part was posted before. The same reference with another amount is not the same posting again: it is refused, as
-- is an amount of nothing.
CREATE FUNCTION ledger_part_posted(p_transaction_id uuid, p_kind text, p_reference text, p_centavos bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_before bigint;
BEGIN
  SELECT sum(e.amount_centavos) INTO v_before FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  WHERE t.transaction_id = p_transaction_id AND t.kind = p_kind AND t.reference = p_reference AND e.amount_centavos > 0;
  IF p_centavos IS NULL OR p_centavos <= 0 OR v_before <> p_centavos THEN
    RAISE EXCEPTION 'Transaction %: % % of % is refused, posted before: %.', p_transaction_id, p_kind, p_reference, p_centavos, v_before
      USING ERRCODE = 'TR005';
  END IF;
  RETURN v_before IS NOT NULL;
END $$;

-- A payer gets a payment back once at most, by refunds and disputes together.
CREATE FUNCTION ledger_require_returnable(p_tx transactions, p_centavos bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_returned bigint;
BEGIN
  SELECT coalesce(sum(e.amount_centavos), 0) INTO v_returned FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  WHERE t.transaction_id = p_tx.id AND t.kind IN ('refund', 'dispute') AND e.amount_centavos > 0;
  IF p_centavos > p_tx.amount_centavos - v_returned THEN
    RAISE EXCEPTION 'Transaction %: % would exceed the original amount, % of it are returned or disputed.', p_tx.id, p_centavos, v_returned
      USING ERRCODE = 'TR005';
  END IF;
END $$;

CREATE FUNCTION account_mode(p_account_id uuid) RETURNS mode LANGUAGE sql STABLE AS $$
  SELECT mode FROM accounts WHERE id = p_account_id
$$;

-- 3. The postings ------------------------------------------------------------------------------------------------------

-- Charge paid: settlement -> available (net), fees, the split receiver's available.
CREATE FUNCTION ledger_charge_paid(p_transaction_id uuid, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_mode mode := account_mode(v_tx.account_id);
BEGIN
  RETURN ledger_post(v_tx.id, 'charge_paid', '', p_now,
    ARRAY[ledger_platform_account('pix_settlement', v_mode), ledger_account(v_tx.account_id, 'available'),
          ledger_platform_account('fees', v_mode)]
      || CASE WHEN v_tx.split_account_id IS NULL THEN '{}' ELSE ARRAY[ledger_account(v_tx.split_account_id, 'available')] END,
    ARRAY[-v_tx.amount_centavos, v_tx.net_centavos, v_tx.fee_centavos]
      || CASE WHEN v_tx.split_account_id IS NULL THEN '{}' ELSE ARRAY[v_tx.split_centavos] END);
END $$;

-- Money that arrived and can't be credited as asked: settlement -> suspense, once per payment.
CREATE FUNCTION ledger_suspense(p_transaction_id uuid, p_end_to_end_id text, p_centavos bigint, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_mode mode := account_mode(v_tx.account_id);
BEGIN
  IF ledger_part_posted(v_tx.id, 'suspense', p_end_to_end_id, p_centavos) THEN RETURN false; END IF;
  RETURN ledger_post(v_tx.id, 'suspense', p_end_to_end_id, p_now,
    ARRAY[ledger_platform_account('pix_settlement', v_mode), ledger_platform_account('suspense', v_mode)],
    ARRAY[-p_centavos, p_centavos]);
END $$;

-- Withdrawal asked: available -> blocked, with the fee.
CREATE FUNCTION ledger_withdrawal_requested(p_transaction_id uuid, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
  v_total bigint := v_tx.net_centavos + v_tx.fee_centavos;
BEGIN
  RETURN ledger_post(v_tx.id, 'withdrawal_requested', '', p_now,
    ARRAY[ledger_account(v_tx.account_id, 'available'), ledger_account(v_tx.account_id, 'blocked')],
    ARRAY[-v_total, v_total]);
END $$;

-- Withdrawal done: blocked -> settlement and fees. Refused after withdrawal_failed: the hold is gone.
CREATE FUNCTION ledger_withdrawal_completed(p_transaction_id uuid, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
  v_mode mode := account_mode(v_tx.account_id);
BEGIN
  PERFORM ledger_require(v_tx.id, 'withdrawal_requested', true), ledger_require(v_tx.id, 'withdrawal_failed', false);
  RETURN ledger_post(v_tx.id, 'withdrawal_completed', '', p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'),
          ledger_platform_account(CASE v_tx.type WHEN 'pix_out' THEN 'pix_settlement' ELSE 'crypto_settlement' END::ledger_account_kind, v_mode),
          ledger_platform_account('fees', v_mode)],
    ARRAY[-(v_tx.net_centavos + v_tx.fee_centavos), v_tx.net_centavos, v_tx.fee_centavos]);
END $$;

-- Withdrawal failed: blocked -> available, the fee too.
CREATE FUNCTION ledger_withdrawal_failed(p_transaction_id uuid, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
  v_total bigint := v_tx.net_centavos + v_tx.fee_centavos;
BEGIN
  PERFORM ledger_require(v_tx.id, 'withdrawal_requested', true), ledger_require(v_tx.id, 'withdrawal_completed', false);
  RETURN ledger_post(v_tx.id, 'withdrawal_failed', '', p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'), ledger_account(v_tx.account_id, 'available')],
    ARRAY[-v_total, v_total]);
END $$;

-- Crypto seen: settlement -> pending (net: what the account will get).
CREATE FUNCTION ledger_crypto_seen(p_transaction_id uuid, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
BEGIN
  RETURN ledger_post(v_tx.id, 'crypto_seen', '', p_now,
    ARRAY[ledger_platform_account('crypto_settlement', account_mode(v_tx.account_id)), ledger_account(v_tx.account_id, 'pending')],
    ARRAY[-v_tx.net_centavos, v_tx.net_centavos]);
END $$;

-- Crypto confirmed: pending -> available; only now is the fee earned.
CREATE FUNCTION ledger_crypto_confirmed(p_transaction_id uuid, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
  v_mode mode := account_mode(v_tx.account_id);
BEGIN
  PERFORM ledger_require(v_tx.id, 'crypto_seen', true);
  RETURN ledger_post(v_tx.id, 'crypto_confirmed', '', p_now,
    ARRAY[ledger_account(v_tx.account_id, 'pending'), ledger_account(v_tx.account_id, 'available'),
          ledger_platform_account('crypto_settlement', v_mode), ledger_platform_account('fees', v_mode)],
    ARRAY[-v_tx.net_centavos, v_tx.net_centavos, -v_tx.fee_centavos, v_tx.fee_centavos]);
END $$;

-- Refund of a paid charge, in parts if need be: available -> settlement.
CREATE FUNCTION ledger_refund(p_transaction_id uuid, p_reference text, p_centavos bigint, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  PERFORM ledger_require(v_tx.id, 'charge_paid', true);
  IF ledger_part_posted(v_tx.id, 'refund', p_reference, p_centavos) THEN RETURN false; END IF;
  PERFORM ledger_require_returnable(v_tx, p_centavos);
  RETURN ledger_post(v_tx.id, 'refund', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'available'), ledger_platform_account('pix_settlement', account_mode(v_tx.account_id))],
    ARRAY[-p_centavos, p_centavos]);
END $$;

-- Dispute (MED) opened on a paid charge: available -> blocked.
CREATE FUNCTION ledger_dispute(p_transaction_id uuid, p_reference text, p_centavos bigint, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  PERFORM ledger_require(v_tx.id, 'charge_paid', true);
  IF ledger_part_posted(v_tx.id, 'dispute', p_reference, p_centavos) THEN RETURN false; END IF;
  PERFORM ledger_require_returnable(v_tx, p_centavos);
  RETURN ledger_post(v_tx.id, 'dispute', p_reference, p_now,
    ARRAY[ledger_account(v_tx.account_id, 'available'), ledger_account(v_tx.account_id, 'blocked')],
    ARRAY[-p_centavos, p_centavos]);
END $$;

-- 4. Status change + ledger + event + delivery, in one statement ---------------------------------------------------------

-- Writes an event and, when it is to be told and the transaction or the account names a URL for it, its delivery and the
-- task that sends it.
CREATE FUNCTION event_emit(
  p_tx transactions, p_topic topic, p_event_id uuid, p_type text, p_body text, p_now timestamptz, p_tell boolean DEFAULT true
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_delivery uuid := gen_random_uuid();
BEGIN
  INSERT INTO events (id, account_id, transaction_id, type, body, created_at)
  VALUES (p_event_id, p_tx.account_id, p_tx.id, p_type, p_body, p_now);
  IF NOT p_tell THEN RETURN; END IF;

  INSERT INTO deliveries (id, event_id, endpoint_id, url, created_at)
  SELECT v_delivery, p_event_id, target.endpoint_id, target.url, p_now
  FROM (
    SELECT NULL::uuid AS endpoint_id, p_tx.callback_url AS url WHERE p_tx.callback_url IS NOT NULL
    UNION ALL
    SELECT id, url FROM endpoints
    WHERE p_tx.callback_url IS NULL AND account_id = p_tx.account_id AND topic = p_topic AND disabled_at IS NULL
  ) AS target;
  IF FOUND THEN
    INSERT INTO tasks (kind, subject_id, due_at) VALUES ('deliver_webhook', v_delivery, p_now);
  END IF;
END $$;

-- Each of these three returns the status the transaction had: when it is not p_from, nothing was done and the caller
-- decides anew. What would move one payment twice is refused (TR004).
CREATE FUNCTION charge_pay(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_paid_at timestamptz, p_now timestamptz,
  p_event_id uuid, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  UPDATE transactions SET status = 'paid', end_to_end_id = p_end_to_end_id, paid_at = p_paid_at, updated_at = p_now
  WHERE id = v_tx.id;
  IF NOT ledger_charge_paid(v_tx.id, p_now)
    OR EXISTS (SELECT FROM ledger_transfers WHERE transaction_id = v_tx.id AND kind = 'suspense' AND reference = p_end_to_end_id)
  THEN
    RAISE EXCEPTION 'Transaction %: it is credited already, or payment % stands in suspense.', v_tx.id, p_end_to_end_id
      USING ERRCODE = 'TR004';
  END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.paid', p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'watch_charge' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- The end of a charge without money: expired, cancelled or failed.
CREATE FUNCTION charge_close(
  p_transaction_id uuid, p_from transaction_status, p_to transaction_status, p_now timestamptz,
  p_event_id uuid, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from <> 'pending' OR p_to NOT IN ('expired', 'cancelled', 'failed') THEN
    RAISE EXCEPTION 'A charge that is % is not closed as %.', p_from, p_to USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = p_to, updated_at = p_now WHERE id = v_tx.id;
  -- A charge that failed was never handed to the merchant: its id would mean nothing to the receiver.
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.' || p_to, p_event_body, p_now, p_to <> 'failed');
  DELETE FROM tasks WHERE kind = 'watch_charge' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- Money that can't be credited: it goes to suspense, a review is opened, and the charge (unless it was paid already: a
-- second payment of it) stands in review until an operator decides. Once per payment.
CREATE FUNCTION charge_review(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_received bigint, p_reason text, p_now timestamptz,
  p_review_id uuid, p_event_id uuid, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF EXISTS (SELECT FROM transactions WHERE rail = v_tx.rail AND end_to_end_id = p_end_to_end_id) THEN
    RAISE EXCEPTION 'Transaction %: payment % is credited already.', v_tx.id, p_end_to_end_id USING ERRCODE = 'TR004';
  END IF;
  IF NOT ledger_suspense(v_tx.id, p_end_to_end_id, p_received, p_now) THEN RETURN v_tx.status; END IF;
  INSERT INTO reviews (id, transaction_id, reason, expected_centavos, received_centavos, end_to_end_id, created_at)
  VALUES (p_review_id, v_tx.id, p_reason, v_tx.amount_centavos, p_received, p_end_to_end_id, p_now);
  IF v_tx.status NOT IN ('paid', 'refunded', 'review') THEN
    UPDATE transactions SET status = 'review', updated_at = p_now WHERE id = v_tx.id;
    PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.review', p_event_body, p_now);
    DELETE FROM tasks WHERE kind = 'watch_charge' AND subject_id = v_tx.id;
  END IF;
  RETURN v_tx.status;
END $$;

-- Money that moved at a provider without a request of ours: payments without a charge, and money
-- that went back in the bank's own application. A provider's books are read by sweeps.
--
-- What a PSP reports as given back has left it, and is booked. A PSP may carry out a refund that is
-- on its way and take the same payment by the return mechanism (MED), together more than was paid.
-- Of a charge, the account pays it, and owes what it lacks. Of a payment that nobody was credited
-- with, the platform pays what suspense does not have of it.

CREATE TYPE unmatched_state AS ENUM ('open', 'assigned', 'deposited', 'returning', 'returned');
-- Lists of payments; of cases; of what was sent; of a crypto processor's operations.
CREATE TYPE sweep_span AS ENUM (
  'recent', 'days', 'quarter', 'disputes_recent', 'disputes_quarter', 'sent_recent', 'sent_days',
  'operations_recent', 'operations_days');

CREATE TABLE sweeps (
  id uuid PRIMARY KEY,
  rail text NOT NULL,
  span sweep_span NOT NULL,
  created_at timestamptz(3) NOT NULL,
  from_at timestamptz(3),
  to_at timestamptz(3),
  page integer NOT NULL DEFAULT 0,
  finished_at timestamptz(3),
  CONSTRAINT sweeps_running CHECK ((from_at IS NULL) = (to_at IS NULL) AND page >= 0)
);
CREATE UNIQUE INDEX sweeps_rail_span_key ON sweeps (rail, span);

CREATE TABLE unmatched_payments (
  id uuid PRIMARY KEY,
  rail text NOT NULL,
  mode mode NOT NULL,
  account_id uuid REFERENCES accounts (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  end_to_end_id text NOT NULL,
  txid text,
  centavos bigint NOT NULL,
  returned_centavos bigint NOT NULL DEFAULT 0,
  paid_at timestamptz(3) NOT NULL,
  payer_note text,
  state unmatched_state NOT NULL DEFAULT 'open',
  transaction_id uuid REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  reason text,
  decided_by text,
  decided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  -- The PSP's id of the case about it, where it is contested. It becomes a case of ours once the
  -- payment is a charge's.
  contested_as text,
  -- The return mechanism (MED) may take what a refund has taken: more than was paid.
  CONSTRAINT unmatched_payments_amounts CHECK (centavos > 0 AND returned_centavos >= 0),
  CONSTRAINT unmatched_payments_state CHECK (
    (state IN ('assigned', 'deposited')) = (transaction_id IS NOT NULL)
    AND (state <> 'returned' OR returned_centavos >= centavos))
);
CREATE UNIQUE INDEX unmatched_payments_end_to_end_id_rail_key
  ON unmatched_payments (end_to_end_id, rail);
CREATE INDEX unmatched_payments_account_id_idx ON unmatched_payments (account_id);
-- What waits for a decision is little.
CREATE INDEX unmatched_payments_open ON unmatched_payments (created_at)
  WHERE state IN ('open', 'returning');
CREATE INDEX unmatched_payments_contested ON unmatched_payments (rail)
  WHERE contested_as IS NOT NULL;

-- A devolução of a payment that was never credited, asked for by a decision.
CREATE TABLE payment_returns (
  id uuid PRIMARY KEY,
  review_id uuid REFERENCES reviews (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  unmatched_id uuid REFERENCES unmatched_payments (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  rail text NOT NULL,
  end_to_end_id text NOT NULL,
  centavos bigint NOT NULL,
  status refund_status NOT NULL DEFAULT 'pending',
  return_id text,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  -- When the PSP was first asked: as of a refund, a rejection does not end it while an earlier
  -- request without an answer may still be carried out.
  sent_at timestamptz(3),
  CONSTRAINT payment_returns_subject CHECK (num_nonnulls(review_id, unmatched_id) = 1),
  CONSTRAINT payment_returns_centavos CHECK (centavos > 0)
);
CREATE INDEX payment_returns_review_id_idx ON payment_returns (review_id);
CREATE INDEX payment_returns_unmatched_id_idx ON payment_returns (unmatched_id);

-- A devolução that the service did not ask for.
CREATE TABLE foreign_refunds (
  id uuid PRIMARY KEY,
  rail text NOT NULL,
  end_to_end_id text NOT NULL,
  refund_id text NOT NULL,
  return_id text,
  kind text NOT NULL,
  centavos bigint NOT NULL,
  transaction_id uuid REFERENCES transactions (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  review_id uuid REFERENCES reviews (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  unmatched_id uuid REFERENCES unmatched_payments (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT foreign_refunds_kind CHECK (kind IN ('made_at_bank', 'med_return')),
  CONSTRAINT foreign_refunds_subject CHECK (
    num_nonnulls(transaction_id, review_id, unmatched_id) = 1),
  CONSTRAINT foreign_refunds_centavos CHECK (centavos > 0)
);
-- A devolução's own id, which a PSP may say late, and its number in its payment.
CREATE UNIQUE INDEX foreign_refunds_end_to_end_id_refund_id_rail_key
  ON foreign_refunds (end_to_end_id, refund_id, rail);
CREATE UNIQUE INDEX foreign_refunds_return_id_rail_key ON foreign_refunds (return_id, rail);
CREATE INDEX foreign_refunds_transaction_id_idx ON foreign_refunds (transaction_id);
CREATE INDEX foreign_refunds_review_id_idx ON foreign_refunds (review_id);
CREATE INDEX foreign_refunds_unmatched_id_idx ON foreign_refunds (unmatched_id);

-- Decisions ---------------------------------------------------------------------------------------

-- Writes who decided what into the audit. `p_by` says who: the columns member_id, ip_address and
-- user_agent of audit_records, and `name`, which is the operator's. Money over the installation's
-- own credentials is no merchant's until somebody decides: what is decided about it without a
-- merchant is a record about the installation, as that a rail is turned off. p_now is the account's
-- time, which a test clock may have moved ahead; the audit is about people, and has the service's
-- own.
CREATE FUNCTION audit_decision(
  p_account_id uuid, p_action text, p_details jsonb, p_by jsonb, p_now timestamptz
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_records
    (merchant_id, member_id, account_id, action, details, ip_address, user_agent, at)
  SELECT a.merchant_id, (p_by ->> 'member_id')::uuid, a.id, p_action,
    p_details || CASE
      WHEN p_by ->> 'key_id' IS NOT NULL THEN jsonb_build_object('key_id', p_by ->> 'key_id')
      WHEN p_by ->> 'member_id' IS NULL THEN jsonb_build_object('operator', p_by ->> 'name')
      ELSE '{}' END,
    p_by ->> 'ip_address', p_by ->> 'user_agent',
    p_now - coalesce(c.ahead_ms, 0) * interval '1 millisecond'
  FROM (VALUES (p_account_id)) AS one (account_id)
    LEFT JOIN accounts a ON a.id = one.account_id LEFT JOIN test_clocks c ON c.account_id = a.id
$$;

-- Credits money that is in suspense with a charge that was not paid: the charge becomes one of what
-- was received. Its fee is p_fee_centavos; the split stays what it was, and the amount must be
-- enough for both (TR005).
CREATE FUNCTION ledger_pay_from_suspense(
  p_tx transactions, p_centavos bigint, p_fee_centavos bigint, p_end_to_end_id text,
  p_paid_at timestamptz, p_now timestamptz, p_event_id uuid, p_event_body text,
  p_split_id uuid, p_split_event_id uuid, p_split_event_body text
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_fee_centavos < 0 OR p_fee_centavos + p_tx.split_centavos > p_centavos THEN
    RAISE EXCEPTION 'Transaction %: % is not enough for a fee of % and a split of %.',
        p_tx.id, p_centavos, p_fee_centavos, p_tx.split_centavos
      USING ERRCODE = 'TR005';
  END IF;
  IF (p_tx.amount_centavos, p_tx.fee_centavos) <> (p_centavos, p_fee_centavos) THEN
    UPDATE transactions SET amount_centavos = p_centavos, fee_centavos = p_fee_centavos,
      net_centavos = p_centavos - p_fee_centavos - split_centavos
    WHERE id = p_tx.id;
  END IF;
  PERFORM charge_pay(p_tx.id, p_tx.status, p_end_to_end_id, p_paid_at, p_now, p_event_id,
    p_event_body, p_split_id, p_split_event_id, p_split_event_body, 'suspense');
END $$;

-- Writes a charge that nobody asked for, for money that is in suspense, and credits it. `p_row` is
-- its row of `transactions`.
CREATE FUNCTION ledger_deposit(
  p_row jsonb, p_end_to_end_id text, p_paid_at timestamptz, p_now timestamptz, p_event_id uuid,
  p_event_body text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
BEGIN
  INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos,
    net_centavos, rail, created_at, expires_at, updated_at)
  VALUES (v_tx.id, v_tx.account_id, 'pix_in', 'pending', v_tx.amount_centavos, v_tx.fee_centavos,
    v_tx.amount_centavos - v_tx.fee_centavos, v_tx.rail, p_now, p_now, p_now);
  PERFORM charge_pay(v_tx.id, 'pending', p_end_to_end_id, p_paid_at, p_now, p_event_id,
    p_event_body, NULL, NULL, NULL, 'suspense');
END $$;

-- Unmatched payments ------------------------------------------------------------------------------

-- Puts a payment of no charge of ours into suspense: settlement -> suspense. `p_row` is its row of
-- `unmatched_payments`. Returns false when the payment is known: here, as a charge's, or over
-- another rail that leads to the same account at the provider.
CREATE FUNCTION unmatched_record(p_row jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_new unmatched_payments := jsonb_populate_record(NULL::unmatched_payments, p_row);
  v_rails text[] := rails_beside(v_new.rail);
BEGIN
  -- Two rails may list it at once, or its charge may be settled.
  PERFORM pg_advisory_xact_lock(hashtextextended(v_new.end_to_end_id, 0));
  IF EXISTS (SELECT FROM transactions
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id AND type = 'pix_in')
    OR EXISTS (SELECT FROM reviews r JOIN transactions x ON x.id = r.transaction_id
      WHERE r.end_to_end_id = v_new.end_to_end_id AND x.rail = ANY (v_rails))
    OR EXISTS (SELECT FROM unmatched_payments
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id)
  THEN
    RETURN false;
  END IF;
  INSERT INTO unmatched_payments (id, rail, mode, account_id, end_to_end_id, txid, centavos,
    paid_at, payer_note, created_at)
  VALUES (v_new.id, v_new.rail, v_new.mode, v_new.account_id, v_new.end_to_end_id, v_new.txid,
    v_new.centavos, v_new.paid_at, v_new.payer_note, v_new.created_at)
  ON CONFLICT (end_to_end_id, rail) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  RETURN ledger_post_unmatched('unmatched', v_new.id::text, v_new.created_at,
    ARRAY[ledger_platform_account('pix_settlement', v_new.mode),
          ledger_platform_account('suspense', v_new.mode)],
    ARRAY[-v_new.centavos, v_new.centavos]);
END $$;

-- The unmatched payment with this end-to-end id, locked; its id is null where there is none. None
-- is booked meanwhile: unmatched_record takes the same lock.
CREATE FUNCTION unmatched_of(p_rail text, p_end_to_end_id text) RETURNS unmatched_payments
LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_end_to_end_id, 0));
  SELECT * INTO v_unmatched FROM unmatched_payments
  WHERE end_to_end_id = p_end_to_end_id AND (rail = p_rail OR rail = ANY (rails_beside(p_rail)))
  FOR UPDATE;
  RETURN v_unmatched;
END $$;

-- Returns where the money of a charge that is paid comes from: from suspense where its payment
-- waits there, which ends with that; else from the provider. A PSP may list a payment, or call back
-- about it, without its txid: then it waits among those of no charge. A payment that somebody has
-- decided about is not credited here: TR004.
CREATE FUNCTION unmatched_take(p_tx transactions, p_now timestamptz) RETURNS ledger_account_kind
LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments := unmatched_of(p_tx.rail, p_tx.end_to_end_id);
BEGIN
  IF v_unmatched.id IS NULL THEN RETURN 'pix_settlement'; END IF;
  IF v_unmatched.state <> 'open' OR v_unmatched.returned_centavos > 0
    OR v_unmatched.centavos <> p_tx.amount_centavos
  THEN
    RAISE EXCEPTION 'Transaction %: unmatched payment % is % already.',
        p_tx.id, p_tx.end_to_end_id, v_unmatched.state
      USING ERRCODE = 'TR004';
  END IF;
  UPDATE unmatched_payments SET state = 'assigned', transaction_id = p_tx.id,
    decided_by = 'provider', decided_at = p_now
  WHERE id = v_unmatched.id;
  RETURN 'suspense';
END $$;

-- Locks an unmatched payment for a decision. Returns null when it waits for none, or when it has
-- p_left no longer: the caller has decided about another amount.
CREATE FUNCTION unmatched_lock(p_id uuid, p_left bigint) RETURNS unmatched_payments
LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments;
BEGIN
  SELECT * INTO v_unmatched FROM unmatched_payments
  WHERE id = p_id AND state = 'open' AND centavos - returned_centavos = p_left FOR UPDATE;
  RETURN v_unmatched;
END $$;

-- Credits an unmatched payment as that of a charge which is not paid. Returns 'assigned', 'decided'
-- (it waits for no decision any more, or its amount has changed), 'other_rail' (the charge was made
-- with other credentials, or in the other mode), or 'not_open' (the charge is not p_from).
CREATE FUNCTION unmatched_assign(
  p_id uuid, p_left bigint, p_transaction_id uuid, p_from transaction_status, p_fee_centavos bigint,
  p_reason text, p_by jsonb, p_now timestamptz, p_event_id uuid, p_event_body text,
  p_split_id uuid, p_split_event_id uuid, p_split_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_unmatched unmatched_payments := unmatched_lock(p_id, p_left);
BEGIN
  IF v_unmatched.id IS NULL THEN RETURN 'decided'; END IF;
  IF v_tx.rail <> v_unmatched.rail OR account_mode(v_tx.account_id) <> v_unmatched.mode THEN
    RETURN 'other_rail';
  END IF;
  IF v_tx.status <> p_from OR v_tx.status NOT IN ('pending', 'expired', 'cancelled', 'failed') THEN
    RETURN 'not_open';
  END IF;
  PERFORM ledger_pay_from_suspense(v_tx, p_left, p_fee_centavos, v_unmatched.end_to_end_id,
    v_unmatched.paid_at, p_now, p_event_id, p_event_body,
    p_split_id, p_split_event_id, p_split_event_body);
  UPDATE unmatched_payments SET state = 'assigned', transaction_id = v_tx.id, reason = p_reason,
    decided_by = p_by ->> 'name', decided_at = p_now WHERE id = p_id;
  PERFORM audit_decision(v_tx.account_id, 'unmatched.assigned', jsonb_build_object(
    'subject', v_tx.id, 'centavos', p_left, 'end_to_end_id', v_unmatched.end_to_end_id,
    'reason', p_reason), p_by, p_now);
  RETURN 'assigned';
END $$;

-- Credits an unmatched payment to an account without a charge. `p_row` is the row of `transactions`
-- that it gets. Returns 'deposited', 'decided' or 'other_rail' as above.
CREATE FUNCTION unmatched_deposit(
  p_id uuid, p_left bigint, p_row jsonb, p_reason text, p_by jsonb, p_now timestamptz,
  p_event_id uuid, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := jsonb_populate_record(NULL::transactions, p_row);
  v_unmatched unmatched_payments := unmatched_lock(p_id, p_left);
BEGIN
  IF v_unmatched.id IS NULL THEN RETURN 'decided'; END IF;
  IF v_tx.rail <> v_unmatched.rail OR account_mode(v_tx.account_id) <> v_unmatched.mode
    -- What is in a merchant's own account at a PSP can be paid out to nobody else.
    OR v_tx.account_id <> v_unmatched.account_id
  THEN
    RETURN 'other_rail';
  END IF;
  IF v_tx.amount_centavos <> p_left THEN
    RAISE EXCEPTION 'Unmatched payment %: it has %, not %.', p_id, p_left, v_tx.amount_centavos
      USING ERRCODE = 'TR005';
  END IF;
  PERFORM ledger_deposit(p_row, v_unmatched.end_to_end_id, v_unmatched.paid_at, p_now, p_event_id,
    p_event_body);
  UPDATE unmatched_payments SET state = 'deposited', transaction_id = v_tx.id, reason = p_reason,
    decided_by = p_by ->> 'name', decided_at = p_now WHERE id = p_id;
  PERFORM audit_decision(v_tx.account_id, 'unmatched.deposited', jsonb_build_object(
    'subject', v_tx.id, 'centavos', p_left, 'end_to_end_id', v_unmatched.end_to_end_id,
    'reason', p_reason), p_by, p_now);
  RETURN 'deposited';
END $$;

-- Has an unmatched payment sent back to its payer, and writes the task that does it. Returns
-- 'returning' or 'decided'.
CREATE FUNCTION unmatched_return(
  p_id uuid, p_left bigint, p_return_id uuid, p_reason text, p_by jsonb, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments := unmatched_lock(p_id, p_left);
BEGIN
  IF v_unmatched.id IS NULL THEN RETURN 'decided'; END IF;
  UPDATE unmatched_payments SET state = 'returning', reason = p_reason,
    decided_by = p_by ->> 'name', decided_at = p_now WHERE id = p_id;
  INSERT INTO payment_returns (id, unmatched_id, rail, end_to_end_id, centavos, created_at)
  VALUES (p_return_id, p_id, v_unmatched.rail, v_unmatched.end_to_end_id, p_left, p_now);
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('return_payment', p_return_id, p_now);
  PERFORM audit_decision(v_unmatched.account_id, 'unmatched.returning', jsonb_build_object(
    'centavos', p_left, 'end_to_end_id', v_unmatched.end_to_end_id, 'reason', p_reason),
    p_by, p_now);
  RETURN 'returning';
END $$;

-- Takes money of an unmatched payment that went back to its payer: out of suspense what that has of
-- it, and from the platform the rest. p_reference names the devolução. Returns false when that was
-- done before.
CREATE FUNCTION ledger_unmatched_returned(
  p_id uuid, p_reference text, p_centavos bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_unmatched unmatched_payments;
  v_held bigint;
BEGIN
  SELECT * INTO STRICT v_unmatched FROM unmatched_payments WHERE id = p_id FOR UPDATE;
  v_held := greatest(least(v_unmatched.centavos - v_unmatched.returned_centavos, p_centavos), 0);
  IF NOT ledger_post_unmatched('unmatched_returned', p_reference, p_now,
    ARRAY[ledger_platform_account('suspense', v_unmatched.mode),
          ledger_platform_account('write_offs', v_unmatched.mode),
          ledger_platform_account('pix_settlement', v_unmatched.mode)],
    ARRAY[-v_held, v_held - p_centavos, p_centavos])
  THEN
    RETURN false;
  END IF;
  UPDATE unmatched_payments SET returned_centavos = returned_centavos + p_centavos,
    state = CASE WHEN returned_centavos + p_centavos >= centavos THEN 'returned' ELSE state END
  WHERE id = p_id;
  RETURN true;
END $$;

-- Money that went back without a request of ours --------------------------------------------------

CREATE TYPE ledger_taking AS (accounts bigint[], amounts bigint[]);

-- Returns the legs that take an amount from an account that may not have it: what is available, and
-- the rest as owed. The available balance stays locked.
CREATE FUNCTION ledger_take(p_account_id uuid, p_centavos bigint) RETURNS ledger_taking
LANGUAGE plpgsql AS $$
DECLARE
  v_available ledger_accounts;
  v_paid bigint;
  v_taken ledger_taking;
BEGIN
  SELECT * INTO STRICT v_available FROM ledger_accounts
  WHERE account_id = p_account_id AND kind = 'available' FOR UPDATE;
  v_paid := least(v_available.balance_centavos, p_centavos);
  v_taken := (ARRAY[v_available.id], ARRAY[-v_paid]);
  IF v_paid < p_centavos THEN
    INSERT INTO ledger_accounts (account_id, kind, mode, balance_centavos)
    VALUES (p_account_id, 'owed', v_available.mode, 0) ON CONFLICT (account_id, kind) DO NOTHING;
    v_taken := (v_taken.accounts || ledger_account(p_account_id, 'owed'),
      v_taken.amounts || (v_paid - p_centavos));
  END IF;
  RETURN v_taken;
END $$;

-- The settlement account of a type of withdrawal.
CREATE FUNCTION payout_settlement(p_type transaction_type) RETURNS ledger_account_kind
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_type WHEN 'pix_out' THEN 'pix_settlement' ELSE 'crypto_settlement'
    END::ledger_account_kind
$$;

-- A devolução made elsewhere: available -> settlement, and what the account does not have is owed
-- by it. p_held of it a dispute has held: blocked -> settlement.
CREATE FUNCTION ledger_foreign_refund(
  p_tx transactions, p_reference text, p_centavos bigint, p_held bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_taken ledger_taking := ledger_take(p_tx.account_id, p_centavos - p_held);
BEGIN
  RETURN ledger_post(p_tx.id, 'foreign_refund', p_reference, p_now,
    v_taken.accounts || ARRAY[ledger_account(p_tx.account_id, 'blocked'),
      ledger_platform_account('pix_settlement', account_mode(p_tx.account_id))],
    v_taken.amounts || ARRAY[-p_held, p_centavos]);
END $$;

-- Books a devolução that the service did not ask for, once: from the account that its payment was
-- credited to, from suspense, or from what was written off. `p_row` is its row of
-- `foreign_refunds`, with `at`, when it was made; p_refunded is what the charge has said of its
-- refunds so far, by which the caller has made the event. It is booked over the rail of its
-- payment: credentials that were replaced may lead to the same account at the provider, and two
-- rails that list it book it once. Returns 'booked', 'known', 'unknown_payment' or 'changed' (the
-- caller has to look again: so where somebody credits the payment at the same time).
CREATE FUNCTION foreign_refund_record(
  p_row jsonb, p_transaction_id uuid, p_refunded bigint, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_new foreign_refunds := jsonb_populate_record(NULL::foreign_refunds, p_row);
  v_tx transactions;
  v_reviewed_id uuid;
  v_rails text[] := rails_beside(v_new.rail);
BEGIN
  IF EXISTS (SELECT FROM foreign_refunds WHERE rail = ANY (v_rails)
    AND (end_to_end_id, refund_id) = (v_new.end_to_end_id, v_new.refund_id))
  THEN
    RETURN 'known';
  END IF;
  SELECT * INTO v_tx FROM transactions
  WHERE end_to_end_id = v_new.end_to_end_id AND rail = ANY (v_rails) AND type = 'pix_in' FOR UPDATE;
  IF v_tx.id IS DISTINCT FROM p_transaction_id THEN RETURN 'changed'; END IF;
  IF v_tx.id IS NOT NULL THEN
    IF v_tx.refunded_centavos <> p_refunded THEN RETURN 'changed'; END IF;
    v_new.transaction_id := v_tx.id;
    v_new.rail := v_tx.rail;
  ELSE
    SELECT r.id, x.id, x.rail INTO v_new.review_id, v_reviewed_id, v_new.rail
    FROM reviews r JOIN transactions x ON x.id = r.transaction_id
    WHERE r.end_to_end_id = v_new.end_to_end_id AND x.rail = ANY (v_rails) AND x.type = 'pix_in'
      AND (r.resolved_at IS NULL OR r.resolution IN ('return', 'write_off'));
    IF NOT FOUND THEN
      SELECT id, rail INTO v_new.unmatched_id, v_new.rail FROM unmatched_payments
      WHERE end_to_end_id = v_new.end_to_end_id AND rail = ANY (v_rails)
        AND state IN ('open', 'returning', 'returned') FOR UPDATE;
      IF NOT FOUND THEN
        RETURN CASE WHEN EXISTS (SELECT FROM unmatched_payments
            WHERE end_to_end_id = v_new.end_to_end_id AND rail = ANY (v_rails)
              AND state IN ('assigned', 'deposited'))
          THEN 'changed' ELSE 'unknown_payment' END;
      END IF;
    ELSE
      -- As review_lock does: whoever decided meanwhile has taken the money out of suspense.
      PERFORM FROM transactions WHERE id = v_reviewed_id FOR UPDATE;
      PERFORM FROM reviews WHERE id = v_new.review_id
        AND (resolved_at IS NULL OR resolution IN ('return', 'write_off')) FOR UPDATE;
      IF NOT FOUND THEN RETURN 'changed'; END IF;
    END IF;
  END IF;
  INSERT INTO foreign_refunds (id, rail, end_to_end_id, refund_id, return_id, kind, centavos,
    transaction_id, review_id, unmatched_id, created_at)
  VALUES (v_new.id, v_new.rail, v_new.end_to_end_id, v_new.refund_id, v_new.return_id, v_new.kind,
    v_new.centavos, v_new.transaction_id, v_new.review_id, v_new.unmatched_id, p_now)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'known'; END IF;
  IF v_new.review_id IS NOT NULL THEN
    PERFORM ledger_review_returned(v_new.review_id, v_new.id::text, v_new.centavos, p_now);
  ELSIF v_new.unmatched_id IS NOT NULL THEN
    PERFORM ledger_unmatched_returned(v_new.unmatched_id, v_new.id::text, v_new.centavos, p_now);
  ELSE
    PERFORM ledger_foreign_refund(v_tx, v_new.id::text, v_new.centavos,
      CASE v_new.kind WHEN 'med_return' THEN ledger_dispute_returned(v_new, v_tx,
          least((p_row ->> 'at')::timestamptz, p_now), p_now)
        ELSE ledger_dispute_covered(v_new, v_tx) END,
      p_now);
    UPDATE transactions SET refunded_centavos = refunded_centavos + v_new.centavos,
      updated_at = p_now,
      status = CASE WHEN refunded_centavos + v_new.centavos >= amount_centavos THEN 'refunded'
        ELSE status END
    WHERE id = v_tx.id;
    PERFORM event_emit(v_tx, 'deposit', p_event_id, p_event_type, p_event_body, p_now);
  END IF;
  RETURN 'booked';
END $$;

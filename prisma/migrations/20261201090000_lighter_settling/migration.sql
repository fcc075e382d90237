-- What settling a charge costs PostgreSQL, again: an expression is prepared whole in each
-- transaction that runs it, however little of it is evaluated; each statement of a function costs
-- some 10 µs before its first row; and each index of a row that changes gets an entry.

-- In plain SQL it is a part of the expression that calls it, and no call.
CREATE OR REPLACE FUNCTION transaction_has_status(
  p_type transaction_type, p_status transaction_status
) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_type
    WHEN 'pix_in' THEN
      p_status IN ('pending', 'paid', 'expired', 'cancelled', 'failed', 'review', 'refunded')
    WHEN 'pix_out' THEN
      p_status IN ('pending', 'processing', 'paid', 'failed', 'review', 'cancelled')
    WHEN 'crypto_in' THEN p_status IN ('pending', 'completed', 'expired', 'cancelled', 'failed')
    WHEN 'crypto_out' THEN p_status IN ('pending', 'completed', 'failed', 'review')
    WHEN 'split_in' THEN p_status = 'paid'
  END
$$;

-- The rules of a transaction (see 20261122162000_initial), in two parts: those of every
-- transaction, and those of columns in which most charges keep the defaults. The second part is
-- not read for a charge that has these defaults, because they break none of its rules.
CREATE OR REPLACE FUNCTION transaction_check(t transactions) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_broken text := CASE
    WHEN NOT (t.amount_centavos > 0 AND t.fee_centavos >= 0 AND t.split_centavos >= 0
      AND t.net_centavos >= 0
      -- Incoming amounts are divided. An outgoing PIX pays its fee on top of the amount, an
      -- outgoing crypto transfer pays it out of the amount.
      AND CASE t.type
        WHEN 'pix_in' THEN t.amount_centavos = t.net_centavos + t.fee_centavos + t.split_centavos
        WHEN 'pix_out' THEN t.amount_centavos = t.net_centavos AND t.split_centavos = 0
        ELSE t.amount_centavos = t.net_centavos + t.fee_centavos AND t.split_centavos = 0 END)
      THEN 'amounts'
    WHEN NOT transaction_has_status(t.type, t.status) THEN 'status'
    WHEN NOT ((t.split_account_id IS NULL) = (t.split_centavos = 0)
      AND t.split_account_id <> t.account_id) THEN 'split'
    WHEN t.refunded_centavos NOT BETWEEN 0 AND t.amount_centavos THEN 'refunded'
  END;
BEGIN
  IF v_broken IS NULL AND (t.type <> 'pix_in'
    OR num_nonnulls(t.split_of_id, t.pix_key, t.pix_key_type, t.currency, t.sub_status,
      t.scheduled_for, t.begun_at, t.payout_step) > 0
    OR (t.credited_centavos, t.credited_fee_centavos, t.reviewed_centavos, t.received_units,
      t.in_time_units, t.settled_units, t.quoted_units) <> (0, 0, 0, 0, 0, 0, 0))
  THEN
    v_broken := CASE
      WHEN (t.type = 'split_in') <> (t.split_of_id IS NOT NULL) THEN 'split_in'
      WHEN (t.pix_key IS NULL) <> (t.pix_key_type IS NULL)
        -- One without a key was made in the bank's application, and is known since it was paid.
        OR CASE WHEN t.type = 'pix_out' THEN t.pix_key IS NULL AND t.status <> 'paid'
          ELSE t.pix_key IS NOT NULL END
        THEN 'pix_key'
      WHEN (t.type IN ('crypto_in', 'crypto_out'))
        <> (t.currency IS NOT NULL AND t.units IS NOT NULL AND t.quote_price IS NOT NULL)
        OR t.type = 'crypto_out' AND t.wallet IS NULL THEN 'crypto'
      WHEN t.sub_status IS NOT NULL AND NOT CASE
        WHEN t.type = 'crypto_in' THEN t.sub_status
          IN ('partial', 'detected', 'underpaid', 'overpaid', 'late', 'paid_again')
        WHEN t.type IN ('pix_out', 'crypto_out') THEN
          t.sub_status IN ('pending_approval', 'scheduled') AND t.status = 'pending'
          AND t.payout_step IS NULL
        ELSE false END THEN 'sub_status'
      -- What is scheduled waits, has begun, or has ended without that.
      WHEN NOT CASE
        WHEN t.scheduled_for IS NULL THEN t.begun_at IS NULL
          AND t.sub_status IS DISTINCT FROM 'scheduled'
          AND (t.type <> 'pix_out' OR t.status <> 'cancelled')
        WHEN t.begun_at IS NULL THEN t.type = 'pix_out' AND CASE t.status
          WHEN 'pending' THEN t.sub_status IS NOT NULL ELSE t.status IN ('failed', 'cancelled') END
        ELSE t.type = 'pix_out' AND t.sub_status IS NULL AND t.status <> 'cancelled' END
        THEN 'scheduled'
      WHEN t.payout_step NOT IN ('sending', 'unknown', 'sent') THEN 'payout_step'
      WHEN NOT (t.received_units >= 0
        AND t.credited_centavos >= t.credited_fee_centavos AND t.credited_fee_centavos >= 0
        AND (t.type = 'crypto_in' OR t.credited_centavos = 0)) THEN 'credited'
      WHEN NOT (0 <= t.quoted_units AND t.quoted_units <= t.settled_units
        AND t.settled_units <= t.received_units
        AND 0 <= t.in_time_units AND t.in_time_units <= t.received_units
        AND t.reviewed_centavos >= 0
        AND (t.type = 'crypto_in' OR t.received_units = 0 AND t.reviewed_centavos = 0))
        THEN 'settled'
    END;
  END IF;
  IF v_broken IS NULL THEN RETURN true; END IF;
  RAISE EXCEPTION 'Transaction % breaks the rule transactions_%.', t.id, v_broken
    USING ERRCODE = 'check_violation', TABLE = 'transactions',
      CONSTRAINT = 'transactions_' || v_broken;
END $$;

-- charge_pay (see 20261128100004_unmatched_and_its_charge). One look for what the payment was
-- booked as before.
CREATE OR REPLACE FUNCTION charge_pay(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_paid_at timestamptz,
  p_now timestamptz, p_event_id uuid, p_event_body text,
  p_split_id uuid, p_split_event_id uuid, p_split_event_body text,
  p_source ledger_account_kind DEFAULT 'pix_settlement'
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_source ledger_account_kind := p_source;
  v_is_unmatched boolean := false;
  v_is_in_suspense boolean := false;
  v_split transactions;
BEGIN
  LOOP
    UPDATE transactions
    SET status = 'paid', end_to_end_id = p_end_to_end_id, paid_at = p_paid_at, updated_at = p_now
    WHERE id = p_transaction_id AND type = 'pix_in' AND status = p_from
    RETURNING * INTO v_tx;
    EXIT WHEN FOUND;
    v_tx := ledger_lock_transaction(p_transaction_id, '{pix_in}');
    IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
    -- It was given this status meanwhile, and is locked now.
  END LOOP;
  IF p_source = 'pix_settlement' THEN
    -- The lock of unmatched_of: the payment isn't booked as unmatched meanwhile.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_end_to_end_id, 0));
    SELECT EXISTS (SELECT FROM unmatched_payments WHERE end_to_end_id = p_end_to_end_id),
      EXISTS (SELECT FROM ledger_transfers
        WHERE transaction_id = v_tx.id AND kind = 'suspense' AND reference = p_end_to_end_id)
    INTO v_is_unmatched, v_is_in_suspense;
    IF v_is_unmatched THEN v_source := unmatched_take(v_tx, p_now); END IF;
  END IF;
  IF v_is_in_suspense OR NOT ledger_credit_charge(v_tx, p_now, v_source) THEN
    RAISE EXCEPTION 'Transaction %: it is credited already, or payment % is in suspense.',
        v_tx.id, p_end_to_end_id
      USING ERRCODE = 'TR004';
  END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.paid', p_event_body, p_now);
  IF v_tx.split_account_id IS NOT NULL THEN
    INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos,
      net_centavos, rail, split_of_id, created_at, paid_at, updated_at)
    VALUES (p_split_id, v_tx.split_account_id, 'split_in', 'paid', v_tx.split_centavos, 0,
      v_tx.split_centavos, v_tx.rail, v_tx.id, p_now, p_now, p_now)
    RETURNING * INTO v_split;
    PERFORM event_emit(v_split, 'deposit', p_split_event_id, 'split_in.paid', p_split_event_body,
      p_now);
  END IF;
  DELETE FROM tasks WHERE kind = 'sync_charge' AND subject_id = v_tx.id;
  RETURN p_from;
END $$;

-- Of those that have a document, as the other columns that most rows leave empty.
DROP INDEX transactions_account_id_customer_document_index_id_idx;
CREATE INDEX transactions_customer ON transactions (account_id, customer_document_index, id DESC)
  WHERE customer_document_index IS NOT NULL;

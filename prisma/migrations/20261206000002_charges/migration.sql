-- Events and charges. The functions change the status, post to the ledger and write the event, its
-- delivery and the tasks, all in one statement of the caller.

-- Events ------------------------------------------------------------------------------------------

-- The status of a transaction whose money has moved: only crypto transactions end as completed.
CREATE FUNCTION settled_status(p_type transaction_type) RETURNS transaction_status
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_type IN ('crypto_in', 'crypto_out') THEN 'completed' ELSE 'paid'
    END::transaction_status
$$;

-- Writes an event and, unless p_deliver is false, its deliveries. One goes to the transaction's own
-- URL, else to the account's endpoint of the topic. A disabled endpoint, or one without a URL,
-- holds the delivery until the merchant sends it. An account that never had an endpoint for the
-- topic gets a disabled one without a URL, like one whose URL was removed. Besides, one goes to
-- each endpoint without a topic that is enabled and takes events of this type.
CREATE FUNCTION event_emit(
  p_tx transactions, p_topic topic, p_event_id uuid, p_type text, p_body text, p_now timestamptz,
  p_deliver boolean DEFAULT true
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_delivery uuid := gen_random_uuid();
  v_endpoint uuid;
  v_url text;
  v_disabled_at timestamptz;
  v_has_api_endpoint boolean;
BEGIN
  INSERT INTO events (id, account_id, transaction_id, type, body, created_at)
  VALUES (p_event_id, p_tx.account_id, p_tx.id, p_type, p_body, p_now);
  IF NOT p_deliver THEN RETURN; END IF;

  SELECT n.id, n.url, n.disabled_at,
    EXISTS (SELECT FROM endpoints WHERE account_id = p_tx.account_id AND topic IS NULL)
  INTO v_endpoint, v_url, v_disabled_at, v_has_api_endpoint
  FROM (SELECT) AS one
    LEFT JOIN endpoints n ON n.account_id = p_tx.account_id AND n.topic = p_topic;
  IF v_has_api_endpoint THEN
    WITH listening AS (
      SELECT id, url FROM endpoints
      WHERE account_id = p_tx.account_id AND topic IS NULL AND removed_at IS NULL
        AND disabled_at IS NULL AND (event_types = '{}' OR p_type = ANY (event_types))
    ), made AS (
      INSERT INTO deliveries (id, event_id, endpoint_id, url, created_at)
      SELECT gen_random_uuid(), p_event_id, id, url, p_now FROM listening RETURNING id
    )
    INSERT INTO tasks (kind, subject_id, due_at) SELECT 'deliver_webhook', id, p_now FROM made;
  END IF;

  IF p_tx.callback_url IS NOT NULL THEN
    INSERT INTO deliveries (id, event_id, url, created_at)
    VALUES (v_delivery, p_event_id, p_tx.callback_url, p_now);
  ELSE
    IF v_endpoint IS NULL THEN
      INSERT INTO endpoints (id, account_id, topic, url, disabled_at, created_at)
      VALUES (gen_random_uuid(), p_tx.account_id, p_topic, '', p_now, p_now)
      ON CONFLICT (account_id, topic) DO NOTHING;
      SELECT id, url, disabled_at INTO STRICT v_endpoint, v_url, v_disabled_at FROM endpoints
      WHERE account_id = p_tx.account_id AND topic = p_topic;
    END IF;
    INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at)
    VALUES (v_delivery, p_event_id, v_endpoint, v_url,
      CASE WHEN v_disabled_at IS NULL THEN 'pending' ELSE 'held' END::delivery_status, p_now);
    IF v_disabled_at IS NOT NULL THEN RETURN; END IF;
  END IF;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('deliver_webhook', v_delivery, p_now);
END $$;

-- References --------------------------------------------------------------------------------------

-- Returns a transaction of the account that has this reference, or one of whose refunds has it;
-- null where there is none, where p_id exists (what was written before is not judged again), or
-- where nothing is to be looked for (p_indexes null: the reference's fingerprints of every master
-- key). What failed does not count: nothing came of it. Who asks at the same time for the same
-- reference waits until this transaction has ended, and sees then what it wrote: of any number one
-- gets the reference. Called before anything else is locked, so that nobody who waits here holds a
-- lock that the one before needs.
CREATE FUNCTION reference_holder(p_account_id uuid, p_id uuid, p_indexes bytea[]) RETURNS uuid
LANGUAGE plpgsql STRICT AS $$
DECLARE
  v_index bytea;
  v_holder uuid;
BEGIN
  FOR v_index IN SELECT one FROM unnest(p_indexes) AS given (one) ORDER BY one LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended(encode(v_index, 'hex'), 0));
  END LOOP;
  IF EXISTS (SELECT FROM transactions WHERE id = p_id)
    OR EXISTS (SELECT FROM refunds WHERE id = p_id)
  THEN
    RETURN NULL;
  END IF;
  SELECT found.id INTO v_holder FROM (
    SELECT id FROM transactions
    WHERE account_id = p_account_id AND reference_index = ANY (p_indexes) AND status <> 'failed'
    UNION ALL
    SELECT transaction_id FROM refunds
    WHERE account_id = p_account_id AND reference_index = ANY (p_indexes) AND status <> 'failed'
  ) AS found LIMIT 1;
  RETURN v_holder;
END $$;

-- Charges -----------------------------------------------------------------------------------------
-- Each function returns the status that the charge had before. When that is not p_from, nothing was
-- done, and the caller has to decide again. A change that would credit one payment twice raises
-- TR004.

-- Marks a charge as paid and credits it. The account that receives a split gets a transaction of
-- its own, p_split_id, without data of the payer or of the other account, and an event of its own.
-- The money of the split is in the charge's transfer. p_source: where the money is, unless it has
-- just arrived.
CREATE FUNCTION charge_pay(
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

-- Closes a charge without money: as expired, cancelled or failed. One in review is cancelled once
-- nothing of it is in suspense any more.
CREATE FUNCTION charge_close(
  p_transaction_id uuid, p_from transaction_status, p_to transaction_status, p_now timestamptz,
  p_event_id uuid, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF NOT (p_from = 'pending' AND p_to IN ('expired', 'cancelled', 'failed')
    OR p_from = 'review' AND p_to = 'cancelled'
      AND NOT EXISTS (SELECT FROM reviews WHERE transaction_id = v_tx.id AND resolved_at IS NULL))
  THEN
    RAISE EXCEPTION 'A charge that is % is not closed as %.', p_from, p_to USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = p_to, updated_at = p_now WHERE id = v_tx.id;
  -- The merchant never got the id of a failed charge: it would mean nothing to their receiver.
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.' || p_to, p_event_body, p_now,
    p_to <> 'failed');
  DELETE FROM tasks WHERE kind = 'sync_charge' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- Puts a payment that can't be credited into suspense and opens a review, once per payment. The
-- charge is in review until an operator decides, unless this is a second payment of a charge that
-- is paid already.
CREATE FUNCTION charge_review(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_received bigint,
  p_paid_at timestamptz, p_reason text, p_now timestamptz, p_review_id uuid, p_event_id uuid,
  p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF EXISTS (
    SELECT FROM transactions
    WHERE rail = v_tx.rail AND end_to_end_id = p_end_to_end_id AND type = 'pix_in'
  ) THEN
    RAISE EXCEPTION 'Transaction %: payment % is credited already.', v_tx.id, p_end_to_end_id
      USING ERRCODE = 'TR004';
  END IF;
  IF (unmatched_of(v_tx.rail, p_end_to_end_id)).id IS NOT NULL THEN
    RAISE EXCEPTION 'Transaction %: payment % waits for another decision, or had one.',
        v_tx.id, p_end_to_end_id
      USING ERRCODE = 'TR004';
  END IF;
  IF NOT ledger_suspense(v_tx.id, p_end_to_end_id, p_received, p_now) THEN
    RETURN v_tx.status;
  END IF;
  INSERT INTO reviews (id, transaction_id, reason, expected_centavos, received_centavos,
    end_to_end_id, paid_at, created_at)
  VALUES (p_review_id, v_tx.id, p_reason, v_tx.amount_centavos, p_received,
    p_end_to_end_id, p_paid_at, p_now);
  IF v_tx.status NOT IN ('paid', 'refunded', 'review') THEN
    UPDATE transactions SET status = 'review', updated_at = p_now WHERE id = v_tx.id;
    DELETE FROM tasks WHERE kind = 'sync_charge' AND subject_id = v_tx.id;
  END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.review', p_event_body, p_now);
  RETURN v_tx.status;
END $$;

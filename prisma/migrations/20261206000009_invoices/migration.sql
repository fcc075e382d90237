-- Invoices: what a crypto payment is credited at is described in
-- docs/adr/0001-price-of-late-crypto-payments.md.

-- Applies what the processor reported about an invoice: its status, what has arrived, and what of
-- it is pending, credited and in review. `p_from` and `p_to` are columns of `transactions`. Returns
-- false and does nothing when the row differs from p_from, or from what an operator has decided
-- about its reviews by then, on which the caller based its decision, its event and its fee.
-- `p_increments` are the parts that this step prices, each with the id of its review. One that
-- exists already, or parts that do not add up to the difference of the totals, raise TR005. An
-- event is written only when p_event_id is given.
CREATE FUNCTION invoice_settle(
  p_transaction_id uuid, p_from jsonb, p_to jsonb, p_pending bigint, p_increments jsonb,
  p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
  v_from transactions := jsonb_populate_record(NULL::transactions, p_from);
  v_to transactions := jsonb_populate_record(NULL::transactions, p_to);
  v_increment record;
  v_new record;
BEGIN
  IF (v_tx.status, v_tx.sub_status, v_tx.received_units, v_tx.in_time_units, v_tx.settled_units,
      v_tx.quoted_units, v_tx.credited_centavos, v_tx.credited_fee_centavos, v_tx.reviewed_centavos)
    IS DISTINCT FROM
     (v_from.status, v_from.sub_status, v_from.received_units, v_from.in_time_units,
      v_from.settled_units, v_from.quoted_units, v_from.credited_centavos,
      v_from.credited_fee_centavos, v_from.reviewed_centavos)
  THEN
    RETURN false;
  END IF;
  -- A caller of an earlier version does not say what was decided.
  IF v_tx.reviewed_centavos > 0 AND (p_from ->> 'decided_centavos')::bigint
    <> (SELECT centavos FROM invoice_decided(v_tx.id))
  THEN
    RETURN false;
  END IF;
  IF v_to.status <> v_tx.status
    AND NOT (v_tx.status <> 'completed' AND v_to.status = 'completed'
      OR v_tx.status = 'pending' AND v_to.status IN ('expired', 'cancelled', 'failed'))
  THEN
    RAISE EXCEPTION 'An invoice that is % does not become %.', v_tx.status, v_to.status
      USING ERRCODE = 'TR004';
  END IF;

  SELECT coalesce(sum(i.units), 0) AS settled,
    coalesce(sum(i.units) FILTER (WHERE i.is_quoted), 0) AS quoted,
    coalesce(sum(i.credited_centavos), 0) AS credited,
    coalesce(sum(i.reviewed_centavos), 0) AS reviewed
  INTO v_new FROM jsonb_populate_recordset(NULL::invoice_increments, p_increments) AS i;
  IF (v_to.settled_units - v_tx.settled_units, v_to.quoted_units - v_tx.quoted_units,
      v_to.credited_centavos - v_tx.credited_centavos,
      v_to.reviewed_centavos - v_tx.reviewed_centavos)
    IS DISTINCT FROM (v_new.settled, v_new.quoted, v_new.credited, v_new.reviewed)
  THEN
    RAISE EXCEPTION 'Invoice %: its totals do not change by what is priced.', v_tx.id
      USING ERRCODE = 'TR005';
  END IF;

  UPDATE transactions SET status = v_to.status, sub_status = v_to.sub_status,
    received_units = v_to.received_units, in_time_units = v_to.in_time_units,
    settled_units = v_to.settled_units, quoted_units = v_to.quoted_units,
    credited_centavos = v_to.credited_centavos, credited_fee_centavos = v_to.credited_fee_centavos,
    reviewed_centavos = v_to.reviewed_centavos, confirmations = v_to.confirmations,
    confirmations_needed = coalesce(v_to.confirmations_needed, confirmations_needed),
    tx_hashes = v_to.tx_hashes, paid_at = coalesce(paid_at, v_to.paid_at), updated_at = p_now
  WHERE id = v_tx.id;

  FOR v_increment IN SELECT * FROM jsonb_to_recordset(p_increments) AS i(units_before bigint,
    units bigint, price bigint, is_quoted boolean, credited_centavos bigint,
    reviewed_centavos bigint, review_id uuid)
  LOOP
    INSERT INTO invoice_increments (transaction_id, units_before, units, price, is_quoted,
      credited_centavos, reviewed_centavos, created_at)
    VALUES (v_tx.id, v_increment.units_before, v_increment.units, v_increment.price,
      v_increment.is_quoted, v_increment.credited_centavos, v_increment.reviewed_centavos, p_now);
    CONTINUE WHEN v_increment.reviewed_centavos = 0;
    PERFORM ledger_suspense(v_tx.id, v_increment.units_before::text, v_increment.reviewed_centavos,
      p_now);
    INSERT INTO reviews
      (id, transaction_id, reason, expected_centavos, received_centavos, end_to_end_id, created_at)
    VALUES (v_increment.review_id, v_tx.id, 'above_maximum', v_tx.amount_centavos,
      v_increment.reviewed_centavos, v_increment.units_before::text, p_now);
  END LOOP;

  PERFORM ledger_crypto_received(v_tx.id, p_pending,
    v_to.credited_centavos - v_to.credited_fee_centavos, v_to.credited_fee_centavos, p_now);
  IF p_event_id IS NOT NULL THEN
    PERFORM event_emit(v_tx, 'usdt', p_event_id, p_event_type, p_event_body, p_now);
  END IF;
  RETURN true;
END $$;

-- Fails an invoice that the processor did not create. The merchant never got its id, so its event
-- is not delivered. Returns false when it has received something or is not pending any more.
CREATE FUNCTION invoice_fail(
  p_transaction_id uuid, p_now timestamptz, p_event_id uuid, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
BEGIN
  IF v_tx.status <> 'pending' OR v_tx.received_units > 0 THEN RETURN false; END IF;
  UPDATE transactions SET status = 'failed', updated_at = p_now WHERE id = v_tx.id;
  PERFORM event_emit(v_tx, 'usdt', p_event_id, 'crypto_in.failed', p_event_body, p_now, false);
  RETURN true;
END $$;

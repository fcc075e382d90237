-- Late, excess and repeated payments of a crypto invoice are credited at the worse of its quote and a quote of now, up to a maximum;
-- the rest goes to suspense with a review. See docs/adr/0001-price-of-late-crypto-payments.md.

-- 1. What is known of an invoice's payments, and what each part of them was priced at ----------------------------------

ALTER TABLE "transactions"
  ADD COLUMN "in_time_units" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "quoted_units" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "reviewed_centavos" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "settled_units" BIGINT NOT NULL DEFAULT 0;

CREATE TABLE "invoice_increments" (
    "transaction_id" UUID NOT NULL,
    "units_before" BIGINT NOT NULL,
    "units" BIGINT NOT NULL,
    "price" BIGINT NOT NULL,
    "is_quoted" BOOLEAN NOT NULL,
    "credited_centavos" BIGINT NOT NULL,
    "reviewed_centavos" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_increments_pkey" PRIMARY KEY ("transaction_id","units_before")
);

ALTER TABLE "invoice_increments" ADD CONSTRAINT "invoice_increments_transaction_id_fkey"
  FOREIGN KEY ("transaction_id") REFERENCES "transactions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What has arrived before counts as seen in time, and what is credited keeps its price. Where there is an excess, it begins at
-- the first unit above the last whole centavo: both parts rounded down by themselves would leave a centavo between them.
UPDATE transactions SET in_time_units = received_units,
  settled_units = CASE WHEN credited_centavos > 0 THEN received_units ELSE 0 END,
  quoted_units = CASE WHEN credited_centavos = 0 THEN 0 WHEN received_units <= asked.units_max THEN received_units
    ELSE div(asked.centavos * 1e14 + quote_price - 1, quote_price)::bigint END
FROM (SELECT id, cap AS units_max,
    CASE WHEN cap = units THEN amount_centavos::numeric ELSE div(cap::numeric * quote_price, 1e14) END AS centavos
  FROM (SELECT *, div(units::numeric * (10000 + coalesce(tolerance_bps, 0)), 10000)::bigint AS cap
    FROM transactions WHERE type = 'crypto_in') AS invoice) AS asked
WHERE asked.id = transactions.id AND type = 'crypto_in' AND received_units > 0;

INSERT INTO invoice_increments (transaction_id, units_before, units, price, is_quoted, credited_centavos, reviewed_centavos, created_at)
SELECT t.id, 0, quoted_units, quote_price, true, least(credited_centavos, worth.quoted), 0, updated_at
FROM transactions t, LATERAL (SELECT CASE WHEN quoted_units = units THEN amount_centavos
  ELSE div(quoted_units::numeric * quote_price, 1e14)::bigint END AS quoted) AS worth
WHERE t.type = 'crypto_in' AND t.quoted_units > 0
UNION ALL
SELECT t.id, quoted_units, settled_units - quoted_units, quote_price, false, credited_centavos - worth.quoted, 0, updated_at
FROM transactions t, LATERAL (SELECT CASE WHEN quoted_units = units THEN amount_centavos
  ELSE div(quoted_units::numeric * quote_price, 1e14)::bigint END AS quoted) AS worth
WHERE t.type = 'crypto_in' AND t.settled_units > t.quoted_units;

ALTER TABLE transactions
  ADD CONSTRAINT transactions_settled CHECK (
    0 <= quoted_units AND quoted_units <= settled_units AND settled_units <= received_units
    AND 0 <= in_time_units AND in_time_units <= received_units AND reviewed_centavos >= 0
    AND (type = 'crypto_in' OR received_units = 0 AND reviewed_centavos = 0));

ALTER TABLE invoice_increments
  ADD CONSTRAINT invoice_increments_amounts CHECK (
    units_before >= 0 AND units > 0 AND price > 0 AND credited_centavos >= 0 AND reviewed_centavos >= 0);

CREATE TRIGGER invoice_increments_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice_increments
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

-- 2. Suspense, for crypto too --------------------------------------------------------------------------------------------

-- Money that arrived and can't be credited as asked: settlement -> suspense, once per reference: a PIX payment's end-to-end id, or
-- where an invoice's increment begins.
CREATE OR REPLACE FUNCTION ledger_suspense(p_transaction_id uuid, p_end_to_end_id text, p_centavos bigint, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in,crypto_in}');
  v_mode mode := account_mode(v_tx.account_id);
  v_settlement ledger_account_kind := CASE v_tx.type WHEN 'pix_in' THEN 'pix_settlement' ELSE 'crypto_settlement' END;
BEGIN
  IF ledger_part_posted(v_tx.id, 'suspense', p_end_to_end_id, p_centavos) THEN RETURN false; END IF;
  RETURN ledger_post(v_tx.id, 'suspense', p_end_to_end_id, p_now,
    ARRAY[ledger_platform_account(v_settlement, v_mode), ledger_platform_account('suspense', v_mode)],
    ARRAY[-p_centavos, p_centavos]);
END $$;

-- 3. An invoice's step ---------------------------------------------------------------------------------------------------

DROP FUNCTION invoice_settle(uuid, transaction_status, bigint, text, transaction_status, text, bigint, bigint, bigint, bigint,
  integer, integer, text[], timestamptz, timestamptz, uuid, text, text);

-- What an invoice's look at the provider came to: status, what arrived, what of it is pending, credited and in review, all at once.
-- `p_from` and `p_to` are columns of transactions. Nothing is done when the row is not what the caller decided upon (false).
-- `p_increments` are what this step prices, each with the id of its review; one that is there already, or that is not the
-- difference between the totals, is refused (TR005). An event is written only when its id is given.
CREATE FUNCTION invoice_settle(
  p_transaction_id uuid, p_from jsonb, p_to jsonb, p_pending bigint, p_increments jsonb, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{crypto_in}');
  v_from transactions := jsonb_populate_record(NULL::transactions, p_from);
  v_to transactions := jsonb_populate_record(NULL::transactions, p_to);
  v_increment record;
  v_new record;
BEGIN
  IF (v_tx.status, v_tx.sub_status, v_tx.received_units, v_tx.in_time_units, v_tx.settled_units, v_tx.quoted_units,
      v_tx.credited_centavos, v_tx.credited_fee_centavos, v_tx.reviewed_centavos)
    IS DISTINCT FROM (v_from.status, v_from.sub_status, v_from.received_units, v_from.in_time_units, v_from.settled_units,
      v_from.quoted_units, v_from.credited_centavos, v_from.credited_fee_centavos, v_from.reviewed_centavos)
  THEN
    RETURN false;
  END IF;
  IF v_to.status <> v_tx.status AND NOT (v_tx.status <> 'completed' AND v_to.status = 'completed'
    OR v_tx.status = 'pending' AND v_to.status IN ('expired', 'cancelled', 'failed'))
  THEN
    RAISE EXCEPTION 'An invoice that is % does not become %.', v_tx.status, v_to.status USING ERRCODE = 'TR004';
  END IF;

  SELECT coalesce(sum(i.units), 0) AS settled, coalesce(sum(i.units) FILTER (WHERE i.is_quoted), 0) AS quoted,
    coalesce(sum(i.credited_centavos), 0) AS credited, coalesce(sum(i.reviewed_centavos), 0) AS reviewed
  INTO v_new FROM jsonb_populate_recordset(NULL::invoice_increments, p_increments) AS i;
  IF (v_to.settled_units - v_tx.settled_units, v_to.quoted_units - v_tx.quoted_units,
      v_to.credited_centavos - v_tx.credited_centavos, v_to.reviewed_centavos - v_tx.reviewed_centavos)
    IS DISTINCT FROM (v_new.settled, v_new.quoted, v_new.credited, v_new.reviewed)
  THEN
    RAISE EXCEPTION 'Invoice %: its totals do not change by what is priced.', v_tx.id USING ERRCODE = 'TR005';
  END IF;

  UPDATE transactions SET status = v_to.status, sub_status = v_to.sub_status, received_units = v_to.received_units,
    in_time_units = v_to.in_time_units, settled_units = v_to.settled_units, quoted_units = v_to.quoted_units,
    credited_centavos = v_to.credited_centavos, credited_fee_centavos = v_to.credited_fee_centavos,
    reviewed_centavos = v_to.reviewed_centavos, confirmations = v_to.confirmations,
    confirmations_needed = coalesce(v_to.confirmations_needed, confirmations_needed), tx_hashes = v_to.tx_hashes,
    paid_at = coalesce(paid_at, v_to.paid_at), updated_at = p_now
  WHERE id = v_tx.id;

  FOR v_increment IN SELECT * FROM jsonb_to_recordset(p_increments) AS i(units_before bigint, units bigint, price bigint,
    is_quoted boolean, credited_centavos bigint, reviewed_centavos bigint, review_id uuid)
  LOOP
    INSERT INTO invoice_increments (transaction_id, units_before, units, price, is_quoted, credited_centavos, reviewed_centavos,
      created_at)
    VALUES (v_tx.id, v_increment.units_before, v_increment.units, v_increment.price, v_increment.is_quoted,
      v_increment.credited_centavos, v_increment.reviewed_centavos, p_now);
    CONTINUE WHEN v_increment.reviewed_centavos = 0;
    PERFORM ledger_suspense(v_tx.id, v_increment.units_before::text, v_increment.reviewed_centavos, p_now);
    INSERT INTO reviews (id, transaction_id, reason, expected_centavos, received_centavos, end_to_end_id, created_at)
    VALUES (v_increment.review_id, v_tx.id, 'above_maximum', v_tx.amount_centavos, v_increment.reviewed_centavos,
      v_increment.units_before::text, p_now);
  END LOOP;

  PERFORM ledger_crypto_received(v_tx.id, p_pending, v_to.credited_centavos - v_to.credited_fee_centavos,
    v_to.credited_fee_centavos, p_now);
  IF p_event_id IS NOT NULL THEN
    PERFORM event_emit(v_tx, 'usdt', p_event_id, p_event_type, p_event_body, p_now);
  END IF;
  RETURN true;
END $$;

-- 4. Addresses that this installation issued -----------------------------------------------------------------------------

-- Every crypto withdrawal asks whether its destination is a deposit address of ours.
CREATE INDEX "transactions_deposit_wallet" ON "transactions" ("wallet") WHERE "type" = 'crypto_in' AND "wallet" IS NOT NULL;

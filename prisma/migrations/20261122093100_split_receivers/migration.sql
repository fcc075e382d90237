-- Who gets a part of another account's charge has a row of their own for it, with an id of its own and nothing of the payer's or of
-- the other account's: in lists, details, files and events it is a transaction like any other. Its money is in the charge's transfer.

ALTER TABLE "transactions" ADD COLUMN "split_of_id" UUID;
CREATE UNIQUE INDEX "transactions_split_of_id_key" ON "transactions"("split_of_id");
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_split_of_id_fkey"
  FOREIGN KEY ("split_of_id") REFERENCES "transactions"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "transactions" ADD CONSTRAINT transactions_split_in CHECK ((type = 'split_in') = (split_of_id IS NOT NULL));

ALTER TABLE transactions DROP CONSTRAINT transactions_status, ADD CONSTRAINT transactions_status CHECK (CASE type
  WHEN 'pix_in' THEN status IN ('pending', 'paid', 'expired', 'cancelled', 'failed', 'review', 'refunded')
  WHEN 'pix_out' THEN status IN ('pending', 'processing', 'paid', 'failed', 'review')
  WHEN 'crypto_in' THEN status IN ('pending', 'completed', 'expired', 'cancelled', 'failed')
  WHEN 'crypto_out' THEN status IN ('pending', 'completed', 'failed', 'review')
  WHEN 'split_in' THEN status = 'paid'
END);

-- As before, and tells the account that gets a part: a row of its own with p_split_id, and the event of that row.
DROP FUNCTION charge_pay(uuid, transaction_status, text, timestamptz, timestamptz, uuid, text);
CREATE FUNCTION charge_pay(
  p_transaction_id uuid, p_from transaction_status, p_end_to_end_id text, p_paid_at timestamptz, p_now timestamptz,
  p_event_id uuid, p_event_body text, p_split_id uuid, p_split_event_id uuid, p_split_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_in}');
  v_split transactions;
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
  IF v_tx.split_account_id IS NOT NULL THEN
    INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, rail, split_of_id,
      created_at, paid_at, updated_at)
    VALUES (p_split_id, v_tx.split_account_id, 'split_in', 'paid', v_tx.split_centavos, 0, v_tx.split_centavos, v_tx.rail, v_tx.id,
      p_now, p_now, p_now)
    RETURNING * INTO v_split;
    PERFORM event_emit(v_split, 'deposit', p_split_event_id, 'split_in.paid', p_split_event_body, p_now);
  END IF;
  DELETE FROM tasks WHERE kind = 'watch_charge' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- As before, and tells of every payment that is not credited, a second one of a paid charge, too.
CREATE OR REPLACE FUNCTION charge_review(
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
    DELETE FROM tasks WHERE kind = 'watch_charge' AND subject_id = v_tx.id;
  END IF;
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'pix_in.review', p_event_body, p_now);
  RETURN v_tx.status;
END $$;

-- Parts that were paid before: a UUIDv7 of the instant of the transfer, so that they stand in their place. Nobody is told of them now.
INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos, net_centavos, rail, split_of_id,
  created_at, paid_at, updated_at)
SELECT overlay(overlay(replace(gen_random_uuid()::text, '-', '')
      placing lpad(to_hex(floor(extract(epoch FROM t.created_at) * 1000)::bigint), 12, '0') FROM 1) placing '7' FROM 13)::uuid,
  x.split_account_id, 'split_in', 'paid', x.split_centavos, 0, x.split_centavos, x.rail, x.id, t.created_at, t.created_at, t.created_at
FROM ledger_transfers t JOIN transactions x ON x.id = t.transaction_id
WHERE t.kind = 'charge_paid' AND x.split_account_id IS NOT NULL;

-- A devolução of the return mechanism that is seen before its case makes a case that is over. The
-- PSP may list its own case as open for a while after that: it was taken for another one, which
-- held what is left of the payment, asked the merchant for an answer, and stayed open. A case that
-- was opened before a devolução is that of the devolução; one that is opened afterwards is another
-- one.
--
-- A payer's money may come back in parts, as the account of its payment has some. Each part after
-- the first made a case of its own, which no PSP has: lists and figures of cases had too many, and
-- the merchant's case said too little of what went back.

-- ledger_dispute_returned (see 20261122162007_disputes), of a devolução that was made at p_at: the
-- case that it makes is of that time. Of a payment whose last case has ended with a devolução,
-- another one belongs to that case, as long as no more goes back than is contested. What is
-- contested by a case that no PSP has listed is what went back.
CREATE FUNCTION ledger_dispute_returned(
  p_refund foreign_refunds, p_tx transactions, p_at timestamptz, p_now timestamptz
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_dispute disputes;
  v_taken bigint;
BEGIN
  SELECT * INTO v_dispute FROM disputes
  WHERE transaction_id = p_tx.id AND state IN ('open', 'answered', 'lost') FOR UPDATE;
  IF NOT FOUND THEN
    SELECT * INTO v_dispute FROM disputes WHERE transaction_id = p_tx.id
    ORDER BY id DESC LIMIT 1 FOR UPDATE;
    v_dispute.returned_centavos := v_dispute.returned_centavos + p_refund.centavos;
    IF v_dispute.state = 'returned' AND (v_dispute.returned_centavos <= v_dispute.centavos
      OR v_dispute.provider_id IS NULL
        AND EXISTS (SELECT FROM foreign_refunds WHERE id = v_dispute.id))
    THEN
      UPDATE disputes SET returned_centavos = v_dispute.returned_centavos,
        centavos = greatest(centavos, v_dispute.returned_centavos) WHERE id = v_dispute.id;
      RETURN 0;
    END IF;
    INSERT INTO disputes (id, account_id, transaction_id, reason, centavos, returned_centavos,
      state, opened_at, answer_by, closed_at, created_at)
    VALUES (p_refund.id, p_tx.account_id, p_tx.id, 'unknown', p_refund.centavos, p_refund.centavos,
      'returned', p_at, p_at, p_now, p_now);
    RETURN 0;
  END IF;
  v_taken := least(v_dispute.held_centavos, p_refund.centavos);
  v_dispute.held_centavos := v_dispute.held_centavos - v_taken;
  PERFORM ledger_dispute_released(v_dispute, p_now);
  UPDATE disputes SET state = 'returned', held_centavos = 0, closed_at = coalesce(closed_at, p_now),
    returned_centavos = p_refund.centavos WHERE id = v_dispute.id;
  DELETE FROM tasks WHERE kind = 'dispute_reminder' AND subject_id = v_dispute.id;
  RETURN v_taken;
END $$;

-- dispute_open (see 20261122162007_disputes), also for a case that the PSP has not closed although
-- its devolução was made.
CREATE OR REPLACE FUNCTION dispute_open(
  p_row jsonb, p_by jsonb, p_now timestamptz, p_event_id uuid, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_new disputes := jsonb_populate_record(NULL::disputes, p_row);
  v_tx transactions := ledger_lock_transaction(v_new.transaction_id, '{pix_in}');
  v_held bigint;
  v_linked disputes;
BEGIN
  IF v_tx.status NOT IN ('paid', 'refunded') THEN RETURN 'not_paid'; END IF;
  IF EXISTS (SELECT FROM disputes WHERE provider_id = v_new.provider_id) THEN RETURN 'known'; END IF;
  IF v_new.provider_id IS NOT NULL THEN
    UPDATE disputes SET provider_id = v_new.provider_id WHERE id = (
      SELECT id FROM disputes WHERE transaction_id = v_tx.id AND provider_id IS NULL
        AND (state IN ('open', 'answered', 'lost')
          OR state = 'returned' AND v_new.state = 'lost' AND answer IS NULL
          OR state = 'returned' AND v_new.opened_at <= opened_at)
      ORDER BY closed_at DESC LIMIT 1)
    RETURNING * INTO v_linked;
    IF v_linked.state = 'answered' THEN PERFORM dispute_plan_answer(v_linked, p_now); END IF;
    IF v_linked.id IS NOT NULL THEN
      -- One that its devolução has made says what the PSP says of it.
      UPDATE disputes d SET reason = v_new.reason,
        centavos = greatest(v_new.centavos, returned_centavos),
        opened_at = least(v_new.opened_at, opened_at)
      WHERE id = v_linked.id AND EXISTS (SELECT FROM foreign_refunds f WHERE f.id = d.id);
      PERFORM dispute_show(v_tx.id, p_now);
      RETURN 'linked';
    END IF;
  END IF;
  IF is_disputed(v_tx.id) THEN RETURN 'known'; END IF;
  SELECT greatest(least(balance_centavos, v_new.centavos, ledger_returnable(v_tx)), 0) INTO v_held
  FROM ledger_accounts WHERE account_id = v_tx.account_id AND kind = 'available' FOR UPDATE;
  INSERT INTO disputes (id, account_id, transaction_id, provider_id, reason, centavos,
    held_centavos, opened_at, answer_by, payer_document, payer_document_index, created_at)
  VALUES (v_new.id, v_tx.account_id, v_tx.id, v_new.provider_id, v_new.reason, v_new.centavos,
    v_held, v_new.opened_at, v_new.answer_by, v_new.payer_document, v_new.payer_document_index,
    p_now);
  IF v_held > 0 THEN PERFORM ledger_dispute(v_tx.id, v_new.id::text, v_held, p_now); END IF;
  PERFORM dispute_show(v_tx.id, p_now);
  INSERT INTO tasks (kind, subject_id, due_at)
  VALUES ('dispute_reminder', v_new.id, v_new.opened_at + (v_new.answer_by - v_new.opened_at) / 2),
    ('notify_dispute', v_new.id, p_now);
  PERFORM audit_decision(v_tx.account_id, 'dispute.opened', jsonb_build_object('subject', v_tx.id,
    'dispute_id', v_new.id, 'centavos', v_new.centavos, 'held_centavos', v_held), p_by, p_now);
  PERFORM event_emit(v_tx, 'deposit', p_event_id, 'dispute.opened', p_event_body, p_now);
  RETURN 'opened';
END $$;

-- As in 20261202100100_returns_beside_decisions, also of a payment that was returned before. `at`
-- of p_row is when the devolução was made.
CREATE OR REPLACE FUNCTION foreign_refund_record(
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

-- A PSP may list a payout of ours without our id once the withdrawal has failed here: it is booked
-- as money that left without a request. Where the PSP says later that the withdrawal was paid, that
-- has a review of the same money, and both could be decided: the account, or the platform, paid it
-- twice. Such a review names what was booked, which waits for that review alone; what was decided
-- before the review leaves nothing to decide but how the withdrawal is called.

ALTER TABLE reviews ADD COLUMN foreign_payout_id uuid
  REFERENCES foreign_payouts (id) ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX reviews_foreign_payout_id_idx ON reviews (foreign_payout_id);

-- payout_review (see 20261202090000_ids_of_reviewed_payouts), with what was booked of the same
-- payout.
CREATE OR REPLACE FUNCTION payout_review(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text,
  p_tx_hashes text[], p_failure_code text, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_before transaction_status := payout_review(p_transaction_id, p_from, p_failure_code, p_now,
    p_event_id, p_event_type, p_event_body);
BEGIN
  IF v_before = p_from THEN
    UPDATE transactions t SET
      provider_id = CASE WHEN NOT EXISTS (SELECT FROM transactions o
          WHERE o.provider_id = p_provider_id AND o.rail = t.rail AND o.id <> t.id)
        THEN coalesce(p_provider_id, t.provider_id) ELSE t.provider_id END,
      end_to_end_id = CASE WHEN NOT EXISTS (SELECT FROM transactions o
          WHERE o.end_to_end_id = p_end_to_end_id AND o.rail = t.rail AND o.type = t.type
            AND o.id <> t.id)
        THEN coalesce(p_end_to_end_id, t.end_to_end_id) ELSE t.end_to_end_id END,
      tx_hashes = CASE WHEN p_tx_hashes <> '{}' THEN p_tx_hashes ELSE t.tx_hashes END
    WHERE t.id = p_transaction_id;
    UPDATE reviews r SET foreign_payout_id = f.id
    FROM transactions t JOIN foreign_payouts f ON f.rail = ANY (rails_beside(t.rail))
      AND f.end_to_end_id = p_end_to_end_id AND f.centavos = t.net_centavos
    WHERE t.id = p_transaction_id AND t.type = 'pix_out' AND p_from = 'failed'
      AND r.transaction_id = t.id AND r.reason = p_failure_code AND r.resolved_at IS NULL;
  END IF;
  RETURN v_before;
END $$;

-- Returns whether a payout waits for the review of the withdrawal that it belongs to.
CREATE FUNCTION foreign_payout_is_in_review(p_id uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM reviews WHERE foreign_payout_id = p_id AND resolved_at IS NULL)
$$;

-- ledger_withdrawal_recovered (see 20261122162006_unmatched), into p_settlement.
CREATE FUNCTION ledger_withdrawal_recovered(
  p_tx transactions, p_reference text, p_settlement bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_mode mode := account_mode(p_tx.account_id);
  v_taken ledger_taking := ledger_take(p_tx.account_id, p_tx.net_centavos + p_tx.fee_centavos);
BEGIN
  RETURN ledger_post(p_tx.id, 'withdrawal_recovered', p_reference, p_now,
    v_taken.accounts || ARRAY[p_settlement, ledger_platform_account('fees', v_mode)],
    v_taken.amounts || ARRAY[p_tx.net_centavos, p_tx.fee_centavos]);
END $$;

-- payout_resolve (see 20261128100003_resolve_in_the_order_of_locks). What was booked of the payout
-- is decided with it, out of suspense. Where that waits, dismissing is not possible: the money has
-- left. Where it was decided before, nothing else is.
CREATE OR REPLACE FUNCTION payout_resolve(
  p_review_id uuid, p_resolution text, p_failure_code text, p_reason text, p_by jsonb,
  p_now timestamptz, p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_review reviews := review_lock(p_review_id, 0);
  v_tx transactions;
  v_mode mode;
  v_was_paid boolean;
  v_is_paid boolean;
  v_sign integer;
  v_foreign foreign_payouts;
  v_settlement bigint;
BEGIN
  IF v_review.id IS NULL THEN RETURN 'decided'; END IF;
  v_tx := ledger_lock_transaction(v_review.transaction_id, '{pix_out,crypto_out}');
  v_mode := account_mode(v_tx.account_id);
  v_was_paid := v_review.reason = 'provider_says_failed';
  IF v_tx.status <> 'review' OR p_resolution NOT IN
    ('dismiss', 'write_off', CASE WHEN v_was_paid THEN 'credit' ELSE 'recover' END)
  THEN
    RETURN 'not_possible';
  END IF;
  v_settlement := ledger_platform_account(payout_settlement(v_tx.type), v_mode);
  SELECT * INTO v_foreign FROM foreign_payouts WHERE id = v_review.foreign_payout_id FOR UPDATE;
  IF FOUND THEN
    IF (v_foreign.state = 'open') = (p_resolution = 'dismiss') THEN RETURN 'not_possible'; END IF;
    -- It has left settlement already, and is in suspense until now.
    v_settlement := ledger_platform_account('suspense', v_mode);
    UPDATE foreign_payouts SET reason = p_reason, decided_by = p_by ->> 'name',
      decided_at = p_now, transaction_id = CASE p_resolution WHEN 'recover' THEN v_tx.id END,
      state = CASE p_resolution WHEN 'recover' THEN 'charged'
        ELSE 'written_off' END::foreign_payout_state
    WHERE id = v_foreign.id AND state = 'open';
  END IF;
  v_is_paid := CASE p_resolution
    WHEN 'credit' THEN false WHEN 'recover' THEN true ELSE v_was_paid END;
  UPDATE transactions
  SET status = CASE WHEN v_is_paid THEN settled_status(v_tx.type) ELSE 'failed' END,
    failure_code = CASE WHEN NOT v_is_paid THEN p_failure_code END,
    paid_at = CASE WHEN v_is_paid THEN coalesce(paid_at, p_now) END, updated_at = p_now
  WHERE id = v_tx.id;
  IF p_resolution = 'credit' THEN
    PERFORM ledger_withdrawal_returned(v_tx, p_review_id::text, p_now);
  ELSIF p_resolution = 'recover' THEN
    PERFORM ledger_withdrawal_recovered(v_tx, p_review_id::text, v_settlement, p_now);
  ELSIF p_resolution = 'write_off' THEN
    v_sign := CASE WHEN v_was_paid THEN -1 ELSE 1 END;
    PERFORM ledger_post(v_tx.id, 'withdrawal_written_off', p_review_id::text, p_now,
      ARRAY[v_settlement, ledger_platform_account('write_offs', v_mode)],
      ARRAY[v_sign * v_tx.net_centavos, -v_sign * v_tx.net_centavos]);
  END IF;
  IF NOT v_is_paid THEN PERFORM ledger_add_limit_usage(v_tx, -v_tx.amount_centavos); END IF;
  PERFORM review_write_decision(v_review, p_resolution, p_reason, p_by, p_now);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  RETURN 'resolved';
END $$;

-- foreign_payout_write_off (see 20261122162008_foreign_payouts): one in review is decided there.
CREATE OR REPLACE FUNCTION foreign_payout_write_off(
  p_id uuid, p_reason text, p_by jsonb, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_payout foreign_payouts;
BEGIN
  PERFORM FROM foreign_payouts WHERE id = p_id FOR UPDATE;
  IF foreign_payout_is_in_review(p_id) THEN RETURN 'decided'; END IF;
  UPDATE foreign_payouts
  SET state = 'written_off', reason = p_reason, decided_by = p_by ->> 'name', decided_at = p_now
  WHERE id = p_id AND state = 'open' RETURNING * INTO v_payout;
  IF NOT FOUND THEN RETURN 'decided'; END IF;
  PERFORM ledger_post_unmatched('foreign_payout_written_off', p_id::text, p_now,
    ledger_platform_account('write_offs', v_payout.mode),
    ledger_platform_account('suspense', v_payout.mode), v_payout.centavos);
  PERFORM audit_decision(v_payout.account_id, 'foreign_payout.written_off', jsonb_build_object(
    'centavos', v_payout.centavos, 'end_to_end_id', v_payout.end_to_end_id, 'reason', p_reason),
    p_by, p_now);
  RETURN 'written_off';
END $$;

-- foreign_payout_charge (see 20261122162008_foreign_payouts): the same.
CREATE OR REPLACE FUNCTION foreign_payout_charge(
  p_id uuid, p_transaction_id uuid, p_account_id uuid, p_reason text, p_by jsonb, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_payout foreign_payouts;
  v_tx transactions;
  v_taken ledger_taking;
BEGIN
  SELECT * INTO v_payout FROM foreign_payouts WHERE id = p_id AND state = 'open' FOR UPDATE;
  IF NOT FOUND OR foreign_payout_is_in_review(p_id) THEN RETURN 'decided'; END IF;
  IF account_mode(p_account_id) <> v_payout.mode OR v_payout.account_id <> p_account_id THEN
    RETURN 'other_rail';
  END IF;
  INSERT INTO transactions (id, account_id, type, status, amount_centavos, fee_centavos,
    net_centavos, rail, end_to_end_id, created_at, paid_at, updated_at)
  VALUES (p_transaction_id, p_account_id, 'pix_out', 'paid', v_payout.centavos, 0,
    v_payout.centavos, v_payout.rail, v_payout.end_to_end_id, p_now, v_payout.sent_at, p_now)
  RETURNING * INTO v_tx;
  v_taken := ledger_take(p_account_id, v_payout.centavos);
  PERFORM ledger_post(v_tx.id, 'foreign_payout_charged', '', p_now,
    v_taken.accounts || ledger_platform_account('suspense', v_payout.mode),
    v_taken.amounts || v_payout.centavos);
  UPDATE foreign_payouts SET state = 'charged', transaction_id = v_tx.id, reason = p_reason,
    decided_by = p_by ->> 'name', decided_at = p_now WHERE id = p_id;
  PERFORM audit_decision(p_account_id, 'foreign_payout.charged', jsonb_build_object(
    'subject', v_tx.id, 'centavos', v_payout.centavos, 'end_to_end_id', v_payout.end_to_end_id,
    'reason', p_reason), p_by, p_now);
  PERFORM event_emit(v_tx, 'withdrawal', p_event_id, p_event_type, p_event_body, p_now);
  RETURN 'charged';
END $$;

-- listed_keys (see 20261127140000_reconciled_beside): the ledger has a payout that was booked as
-- not requested under its end-to-end id, whatever id of ours the PSP lists with it.
CREATE OR REPLACE FUNCTION listed_keys(p_run_id uuid, p_rail text)
RETURNS TABLE (kind text, key text, end_to_end_id text, refund_id text, own_id uuid, return_id text,
  amount bigint, at timestamptz, paid_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT l.kind,
    CASE WHEN l.kind = 'refund' THEN l.end_to_end_id || ' ' || l.refund_id
      WHEN x.id IS NOT NULL AND f.id IS NULL THEN replace(x.id::text, '-', '')
      ELSE l.end_to_end_id END,
    l.end_to_end_id, l.refund_id, l.own_id, l.return_id, l.amount, l.at, l.paid_at
  FROM listed_movements l
    LEFT JOIN transactions x
      ON l.kind = 'payout' AND x.id = l.own_id AND x.type = 'pix_out'
        AND x.rail = ANY ((SELECT rails_beside(p_rail))::text[])
    LEFT JOIN foreign_payouts f ON l.kind = 'payout' AND f.end_to_end_id = l.end_to_end_id
      AND f.rail = ANY ((SELECT rails_beside(p_rail))::text[])
  WHERE l.run_id = p_run_id
$$;

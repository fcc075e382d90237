-- payout_resolve (see 20261122162006_unmatched) changed what is used of the limits before it locked
-- the available balance. withdrawal_request takes them the other way round: of a decision and a
-- withdrawal at once, one ended in a deadlock.
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
    PERFORM ledger_withdrawal_recovered(v_tx, p_review_id::text, p_now);
  ELSIF p_resolution = 'write_off' THEN
    v_sign := CASE WHEN v_was_paid THEN -1 ELSE 1 END;
    PERFORM ledger_post(v_tx.id, 'withdrawal_written_off', p_review_id::text, p_now,
      ARRAY[ledger_platform_account(payout_settlement(v_tx.type), v_mode),
            ledger_platform_account('write_offs', v_mode)],
      ARRAY[v_sign * v_tx.net_centavos, -v_sign * v_tx.net_centavos]);
  END IF;
  IF NOT v_is_paid THEN PERFORM ledger_add_limit_usage(v_tx, -v_tx.amount_centavos); END IF;
  PERFORM review_write_decision(v_review, p_resolution, p_reason, p_by, p_now);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  RETURN 'resolved';
END $$;

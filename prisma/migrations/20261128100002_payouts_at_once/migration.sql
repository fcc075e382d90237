-- payout_fail (see 20261122162003_withdrawals): a payout that another process has found at its
-- provider meanwhile is on its way, too. Over crypto its status does not say so.
CREATE OR REPLACE FUNCTION payout_fail(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text,
  p_failure_code text, p_sent_at timestamptz, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_sent_at IS NOT NULL AND (v_tx.payout_sent_at <> p_sent_at OR v_tx.payout_step = 'sent') THEN
    RETURN NULL;
  END IF;
  IF p_from NOT IN ('pending', 'processing') THEN
    RAISE EXCEPTION 'A withdrawal that is % does not fail.', p_from USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions SET status = 'failed', sub_status = NULL, failure_code = p_failure_code,
    updated_at = p_now, provider_id = coalesce(p_provider_id, provider_id),
    end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id)
  WHERE id = v_tx.id;
  PERFORM ledger_withdrawal_failed(v_tx.id, p_now);
  PERFORM ledger_add_limit_usage(v_tx, -v_tx.amount_centavos);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'payout' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

-- foreign_payout_record (see 20261122162008_foreign_payouts): a payout of ours that its PSP lists
-- without our id is known by its end-to-end id.
CREATE OR REPLACE FUNCTION foreign_payout_record(p_row jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_new foreign_payouts := jsonb_populate_record(NULL::foreign_payouts, p_row);
  v_rails text[] := rails_beside(v_new.rail);
BEGIN
  -- Two rails may list it at once.
  IF cardinality(v_rails) > 1 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(v_new.end_to_end_id, 0));
  END IF;
  IF EXISTS (SELECT FROM transactions
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id AND type = 'pix_out')
    OR EXISTS (SELECT FROM foreign_payouts
      WHERE rail = ANY (v_rails) AND end_to_end_id = v_new.end_to_end_id)
  THEN
    RETURN false;
  END IF;
  INSERT INTO foreign_payouts (id, rail, mode, account_id, end_to_end_id, centavos, sent_at,
    created_at)
  VALUES (v_new.id, v_new.rail, v_new.mode, v_new.account_id, v_new.end_to_end_id, v_new.centavos,
    v_new.sent_at, v_new.created_at)
  ON CONFLICT (end_to_end_id, rail) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  RETURN ledger_post_unmatched('foreign_payout', v_new.id::text, v_new.created_at,
    ledger_platform_account('suspense', v_new.mode),
    ledger_platform_account('pix_settlement', v_new.mode), v_new.centavos);
END $$;

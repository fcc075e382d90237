-- scheduled_payout_begin (see 20261123180003_scheduled_payouts) asked withdrawal_request for the
-- rail that a payout was planned over, not for that of today, which sends it: with credentials of
-- the account's own taken away meanwhile, the installation sent money that is at their provider.
CREATE OR REPLACE FUNCTION scheduled_payout_begin(
  p_transaction_id uuid, p_fee_centavos bigint, p_rail text, p_day_start timestamptz,
  p_day_end timestamptz, p_night_start timestamptz, p_night_end timestamptz,
  p_pix_key_indexes bytea[], p_next_row jsonb, p_next_plan jsonb, p_now timestamptz, OUT outcome text, OUT short_since timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions;
  v_is_held boolean;
BEGIN
  SELECT * INTO v_tx FROM transactions WHERE id = p_transaction_id FOR UPDATE;
  IF v_tx.sub_status IS DISTINCT FROM 'scheduled' OR v_tx.scheduled_for > p_now THEN
    outcome := 'not_due';
    RETURN;
  END IF;
  IF v_tx.rail <> p_rail THEN
    UPDATE transactions SET rail = p_rail WHERE id = v_tx.id;
    v_tx.rail := p_rail;
  END IF;
  v_is_held := ledger_is_posted(v_tx.id, 'withdrawal_requested');
  IF NOT v_is_held AND v_tx.fee_centavos <> p_fee_centavos THEN
    UPDATE transactions SET fee_centavos = p_fee_centavos WHERE id = v_tx.id;
    v_tx.fee_centavos := p_fee_centavos;
  END IF;
  v_tx.sub_status := NULL;
  v_tx.begun_at := p_now;
  outcome := withdrawal_request(to_jsonb(v_tx), p_day_start, p_day_end, p_night_start, p_night_end,
    NULL, NULL, NULL, p_pix_key_indexes, NULL, '{}', NOT v_is_held);
  IF outcome = 'requested' THEN
    PERFORM scheduled_payout_plan(p_next_row, p_next_plan, p_now);
  ELSIF outcome = 'insufficient_funds' THEN
    UPDATE scheduled_payouts s SET short_since = coalesce(s.short_since, p_now)
    WHERE s.transaction_id = v_tx.id RETURNING s.short_since INTO short_since;
  END IF;
END $$;

-- A payout that a PSP lists before its withdrawal is there, or names it, is booked as money that
-- left without a request. Where a database was restored and the withdrawal is made or sent again
-- under its id, the PSP answers with that payment, and it was booked twice: out of settlement,
-- and as a loss that waited for a decision. Where an account was charged for it, the withdrawal
-- broke the uniqueness of the end-to-end id each time, and never ended.

-- Returns the platform's account that a payout which is completed goes to: settlement; suspense
-- where the same payment was booked as not requested, which its withdrawal pays now; write_offs
-- where that was written off. Raises unique_violation where an account was charged for it, also
-- over another rail of the same account: the withdrawal is a duplicate of that payment, and fails.
CREATE FUNCTION payout_settled_from(p_tx transactions, p_end_to_end_id text, p_now timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_mode mode := account_mode(p_tx.account_id);
  v_foreign foreign_payouts;
BEGIN
  IF p_tx.type = 'pix_out' AND p_end_to_end_id IS NOT NULL THEN
    SELECT * INTO v_foreign FROM foreign_payouts
    WHERE end_to_end_id = p_end_to_end_id AND rail = ANY (rails_beside(p_tx.rail))
      AND centavos = p_tx.net_centavos FOR UPDATE;
    IF v_foreign.state = 'charged' THEN
      RAISE EXCEPTION 'Transaction % has paid what transaction % is to pay.',
          v_foreign.transaction_id, p_tx.id USING ERRCODE = 'unique_violation';
    END IF;
    IF v_foreign.state = 'written_off' THEN
      RETURN ledger_platform_account('write_offs', v_mode);
    ELSIF v_foreign.state = 'open' THEN
      UPDATE foreign_payouts SET state = 'charged', transaction_id = p_tx.id,
        decided_by = 'provider', decided_at = p_now WHERE id = v_foreign.id;
      RETURN ledger_platform_account('suspense', v_mode);
    END IF;
  END IF;
  RETURN ledger_platform_account(payout_settlement(p_tx.type), v_mode);
END $$;

-- ledger_withdrawal_completed (see 20261122162001_ledger), into p_settlement.
CREATE FUNCTION ledger_withdrawal_completed(
  p_transaction_id uuid, p_settlement bigint, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
  v_mode mode := account_mode(v_tx.account_id);
BEGIN
  PERFORM ledger_require(v_tx.id, 'withdrawal_requested', true),
    ledger_require(v_tx.id, 'withdrawal_failed', false);
  RETURN ledger_post(v_tx.id, 'withdrawal_completed', '', p_now,
    ARRAY[ledger_account(v_tx.account_id, 'blocked'),
          p_settlement, ledger_platform_account('fees', v_mode)],
    ARRAY[-(v_tx.net_centavos + v_tx.fee_centavos), v_tx.net_centavos, v_tx.fee_centavos]);
END $$;

-- payout_complete (see 20261122162003_withdrawals), with what was booked of the payment before.
CREATE OR REPLACE FUNCTION payout_complete(
  p_transaction_id uuid, p_from transaction_status, p_provider_id text, p_end_to_end_id text,
  p_tx_hashes text[], p_paid_at timestamptz, p_now timestamptz,
  p_event_id uuid, p_event_type text, p_event_body text
) RETURNS transaction_status LANGUAGE plpgsql AS $$
DECLARE
  v_tx transactions := ledger_lock_transaction(p_transaction_id, '{pix_out,crypto_out}');
BEGIN
  IF v_tx.status IS DISTINCT FROM p_from THEN RETURN v_tx.status; END IF;
  IF p_from NOT IN ('pending', 'processing') OR v_tx.payout_step IS NULL THEN
    RAISE EXCEPTION 'A withdrawal that is % or was never sent is not completed.', p_from
      USING ERRCODE = 'TR004';
  END IF;
  UPDATE transactions
  SET status = settled_status(v_tx.type), payout_step = 'sent', paid_at = p_paid_at,
    updated_at = p_now, provider_id = coalesce(p_provider_id, provider_id),
    end_to_end_id = coalesce(p_end_to_end_id, end_to_end_id), tx_hashes = p_tx_hashes
  WHERE id = v_tx.id;
  PERFORM ledger_withdrawal_completed(
    v_tx.id, payout_settled_from(v_tx, p_end_to_end_id, p_now), p_now);
  PERFORM event_emit(v_tx, payout_topic(v_tx.type), p_event_id, p_event_type, p_event_body, p_now);
  DELETE FROM tasks WHERE kind = 'payout' AND subject_id = v_tx.id;
  RETURN v_tx.status;
END $$;

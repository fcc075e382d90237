-- A payment that was booked as not requested, and that an account was charged for, is the
-- withdrawal which it has paid already. Another withdrawal that the PSP answers with this payment
-- is a duplicate of it: it broke the uniqueness of the end-to-end id each time, and never ended.

-- payout_settled_from (see 20261205090600_payouts_booked_before). Raises unique_violation where an
-- account was charged for the payment, also over another rail of the same account.
CREATE OR REPLACE FUNCTION payout_settled_from(p_tx transactions, p_end_to_end_id text, p_now timestamptz)
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

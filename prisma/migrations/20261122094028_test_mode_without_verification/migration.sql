-- As before, but in test mode nobody waits for a verification: there is no money in it.
CREATE OR REPLACE FUNCTION money_out_refusal(
  p_account_id uuid, p_key_id uuid, p_member_id uuid, p_approved boolean, p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_suspended_at timestamptz;
  v_kyc_status kyc_status;
  v_mode mode;
BEGIN
  SELECT a.suspended_at, m.kyc_status, a.mode INTO STRICT v_suspended_at, v_kyc_status, v_mode
  FROM accounts a JOIN merchants m ON m.id = a.merchant_id WHERE a.id = p_account_id FOR SHARE OF a, m;
  RETURN CASE
    WHEN v_suspended_at IS NOT NULL THEN 'suspended'
    WHEN v_mode = 'live' AND (v_kyc_status = 'rejected' OR p_approved AND v_kyc_status <> 'approved') THEN 'kyc'
    WHEN money_out_paused_until(p_key_id, p_member_id, p_now) IS NOT NULL THEN 'paused'
  END;
END $$;

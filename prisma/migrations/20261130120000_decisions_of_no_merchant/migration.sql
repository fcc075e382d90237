-- audit_decision (see 20261122162006_unmatched) wrote nothing about money over the
-- installation's own credentials, which is no merchant's until somebody decides: that it was
-- returned, written off or taken note of was in no audit. It is a record about the installation
-- now, as that a rail is turned off.
CREATE OR REPLACE FUNCTION audit_decision(
  p_account_id uuid, p_action text, p_details jsonb, p_by jsonb, p_now timestamptz
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_records
    (merchant_id, member_id, account_id, action, details, ip_address, user_agent, at)
  SELECT a.merchant_id, (p_by ->> 'member_id')::uuid, a.id, p_action,
    p_details || CASE
      WHEN p_by ->> 'key_id' IS NOT NULL THEN jsonb_build_object('key_id', p_by ->> 'key_id')
      WHEN p_by ->> 'member_id' IS NULL THEN jsonb_build_object('operator', p_by ->> 'name')
      ELSE '{}' END,
    p_by ->> 'ip_address', p_by ->> 'user_agent', p_now
  FROM (VALUES (p_account_id)) AS one (account_id) LEFT JOIN accounts a ON a.id = one.account_id
$$;

-- Writes who decided what into the audit. Money over the installation's own credentials is no
-- merchant's until somebody decides: that it was returned, written off or taken note of was in no
-- audit, and is a record about the installation now, as that a rail is turned off. p_now is the
-- account's time, which a test clock may have moved ahead; the audit is about people, and has the
-- service's own.
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
    p_by ->> 'ip_address', p_by ->> 'user_agent',
    p_now - coalesce(c.ahead_ms, 0) * interval '1 millisecond'
  FROM (VALUES (p_account_id)) AS one (account_id)
    LEFT JOIN accounts a ON a.id = one.account_id LEFT JOIN test_clocks c ON c.account_id = a.id
$$;

-- The merchant's audit says, in the same commit, that money waits for the operator.
CREATE OR REPLACE FUNCTION reviews_write_audit_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_records (merchant_id, account_id, action, details, at)
  SELECT a.merchant_id, a.id, 'review.opened', jsonb_build_object('subject', NEW.transaction_id,
    'reason', NEW.reason, 'received_centavos', NEW.received_centavos),
    NEW.created_at - coalesce(c.ahead_ms, 0) * interval '1 millisecond'
  FROM transactions t JOIN accounts a ON a.id = t.account_id
    LEFT JOIN test_clocks c ON c.account_id = a.id WHERE t.id = NEW.transaction_id;
  RETURN NULL;
END $$;

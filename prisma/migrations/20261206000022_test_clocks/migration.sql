-- Test clocks: the time of a test account can be moved forward.
-- See docs/adr/0069-test-clocks.md.

-- By which account's time a task is due; null: by the service's own, because it is about a person,
-- a provider, or nothing that is known yet.
CREATE FUNCTION task_account(p_kind text, p_subject_id uuid) RETURNS uuid
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_kind IN ('sync_charge', 'sync_invoice', 'payout', 'scheduled_payout', 'notify_approval',
        'expire_approval', 'notify_withdrawal_failed') THEN
      (SELECT t.account_id FROM transactions t WHERE t.id = p_subject_id)
    WHEN p_kind = 'deliver_webhook' THEN
      (SELECT e.account_id FROM deliveries d JOIN events e ON e.id = d.event_id
        WHERE d.id = p_subject_id)
    WHEN p_kind = 'refund' THEN
      (SELECT t.account_id FROM refunds r JOIN transactions t ON t.id = r.transaction_id
        WHERE r.id = p_subject_id)
    WHEN p_kind IN ('check_endpoint_health', 'send_held', 'send_replayed', 'end_deliveries') THEN
      coalesce((SELECT n.account_id FROM endpoints n WHERE n.id = p_subject_id),
        (SELECT a.id FROM accounts a WHERE a.id = p_subject_id))
    WHEN p_kind IN ('dispute_reminder', 'notify_dispute', 'send_dispute_answer') THEN
      (SELECT d.account_id FROM disputes d WHERE d.id = p_subject_id)
    WHEN p_kind IN ('payout_batch', 'notify_batch') THEN
      (SELECT b.account_id FROM payout_batches b WHERE b.id = p_subject_id)
    WHEN p_kind = 'apply_terms' THEN
      (SELECT c.account_id FROM terms_changes c WHERE c.id = p_subject_id)
    WHEN p_kind = 'return_payment' THEN
      (SELECT coalesce(t.account_id, u.account_id) FROM payment_returns p
        LEFT JOIN reviews r ON r.id = p.review_id LEFT JOIN transactions t ON t.id = r.transaction_id
        LEFT JOIN unmatched_payments u ON u.id = p.unmatched_id WHERE p.id = p_subject_id)
    WHEN p_kind = 'check_limits' THEN p_subject_id
  END
$$;

-- The rows of the statement that writes the task are seen: what it is about may be among them.
CREATE FUNCTION tasks_find_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM test_clocks) THEN
    NEW.clock_id := (SELECT c.account_id FROM test_clocks c
      WHERE c.account_id = task_account(NEW.kind, NEW.subject_id));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_find_clock BEFORE INSERT ON tasks
  FOR EACH ROW EXECUTE FUNCTION tasks_find_clock();

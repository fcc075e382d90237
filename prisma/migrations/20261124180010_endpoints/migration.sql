-- Endpoints that are managed over REST: they choose types of events instead of being a topic's, and
-- have a signing secret of their own. An event may have several deliveries from now on.

ALTER TABLE endpoints
  ALTER COLUMN topic DROP NOT NULL,
  ADD COLUMN description text,
  ADD COLUMN event_types text[] NOT NULL DEFAULT ARRAY[]::text[],
  ADD COLUMN secret text,
  ADD COLUMN previous_secret text,
  ADD COLUMN previous_secret_until timestamptz(3),
  ADD COLUMN disabled_by_merchant boolean NOT NULL DEFAULT false,
  ADD COLUMN removed_at timestamptz(3),
  ADD CONSTRAINT endpoints_of_a_topic CHECK (
    topic IS NULL OR (description IS NULL AND event_types = '{}' AND secret IS NULL
      AND previous_secret IS NULL AND NOT disabled_by_merchant AND removed_at IS NULL)),
  ADD CONSTRAINT endpoints_without_topic CHECK (
    topic IS NOT NULL OR CASE WHEN removed_at IS NULL THEN secret IS NOT NULL AND url <> ''
      ELSE secret IS NULL AND previous_secret IS NULL AND disabled_at IS NOT NULL END),
  ADD CONSTRAINT endpoints_disabled CHECK (NOT disabled_by_merchant OR disabled_at IS NOT NULL);
-- What an event is offered to, however many were removed before.
CREATE INDEX endpoints_without_topic ON endpoints (account_id)
  WHERE topic IS NULL AND removed_at IS NULL;

-- An event goes to an endpoint once, whoever asks for it at the same time.
CREATE UNIQUE INDEX deliveries_event_id_endpoint_id_key ON deliveries (event_id, endpoint_id);
DROP INDEX deliveries_event_id_idx;

-- Writes an event and, unless p_deliver is false, its deliveries. One goes to the transaction's own
-- URL, else to the account's endpoint of the topic. A disabled endpoint, or one without a URL,
-- holds the delivery until the merchant sends it. An account that never had an endpoint for the
-- topic gets a disabled one without a URL, like one whose URL was removed. Besides, one goes to
-- each endpoint without a topic that is enabled and takes events of this type.
CREATE OR REPLACE FUNCTION event_emit(
  p_tx transactions, p_topic topic, p_event_id uuid, p_type text, p_body text, p_now timestamptz,
  p_deliver boolean DEFAULT true
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_delivery uuid := gen_random_uuid();
  v_endpoint endpoints;
BEGIN
  INSERT INTO events (id, account_id, transaction_id, type, body, created_at)
  VALUES (p_event_id, p_tx.account_id, p_tx.id, p_type, p_body, p_now);
  IF NOT p_deliver THEN RETURN; END IF;

  WITH listening AS (
    SELECT id, url FROM endpoints
    WHERE account_id = p_tx.account_id AND topic IS NULL AND removed_at IS NULL
      AND disabled_at IS NULL AND (event_types = '{}' OR p_type = ANY (event_types))
  ), made AS (
    INSERT INTO deliveries (id, event_id, endpoint_id, url, created_at)
    SELECT gen_random_uuid(), p_event_id, id, url, p_now FROM listening RETURNING id
  )
  INSERT INTO tasks (kind, subject_id, due_at) SELECT 'deliver_webhook', id, p_now FROM made;

  IF p_tx.callback_url IS NOT NULL THEN
    INSERT INTO deliveries (id, event_id, url, created_at)
    VALUES (v_delivery, p_event_id, p_tx.callback_url, p_now);
  ELSE
    SELECT * INTO v_endpoint FROM endpoints WHERE account_id = p_tx.account_id AND topic = p_topic;
    IF NOT FOUND THEN
      INSERT INTO endpoints (id, account_id, topic, url, disabled_at, created_at)
      VALUES (gen_random_uuid(), p_tx.account_id, p_topic, '', p_now, p_now)
      ON CONFLICT (account_id, topic) DO NOTHING;
      SELECT * INTO STRICT v_endpoint FROM endpoints
      WHERE account_id = p_tx.account_id AND topic = p_topic;
    END IF;
    INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at)
    VALUES (v_delivery, p_event_id, v_endpoint.id, v_endpoint.url,
      CASE WHEN v_endpoint.disabled_at IS NULL THEN 'pending' ELSE 'held' END::delivery_status,
      p_now);
    IF v_endpoint.disabled_at IS NOT NULL THEN RETURN; END IF;
  END IF;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('deliver_webhook', v_delivery, p_now);
END $$;

-- task_account (see 20261124180008_test_clocks) with what ends the deliveries of a removed
-- endpoint.
CREATE OR REPLACE FUNCTION task_account(p_kind text, p_subject_id uuid) RETURNS uuid
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

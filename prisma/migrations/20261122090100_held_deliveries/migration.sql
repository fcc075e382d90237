-- What an endpoint has to send once it can, oldest first. Few rows of the table are in it.
CREATE INDEX deliveries_held ON deliveries (endpoint_id, created_at, event_id) WHERE status = 'held';

-- Writes an event and, when it is to be told, its delivery: to the transaction's own URL, else to the account's endpoint of the
-- topic. An endpoint that is disabled or has no URL holds the delivery until the merchant sends it; an account that never had one
-- gets its row here, disabled and without URL, as one that was removed is.
CREATE OR REPLACE FUNCTION event_emit(
  p_tx transactions, p_topic topic, p_event_id uuid, p_type text, p_body text, p_now timestamptz, p_tell boolean DEFAULT true
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_delivery uuid := gen_random_uuid();
  v_endpoint endpoints;
BEGIN
  INSERT INTO events (id, account_id, transaction_id, type, body, created_at)
  VALUES (p_event_id, p_tx.account_id, p_tx.id, p_type, p_body, p_now);
  IF NOT p_tell THEN RETURN; END IF;

  IF p_tx.callback_url IS NOT NULL THEN
    INSERT INTO deliveries (id, event_id, url, created_at) VALUES (v_delivery, p_event_id, p_tx.callback_url, p_now);
  ELSE
    SELECT * INTO v_endpoint FROM endpoints WHERE account_id = p_tx.account_id AND topic = p_topic;
    IF NOT FOUND THEN
      INSERT INTO endpoints (id, account_id, topic, url, disabled_at, created_at)
      VALUES (gen_random_uuid(), p_tx.account_id, p_topic, '', p_now, p_now) ON CONFLICT (account_id, topic) DO NOTHING;
      SELECT * INTO STRICT v_endpoint FROM endpoints WHERE account_id = p_tx.account_id AND topic = p_topic;
    END IF;
    INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at)
    VALUES (v_delivery, p_event_id, v_endpoint.id, v_endpoint.url,
      CASE WHEN v_endpoint.disabled_at IS NULL THEN 'pending' ELSE 'held' END::delivery_status, p_now);
    IF v_endpoint.disabled_at IS NOT NULL THEN RETURN; END IF;
  END IF;
  INSERT INTO tasks (kind, subject_id, due_at) VALUES ('deliver_webhook', v_delivery, p_now);
END $$;

-- Events from before, for which there was nowhere to go. Of charges and invoices that no provider made nobody is told.
INSERT INTO endpoints (id, account_id, topic, url, disabled_at, created_at)
  SELECT gen_random_uuid(), e.account_id, topic, '', min(e.created_at), min(e.created_at)
  FROM events e, CAST(CASE split_part(e.type, '.', 1)
    WHEN 'pix_in' THEN 'deposit' WHEN 'pix_out' THEN 'withdrawal' ELSE 'usdt' END AS topic) AS topic
  WHERE e.type NOT IN ('pix_in.failed', 'crypto_in.failed') AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id)
  GROUP BY e.account_id, topic
  ON CONFLICT (account_id, topic) DO NOTHING;
INSERT INTO deliveries (id, event_id, endpoint_id, url, status, created_at)
  SELECT gen_random_uuid(), e.id, n.id, n.url, 'held', e.created_at
  FROM events e JOIN endpoints n ON n.account_id = e.account_id AND n.topic = CAST(CASE split_part(e.type, '.', 1)
    WHEN 'pix_in' THEN 'deposit' WHEN 'pix_out' THEN 'withdrawal' ELSE 'usdt' END AS topic)
  WHERE e.type NOT IN ('pix_in.failed', 'crypto_in.failed') AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id);

-- Money that could not be credited and waits for the operator: the audit of its merchant says so, in the same commit.
CREATE FUNCTION review_audited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_records (merchant_id, account_id, action, details, at)
  SELECT a.merchant_id, a.id, 'review.opened', jsonb_build_object('subject', NEW.transaction_id, 'reason', NEW.reason,
    'received_centavos', NEW.received_centavos), NEW.created_at
  FROM transactions t JOIN accounts a ON a.id = t.account_id WHERE t.id = NEW.transaction_id;
  RETURN NULL;
END $$;
CREATE TRIGGER review_audited AFTER INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION review_audited();

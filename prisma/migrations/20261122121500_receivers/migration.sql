-- Whose the key of a PIX withdrawal is, as the provider says once it was sent; sealed. The fingerprints of keys that were paid
-- before are made when the service starts.
ALTER TABLE transactions ADD COLUMN pix_key_index bytea, ADD COLUMN receiver_name text, ADD COLUMN receiver_document text;

-- Only withdrawals of which somebody is known: a charge costs nothing more.
CREATE INDEX transactions_receiver ON transactions (account_id, pix_key_index, id DESC) WHERE receiver_name IS NOT NULL;

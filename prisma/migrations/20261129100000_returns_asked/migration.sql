-- When the PSP was first asked for the return of a payment: as of a refund, a rejection does not
-- end it while an earlier request without an answer may still be carried out.
ALTER TABLE payment_returns ADD COLUMN sent_at timestamptz(3);

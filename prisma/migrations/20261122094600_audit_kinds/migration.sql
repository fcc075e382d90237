-- The security page lists what was done to keys, logins and settings apart from what was done with money, which is far more: without an
-- index of its own it would be looked for among every withdrawal. The same words are in src/db/audit.ts.
CREATE INDEX audit_records_not_money_idx ON audit_records (merchant_id, id DESC)
  WHERE action !~ '^(withdrawal|refund|charge|review)[.]';
CREATE INDEX audit_records_money_idx ON audit_records (merchant_id, id DESC)
  WHERE action ~ '^(withdrawal|refund|charge|review)[.]';

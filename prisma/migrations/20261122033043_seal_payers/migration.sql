-- Payers' names, e-mails, telephones and what they pay for are sealed: by the service, when it starts, where they are in the clear. They
-- are found by keyed hashes of how their words begin. The pending list is short, so that no insert pays for a long flush.
DROP INDEX transactions_search;
ALTER TABLE "transactions" ADD COLUMN "search_tokens" BIGINT[] DEFAULT ARRAY[]::BIGINT[];
CREATE INDEX transactions_search_tokens ON transactions USING gin (search_tokens) WITH (gin_pending_list_limit = 1024);

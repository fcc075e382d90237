-- Customers: what the transactions of one document of an account say.

-- The id too, so that the newest transaction of a document, and its page of them, are one look.
DROP INDEX transactions_account_id_customer_document_index_idx;
CREATE INDEX transactions_account_id_customer_document_index_id_idx
  ON transactions (account_id, customer_document_index, id DESC);

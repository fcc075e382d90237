-- Invoices with money that was put to review, which are few: what an operator has credited of it is
-- in the amount that is shown, and in no column that transactions_shown_amount could have. The
-- query has the same condition.
CREATE INDEX transactions_reviewed ON transactions (account_id, id DESC)
  WHERE reviewed_centavos > 0;

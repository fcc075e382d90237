-- What was booked after it was paid: money that a sweep found, or that waited for a decision. A
-- list of what was paid until a day looks for these few apart, so that it need not read on from
-- that day to the newest transaction. The query has the same condition.
CREATE INDEX transactions_paid_before_made ON transactions (account_id, id DESC)
  WHERE paid_at < created_at;

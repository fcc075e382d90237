-- The failed deliveries of an account, the newest event first: without this all that ever failed
-- were read for each page.
CREATE INDEX deliveries_failed ON deliveries (event_id DESC, id DESC) WHERE status = 'failed';

-- A payment in review that is contested: the PSP's id of the case, as of a payment of no charge. It
-- becomes a case of ours once the payment is credited. Nobody saw it before, who decided about it.
ALTER TABLE reviews ADD COLUMN contested_as text;
CREATE INDEX reviews_contested ON reviews (end_to_end_id) WHERE contested_as IS NOT NULL;

-- Whether a URL was ever called: nothing can be said of how one does that was not.
ALTER TABLE "endpoints" ADD COLUMN "called_at" TIMESTAMPTZ(3);

UPDATE endpoints n SET called_at = first.started_at
FROM (
  SELECT d.endpoint_id, d.url, min(a.started_at) AS started_at
  FROM deliveries d JOIN attempts a ON a.delivery_id = d.id
  WHERE d.endpoint_id IS NOT NULL GROUP BY d.endpoint_id, d.url) AS first
WHERE first.endpoint_id = n.id AND first.url = n.url;

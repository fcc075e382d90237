-- Deliveries that are to be sent again in the order of their events.
ALTER TABLE deliveries ADD COLUMN replay_subject_id uuid;
-- What a task is to send again, oldest first: empty but for what waits.
CREATE INDEX deliveries_replayed ON deliveries (replay_subject_id, created_at, event_id)
  WHERE replay_subject_id IS NOT NULL;

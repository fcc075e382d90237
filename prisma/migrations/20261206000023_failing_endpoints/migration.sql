-- An endpoint that takes nothing for days is disabled, as one that answers 410 is.

-- Since when each attempt to reach it has failed, as its hourly check found; null where the last
-- check found that events arrive, and where a 410 or its merchant disabled it first.
ALTER TABLE endpoints ADD COLUMN failing_since timestamptz(3);

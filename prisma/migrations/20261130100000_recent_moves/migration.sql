-- A request that moves a clock may be repeated after a crash that lost its answer: the clock is not
-- moved a second time.

ALTER TABLE test_clocks ADD COLUMN recent_moves uuid[] NOT NULL DEFAULT ARRAY[]::uuid[];

-- What the operator decides on for the whole installation, and on what terms an account works.

-- Rails that the operator has turned off for every account; a rail without a row is on. A few rows
-- at most, read with the terms of an account.
CREATE TABLE closed_rails (
  rail transaction_type PRIMARY KEY CHECK (rail <> 'split_in'),
  reason text NOT NULL,
  closed_by text NOT NULL,
  closed_at timestamptz(3) NOT NULL
);

-- What the ledger check of the command line found last.
CREATE TABLE ledger_checks (
  kind text PRIMARY KEY CHECK (kind IN ('since', 'full')),
  checked_at timestamptz(3) NOT NULL,
  transfers bigint NOT NULL,
  entries bigint NOT NULL,
  discrepancies integer NOT NULL,
  first_finding text
);

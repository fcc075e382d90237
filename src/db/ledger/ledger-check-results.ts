import type pg from 'pg';
import type { LedgerReport } from './check-ledger.ts';

/** What a ledger check found: of everything, or since the check before it. */
export type LedgerCheckResult = {
  kind: 'since' | 'full';
  checkedAt: Date;
  transfers: bigint;
  entries: bigint;
  discrepancies: number;
  /** The first of them; null: none. */
  firstFinding: string | null;
};

/** The last result of each kind of check, the newest first; empty when none was made. */
export async function findLedgerChecks(db: pg.Pool): Promise<LedgerCheckResult[]> {
  const { rows } = await db.query<LedgerCheckResult>(
    `SELECT kind, checked_at AS "checkedAt", transfers, entries, discrepancies, first_finding AS "firstFinding"
     FROM ledger_checks ORDER BY checked_at DESC`,
  );
  return rows;
}

/**
 * Stores the result of a check, in place of the last one of its kind. Does nothing when the pool's
 * role may not write the table: only its owner may.
 */
export async function saveLedgerCheck(
  db: pg.Pool,
  kind: LedgerCheckResult['kind'],
  { transfers, entries, discrepancies }: Pick<LedgerReport, 'transfers' | 'entries' | 'discrepancies'>,
  now: Date,
): Promise<void> {
  const { rows } = await db.query<{ may: boolean }>(
    "SELECT has_table_privilege('ledger_checks', 'INSERT, UPDATE') AS may",
  );
  if (!rows[0]?.may) return;
  const [first] = discrepancies;
  await db.query(
    `INSERT INTO ledger_checks (kind, checked_at, transfers, entries, discrepancies, first_finding)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (kind) DO UPDATE SET checked_at = excluded.checked_at, transfers = excluded.transfers,
       entries = excluded.entries, discrepancies = excluded.discrepancies, first_finding = excluded.first_finding`,
    [kind, now, transfers, entries, discrepancies.length, first ? `${first.rule}: ${first.detail}` : null],
  );
}

import type pg from 'pg';

export type LedgerFault = { rule: string; detail: string };
export type LedgerReport = { transfers: number; entries: number; accounts: number; faults: LedgerFault[] };

/** Enough to see the pattern of a fault; a broken ledger could have millions. */
const FAULTS_SHOWN_MAX = 100;

/** Each query yields one row a fault, with a `detail`. */
const RULES: { rule: string; sql: string }[] = [
  {
    rule: 'every transfer sums to zero',
    sql: `SELECT format('transfer %s (%s of transaction %s) sums to %s', t.id, t.kind, t.transaction_id, coalesce(sum(e.amount_centavos), 0)) AS detail
      FROM ledger_transfers t LEFT JOIN ledger_entries e ON e.transfer_id = t.id
      GROUP BY t.id HAVING coalesce(sum(e.amount_centavos), 0) <> 0`,
  },
  {
    rule: 'every stored balance is the sum of its entries',
    sql: `SELECT format('ledger account %s (%s of account %s) stores %s, its entries sum to %s', a.id, a.kind, a.account_id,
        a.balance_centavos, coalesce(sum(e.amount_centavos), 0)) AS detail
      FROM ledger_accounts a LEFT JOIN ledger_entries e ON e.ledger_account_id = a.id
      WHERE a.balance_centavos IS NOT NULL
      GROUP BY a.id HAVING a.balance_centavos <> coalesce(sum(e.amount_centavos), 0) OR a.balance_centavos < 0`,
  },
  {
    rule: 'every entry follows the one before it',
    sql: `SELECT format('entry %s: version %s, balance %s after %s on %s', id, version, balance_after_centavos, amount_centavos, before) AS detail
      FROM (SELECT id, version, balance_after_centavos, amount_centavos,
          lag(balance_after_centavos, 1, 0::bigint) OVER w AS before, row_number() OVER w AS position
        FROM ledger_entries WHERE version IS NOT NULL WINDOW w AS (PARTITION BY ledger_account_id ORDER BY version)) AS chain
      WHERE before + amount_centavos <> balance_after_centavos OR version <> position`,
  },
  {
    rule: 'test and live money never meet in one transfer',
    sql: `SELECT format('transfer %s touches both modes', e.transfer_id) AS detail
      FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.ledger_account_id
      GROUP BY e.transfer_id HAVING count(DISTINCT a.mode) > 1`,
  },
  {
    rule: 'every paid charge has exactly its credit, no other charge has one',
    sql: `SELECT format('transaction %s is %s with %s charge_paid transfers', x.id, x.status, count(t.id)) AS detail
      FROM transactions x LEFT JOIN ledger_transfers t ON t.transaction_id = x.id AND t.kind = 'charge_paid'
      WHERE x.type = 'pix_in' GROUP BY x.id
      HAVING count(t.id) <> CASE WHEN x.status IN ('paid', 'refunded') THEN 1 ELSE 0 END`,
  },
];

/** Recomputes every balance and every sum, in one snapshot of the database. No faults: the ledger balances. */
export async function checkLedger(db: pg.Pool): Promise<LedgerReport> {
  const client = await db.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // A check of years of entries takes longer than any statement of the service may.
    await client.query('SET LOCAL statement_timeout = 0');
    const faults: LedgerFault[] = [];
    for (const { rule, sql } of RULES) {
      const { rows } = await client.query<{ detail: string }>(`${sql} LIMIT ${FAULTS_SHOWN_MAX}`);
      faults.push(...rows.map(({ detail }) => ({ rule, detail })));
    }
    const { rows } = await client.query<{ transfers: bigint; entries: bigint; accounts: bigint }>(
      `SELECT (SELECT count(*) FROM ledger_transfers) AS transfers, (SELECT count(*) FROM ledger_entries) AS entries,
        (SELECT count(*) FROM ledger_accounts) AS accounts`,
    );
    await client.query('COMMIT');
    const count = rows[0] ?? { transfers: 0n, entries: 0n, accounts: 0n };
    return {
      transfers: Number(count.transfers),
      entries: Number(count.entries),
      accounts: Number(count.accounts),
      faults,
    };
  } finally {
    client.release();
  }
}

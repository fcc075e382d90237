import type pg from 'pg';
import { AUDIT_RULES } from '../audit/audit-rules.ts';
import { AUDIT_HEADS_RULE, checkAuditHeads } from '../audit/check-audit-heads.ts';
import { checkHeads, HEADS_RULE } from './check-heads.ts';
import { type Checkpoint, findCheckpoint, readHorizon, saveCheckpoint } from './ledger-checkpoint.ts';
import { changedOnes, RULES } from './ledger-rules.ts';
import { PROOF_RULES } from './proof-rules.ts';

export type LedgerDiscrepancy = { rule: string; detail: string };
export type LedgerReport = {
  transfers: number;
  entries: number;
  accounts: number;
  /** Null: everything was checked. Otherwise a check before this one has proved what is older. */
  since: Date | null;
  /** What was checked. */
  rules: string[];
  discrepancies: LedgerDiscrepancy[];
};

/** Enough to see the pattern of a discrepancy; a broken ledger could have millions. */
const DISCREPANCIES_SHOWN_MAX = 100;

/**
 * How long before the last check a change that it has not seen may be dated: by a clock that was
 * behind, or in a transaction that took long.
 */
const OVERLAP = '1 hour';

/** The rules of the ledger, of its chains and of the audit. */
const ALL_RULES = [...RULES, ...PROOF_RULES, ...AUDIT_RULES];

/** `publicKey`: what heads have to be signed with, where it is known. */
type CheckOptions = { publicKey?: string };

/**
 * Recomputes every balance, every sum and every hash, in one snapshot of the database. No
 * discrepancies: the ledger balances.
 */
export const checkLedger = (db: pg.Pool, options: CheckOptions = {}): Promise<LedgerReport> => check(db, null, options);

/**
 * Checks what was written or changed since the last check without discrepancies, or everything when
 * there was none. Without discrepancies it stores the checkpoint for the next check, if the pool's
 * role owns the tables. What the previous check has proved is not checked again: the service can't
 * change transfers and entries, and a change behind its back is found by checkLedger alone.
 */
export async function checkLedgerSince(db: pg.Pool, now: Date, options: CheckOptions = {}): Promise<LedgerReport> {
  const since = await findCheckpoint(db);
  const horizon = await readHorizon(db, now);
  const report = await check(db, since, options);
  if (horizon && report.discrepancies.length === 0) await saveCheckpoint(db, horizon);
  return report;
}

async function check(db: pg.Pool, since: Checkpoint | null, options: CheckOptions): Promise<LedgerReport> {
  const client = await db.connect();
  // A check that broke off would leave its transaction, without a time limit, to the connection's
  // next user.
  let broken = true;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // A check of years of entries takes longer than any statement of the service may.
    await client.query('SET LOCAL statement_timeout = 0');
    // Sums of millions of rows are sorted on the disk with the four megabytes that a statement has.
    await client.query("SET LOCAL work_mem = '64MB'");
    const discrepancies: LedgerDiscrepancy[] = [];
    for (const { rule, text, values } of since ? await statementsSince(client, since) : statementsOfAll()) {
      const { rows } = await client.query<{ detail: string }>(`${text} LIMIT ${DISCREPANCIES_SHOWN_MAX}`, values);
      discrepancies.push(...rows.map(({ detail }) => ({ rule, detail })));
    }
    const heads = await checkHeads(client, since?.headDay ?? null, options.publicKey ?? null);
    discrepancies.push(...heads.slice(0, DISCREPANCIES_SHOWN_MAX).map((detail) => ({ rule: HEADS_RULE, detail })));
    const audit = await checkAuditHeads(client, since?.headDay ?? null, options.publicKey ?? null);
    discrepancies.push(
      ...audit.slice(0, DISCREPANCIES_SHOWN_MAX).map((detail) => ({ rule: AUDIT_HEADS_RULE, detail })),
    );
    const { rows } = await client.query<{ transfers: bigint; entries: bigint; accounts: bigint }>(
      `SELECT (SELECT count(*) FROM ledger_transfers WHERE id > $1) AS transfers, (SELECT count(*) FROM ledger_entries WHERE id > $2) AS entries,
        (SELECT count(*) FROM ledger_accounts) AS accounts`,
      [since?.transferId ?? 0n, since?.entryId ?? 0n],
    );
    await client.query('COMMIT');
    broken = false;
    const count = rows[0] ?? { transfers: 0n, entries: 0n, accounts: 0n };
    return {
      transfers: Number(count.transfers),
      entries: Number(count.entries),
      accounts: Number(count.accounts),
      since: since?.checkedAt ?? null,
      rules: [...ALL_RULES.map(({ rule }) => rule), HEADS_RULE, AUDIT_HEADS_RULE],
      discrepancies,
    };
  } finally {
    client.release(broken);
  }
}

type RuleStatement = { rule: string; text: string; values: unknown[] };

const statementsOfAll = (): RuleStatement[] => ALL_RULES.map(({ rule, sql }) => ({ rule, text: sql, values: [] }));

async function statementsSince(client: pg.PoolClient, since: Checkpoint): Promise<RuleStatement[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT transaction_id AS id FROM ledger_transfers WHERE id > $1 AND transaction_id IS NOT NULL
     UNION SELECT t.transaction_id FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
       WHERE e.id > $2 AND t.transaction_id IS NOT NULL
     UNION SELECT x.id FROM accounts a JOIN transactions x ON x.account_id = a.id AND x.updated_at >= $3::timestamptz - $4::interval`,
    [since.transferId, since.entryId, since.checkedAt, OVERLAP],
  );
  const values = {
    changed: { value: rows.map(({ id }) => id), type: 'uuid[]' },
    transfer: { value: since.transferId, type: 'bigint' },
    entry: { value: since.entryId, type: 'bigint' },
    day: { value: since.totalsFrom, type: 'timestamptz' },
    chained: { value: since.chainedId, type: 'bigint' },
    audited: { value: since.auditedId, type: 'bigint' },
  };
  return ALL_RULES.map(({ rule, sql, sinceSql = (names) => `${changedOnes(names)} ${sql}` }) => {
    const named = sinceSql({
      changed: '{changed}',
      transfer: '{transfer}',
      entry: '{entry}',
      day: '{day}',
      chained: '{chained}',
      audited: '{audited}',
    });
    // A statement has to use all of its parameters.
    const used = Object.entries(values).filter(([name]) => named.includes(`{${name}}`));
    const text = used.reduce((sql, [name, { type }], at) => sql.replaceAll(`{${name}}`, `$${at + 1}::${type}`), named);
    return { rule, text, values: used.map(([, { value }]) => value) };
  });
}

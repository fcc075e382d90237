import type pg from 'pg';

/** The oldest that migrations can be applied to; src/testing/postgres-version.test.ts holds it. */
const VERSION_MIN = 15;

/**
 * Rejects a server that would lose what it acknowledged, that can't write, that isolates
 * transactions otherwise than they were written for, or whose database can't hold every text, and a
 * pooler that drops the limits of our sessions. Throws one line that says what to change.
 */
export async function checkServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; value: string }>(
    `SELECT name, setting AS value FROM pg_settings
     WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'transaction_read_only', 'TimeZone',
       'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'default_transaction_isolation',
       'server_encoding', 'server_version_num', 'server_version', 'synchronous_standby_names')
     UNION ALL SELECT 'in_recovery', pg_is_in_recovery()::text`,
  );
  const value = new Map(rows.map((row) => [row.name, row.value]));
  if (Number(value.get('server_version_num')) < VERSION_MIN * 10_000) {
    throw new Error(`PostgreSQL ${value.get('server_version')} is too old: use ${VERSION_MIN} or newer.`);
  }
  const encoding = value.get('server_encoding');
  if (encoding !== undefined && encoding !== 'UTF8') {
    throw new Error(
      `The database of DATABASE_URL has the encoding ${encoding}, which can't hold every name: create one with ENCODING 'UTF8'.`,
    );
  }
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    if (value.get(name) === 'off') {
      throw new Error(`PostgreSQL runs with ${name}=off and may lose acknowledged payments: set it to on.`);
    }
  }
  if (value.get('synchronous_commit') === 'local' && value.get('synchronous_standby_names')) {
    throw new Error(
      'PostgreSQL runs with synchronous_commit=local beside a synchronous standby, and a failover may lose acknowledged payments: set it to on.',
    );
  }
  // The ledger waits for a row and then reads what is there; above this level it would read what
  // was there before, or fail.
  const isolation = value.get('default_transaction_isolation');
  if (isolation !== undefined && isolation !== 'read committed') {
    throw new Error(
      `PostgreSQL runs with default_transaction_isolation=${isolation}, in which payments fail that meet each other: set it to read committed for this database.`,
    );
  }
  if (value.get('in_recovery') === 'true' || value.get('transaction_read_only') === 'on') {
    throw new Error('PostgreSQL is read-only (a replica?): point DATABASE_URL at the primary.');
  }
  for (const [name, asked] of settingsAskedFor(pool)) {
    const has = value.get(name);
    const isKept = name === 'TimeZone' ? has === asked : has !== '0' || /^0\D*$/.test(asked);
    if (has !== undefined && !isKept) {
      throw new Error(
        `The sessions of DATABASE_URL have ${name}=${has}: a pooler between drops what they ask for; docs/operations.md says how PgBouncer keeps it.`,
      );
    }
  }
}

/** By name, the value that counts: of two of one name, the last. */
function settingsAskedFor({ options }: pg.Pool): Map<string, string> {
  const matches = (options?.options ?? '').matchAll(/-c\s*([A-Za-z_.]+)=(\S+)/g);
  return new Map(Array.from(matches, ([, name = '', value = '']) => [name, value]));
}

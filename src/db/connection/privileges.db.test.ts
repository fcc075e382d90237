import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fund, openTestAccount } from '../testing/ledger-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type Database, openDatabase } from './database.ts';
import { applyMigrations, migrate } from './migrate.ts';
import { tooPowerful } from './privileges.ts';

/** PostgreSQL's insufficient_privilege. */
const DENIED = '42501';
/**
 * Tables that are written through functions alone; one of a later migration is recognised by its
 * name.
 */
const LEDGER =
  "relname ~ '^ledger_|^(account_totals|audit_heads|audit_links|audit_sealing|invoice_increments|limit_usage|totals_progress)$'";
/** Of the tables that have no `id`. */
const A_COLUMN: Record<string, string> = {
  account_totals: 'count',
  audit_heads: 'chains',
  audit_links: 'number',
  invoice_increments: 'units',
  ledger_chains: 'leaf',
  ledger_checks: 'entries',
  ledger_heads: 'leaves',
  ledger_seals: 'version',
  limit_usage: 'centavos',
  totals_progress: 'closed_until',
};

let database: TestDatabase;
let service: Database;
let owner: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  service = openDatabase(database.url);
  owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  owner.on('error', () => {});
  await migrate(service, database.ownerUrl);
  await fund(service.pool, await openTestAccount(service.pool, 'live'), 1_000n);
});
afterAll(async () => {
  await owner.end();
  await service.close();
  await database.drop();
});

/**
 * Runs a statement as the service. Returns PostgreSQL's error code; `done` when it was carried out.
 */
async function attempt(sql: string): Promise<string> {
  return await service.pool.query(sql).then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );
}

/**
 * As attempt(), of many statements in one call: one by one they would be a thousand calls. What is
 * carried out of them stays.
 */
async function attemptAll(statements: readonly string[]): Promise<[sql: string, outcome: string][]> {
  const client = await service.pool.connect();
  try {
    await client.query("SELECT set_config('attempts.statements', $1, false)", [JSON.stringify(statements)]);
    await client.query(`DO $$
      DECLARE
        v_sql text;
        v_outcomes jsonb := '[]';
        v_outcome text;
      BEGIN
        FOR v_sql IN SELECT jsonb_array_elements_text(current_setting('attempts.statements')::jsonb) LOOP
          v_outcome := 'done';
          BEGIN
            EXECUTE v_sql;
          EXCEPTION WHEN OTHERS THEN
            v_outcome := SQLSTATE;
          END;
          v_outcomes := v_outcomes || to_jsonb(v_outcome);
        END LOOP;
        PERFORM set_config('attempts.outcomes', v_outcomes::text, false);
      END $$`);
    const { rows } = await client.query<{ outcomes: string[] }>(
      "SELECT current_setting('attempts.outcomes')::jsonb AS outcomes",
    );
    return statements.map((sql, index) => [sql, rows[0]?.outcomes[index] ?? '']);
  } finally {
    client.release();
  }
}

const names = async (condition: string): Promise<string[]> => {
  const { rows } = await owner.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND ${condition}`,
  );
  return rows.map((row) => row.relname);
};

// ASVS 13.2.2
test('the role that serves owns nothing, creates nothing and is a member of no other role', async () => {
  const { rows } = await service.pool.query(
    `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
      (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships,
      (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS relations,
      (SELECT count(*)::int FROM pg_proc WHERE proowner = r.oid) AS functions
    FROM pg_roles r WHERE rolname = current_user`,
  );
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      memberships: 0,
      relations: 0,
      functions: 0,
    },
  ]);
  expect(await tooPowerful(service.pool)).toBeNull();
});

test('no row of a ledger table is written, changed or removed but by a ledger function', async () => {
  const tables = await names(LEDGER);
  expect(tables).toEqual(
    expect.arrayContaining(['ledger_accounts', 'ledger_entries', 'ledger_transfers', 'limit_usage']),
  );
  for (const table of tables) {
    for (const sql of [
      `INSERT INTO ${table} SELECT * FROM ${table}`,
      `UPDATE ${table} SET ${A_COLUMN[table] ?? 'id'} = DEFAULT`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
      `SELECT * FROM ${table} FOR UPDATE`,
    ]) {
      expect([sql, await attempt(sql)]).toEqual([sql, DENIED]);
    }
    expect(await attempt(`SELECT * FROM ${table}`)).toBe('done');
  }
});

test('the role that serves writes through no view, and takes or sets no number of the ledger', async () => {
  const { rows } = await owner.query(
    `SELECT relname FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'sandbox'::regnamespace) AND CASE
       WHEN relkind IN ('v', 'm') THEN has_table_privilege('trilho_service', oid, 'INSERT, UPDATE, DELETE, TRIGGER')
       WHEN relkind = 'S' THEN has_sequence_privilege('trilho_service', oid, 'UPDATE')
         OR relname LIKE 'ledger%' AND has_sequence_privilege('trilho_service', oid, 'USAGE') END`,
  );
  expect(rows).toEqual([]);
});

// ASVS 16.4.2
test('the role that serves adds audit records, and neither changes nor removes one', async () => {
  for (const sql of [
    "UPDATE audit_records SET action = 'nothing'",
    'DELETE FROM audit_records',
    'TRUNCATE audit_records',
  ]) {
    expect([sql, await attempt(sql)]).toEqual([sql, DENIED]);
  }
  const { rows } = await owner.query(
    "SELECT has_table_privilege('trilho_service', 'audit_records', 'INSERT') AS inserts",
  );
  expect(rows).toEqual([{ inserts: true }]);
});

test('the role that serves disables no trigger, changes or removes no table, and can’t rewrite which migrations ran', async () => {
  const tables = await names('true');
  const attempts = tables.flatMap((table) => [
    `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    `ALTER TABLE ${table} ADD COLUMN sneaked int`,
    `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
    `DROP TABLE ${table} CASCADE`,
    `TRUNCATE ${table} CASCADE`,
    `CREATE TRIGGER sneaked BEFORE INSERT ON ${table} EXECUTE FUNCTION ledger_reject_change()`,
  ]);
  expect((await attemptAll(attempts)).filter(([, outcome]) => outcome !== DENIED)).toEqual([]);
  // PostgreSQL only warns that it has granted nothing where some right is held already.
  await attemptAll(tables.map((table) => `GRANT ALL ON ${table} TO CURRENT_USER`));
  expect(await attempt('DELETE FROM _prisma_migrations')).toBe(DENIED);
  expect(await attempt('UPDATE ledger_entries SET id = id')).toBe(DENIED);
});

test('planted: a statement that is carried out among rejected ones is found', async () => {
  expect(await attemptAll(['DROP TABLE accounts', 'SELECT 1'])).toEqual([
    ['DROP TABLE accounts', DENIED],
    ['SELECT 1', 'done'],
  ]);
});

test('the role that serves makes, changes or removes no function, and can’t call the ledger’s inner ones', async () => {
  const { rows } = await owner.query<{ name: string; inner: boolean; arguments: string }>(
    `SELECT p.oid::regprocedure::text AS name,
      p.prorettype <> 'trigger'::regtype AND p.provolatile = 'v' AND p.proname LIKE 'ledger\\_%' AND p.proname <> 'ledger_open' AS inner,
      coalesce((SELECT string_agg('NULL::' || format_type(t, NULL), ', ') FROM unnest(p.proargtypes) AS t), '') AS arguments
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  expect(rows.filter((row) => row.inner).length).toBeGreaterThan(10);
  const attempts = rows.flatMap(({ name, inner, arguments: values }) => [
    `DROP FUNCTION ${name}`,
    `ALTER FUNCTION ${name} SECURITY INVOKER`,
    ...(inner ? [`SELECT ${name.replace(/\(.*/, '')}(${values})`] : []),
  ]);
  expect((await attemptAll(attempts)).filter(([, outcome]) => outcome !== DENIED)).toEqual([]);
  for (const schema of ['public', 'sandbox', 'pg_temp']) {
    const sql = `CREATE FUNCTION ${schema}.sneaked() RETURNS int LANGUAGE sql AS 'SELECT 1'`;
    expect([sql, ['done'].includes(await attempt(sql))]).toEqual([sql, false]);
  }
});

test.each([
  'SET session_replication_role = replica',
  "SELECT set_config('session_replication_role', 'replica', false)",
  'SET ROLE trilho',
  'SET SESSION AUTHORIZATION trilho',
  "COPY (SELECT 1) TO PROGRAM 'true'",
  "COPY (SELECT 1) TO '/tmp/sneaked'",
  "SELECT pg_read_file('postgresql.conf')",
  "SELECT pg_ls_dir('.')",
  "SELECT lo_import('/etc/passwd')",
  'CREATE EXTENSION pageinspect',
  'CREATE TABLE sneaked (n int)',
  'CREATE TEMP TABLE ledger_transfers (n int)',
  'CREATE SCHEMA sneaked',
  'CREATE ROLE sneaked',
  'CREATE DATABASE sneaked',
  "ALTER SYSTEM SET fsync = 'off'",
  'ALTER ROLE CURRENT_USER SUPERUSER',
  'SELECT pg_reload_conf()',
  'SELECT * FROM pg_authid',
])('the role that serves is rejected: %s', async (sql) => {
  expect(await attempt(sql)).toBe(DENIED);
});

test('every function that writes runs with the owner’s rights on a search path of its own, and triggers on that path too', async () => {
  const { rows } = await owner.query(
    `SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
      AND has_function_privilege('trilho_service', p.oid, 'EXECUTE') AND p.provolatile = 'v'
      AND (NOT p.prosecdef OR p.proconfig IS DISTINCT FROM ARRAY['search_path=public, pg_temp'])
    UNION ALL SELECT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE NOT t.tgisinternal AND p.proconfig IS DISTINCT FROM ARRAY['search_path=public, pg_temp']`,
  );
  expect(rows).toEqual([]);
});

test('a function or table that a migration replaces or adds has its privileges before anybody is served', async () => {
  const { rows } = await owner.query("SELECT pg_get_functiondef('charge_pay'::regproc) AS sql");
  await owner.query(rows[0].sql.replace('SECURITY DEFINER', '').replace(/SET search_path TO [^\n]*/, ''));
  await owner.query(`CREATE TABLE ledger_later (id int);
    CREATE TABLE later (id serial);
    CREATE FUNCTION ledger_later_posting() RETURNS int LANGUAGE sql AS 'SELECT 1'`);
  expect(await attempt('SELECT ledger_later_posting()')).toBe('done');

  await migrate(service, database.ownerUrl);
  expect(await attempt('SELECT ledger_later_posting()')).toBe(DENIED);
  expect(await attempt('INSERT INTO ledger_later VALUES (1)')).toBe(DENIED);
  expect(await attempt('INSERT INTO later DEFAULT VALUES')).toBe('done');
  await fund(service.pool, await openTestAccount(service.pool, 'live'), 1_000n);
});

test('one role for everything keeps its rights, and a warning says that it has too many', async () => {
  const single = openDatabase(database.ownerUrl, { max: 1 });
  await migrate(single);
  await migrate(single, database.ownerUrl);
  expect(await tooPowerful(single.pool)).toBe('it is a superuser');
  await fund(single.pool, await openTestAccount(single.pool, 'live'), 1_000n);
  await single.close();
});

test('the roles that the README creates are enough: the owner migrates as no superuser, the other one serves', async () => {
  const suffix = new URL(database.url).pathname.slice(-8);
  const [sql = ''] = /(?<=```sql\n)CREATE ROLE[^`]*/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const named = sql.replaceAll(/\btrilho(_owner)?\b/g, (name) => `${name}_${suffix}`);
  // CREATE DATABASE can't be in a transaction.
  for (const statement of named.split(';\n').filter(Boolean)) await owner.query(statement);
  const urlOf = (role: string, password: string) => {
    const url = new URL(database.url);
    Object.assign(url, { username: `${role}_${suffix}`, password, pathname: `trilho_${suffix}` });
    return url.href;
  };
  const own = openDatabase(urlOf('trilho', 'another password'), { max: 2 });
  try {
    await expect(migrate(own)).rejects.toThrow(/set DATABASE_OWNER_URL/);
    await migrate(own, urlOf('trilho_owner', 'one password'));
    expect(await tooPowerful(own.pool)).toBeNull();
    await fund(own.pool, await openTestAccount(own.pool, 'live'), 1_000n);
    await expect(own.pool.query('DELETE FROM audit_records')).rejects.toMatchObject({ code: DENIED });
    await expect(own.pool.query('UPDATE ledger_entries SET id = id')).rejects.toMatchObject({ code: DENIED });
    await expect(own.pool.query('CREATE TEMP TABLE sneaked (n int)')).rejects.toMatchObject({ code: DENIED });
  } finally {
    await own.close();
    await owner.query(`DROP DATABASE trilho_${suffix} WITH (FORCE)`);
    await owner.query(`DROP ROLE trilho_${suffix}, trilho_owner_${suffix}`);
  }
});

test('the role that serves starts on a database of this version, and asks for the owner where a migration is missing', async () => {
  await expect(migrate(service)).resolves.toBeUndefined();
  const last = '(SELECT max(migration_name) FROM _prisma_migrations)';
  await owner.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${last}`);
  await expect(migrate(service)).rejects.toThrow(/set DATABASE_OWNER_URL/);
  await owner.query(`UPDATE _prisma_migrations SET finished_at = now() WHERE migration_name = ${last}`);
  await applyMigrations(database.ownerUrl);
});

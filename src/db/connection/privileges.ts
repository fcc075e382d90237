import type pg from 'pg';

/** The privileges of the service on tables that it may not write freely. */
const RESTRICTED_TABLES = {
  // Only the ledger's functions move money, price crypto payments, count what limits allow and add
  // up hours and days. The audit's chains and heads are written by its functions alone.
  ledger: 'SELECT',
  audit_records: 'SELECT, INSERT',
  _prisma_migrations: 'SELECT',
} as const;

/** The only function of the ledger that writes and may be called by the service. */
const LEDGER_ENTRY = 'ledger_open';

/**
 * Grants `role`, which serves, the privileges that it needs and no others. Called by the owner of
 * the tables, inside a transaction. Reads the catalogue, so that tables and functions of later
 * migrations are covered, and may run any number of times: replacing a function resets its
 * attributes.
 *
 * Ledger tables are read-only. Functions that write run with the owner's rights and with a fixed
 * search path. The ledger's inner functions (`ledger_post` and the postings) can't be called.
 */
export async function grantPrivileges(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ other: boolean }>(
    "SELECT set_config('trilho.service_role', $1, true) <> current_user AS other",
    [role],
  );
  // With one role for both, it would revoke its own privileges.
  if (!rows[0]?.other) return;
  await client.query(GRANTS);
}

/** Returns why a role has more privileges than serving needs; null when it has not. */
export async function tooPowerful(db: pg.Pool): Promise<string | null> {
  const { rows } = await db.query<{ superuser: boolean; owner: boolean; writes: boolean }>(
    `SELECT rolsuper AS superuser,
      EXISTS (SELECT FROM pg_class WHERE relname = 'ledger_entries' AND pg_has_role(relowner, 'USAGE')) AS owner,
      has_table_privilege('ledger_entries', 'INSERT, UPDATE, DELETE, TRUNCATE') AS writes
    FROM pg_roles WHERE rolname = current_user`,
  );
  if (rows[0]?.superuser) return 'it is a superuser';
  if (rows[0]?.owner) return 'it owns the tables';
  return rows[0]?.writes ? 'it may write the ledger’s tables' : null;
}

const GRANTS = `DO $grants$
DECLARE
  v_role name := current_setting('trilho.service_role');
  v record;
  v_wanted text;
BEGIN
  IF pg_has_role(current_user, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE') THEN
    -- No temporary tables: one in pg_temp would be found before a table of the schema.
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC, %I', current_database(), v_role);
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), v_role);
  END IF;

  FOR v IN SELECT oid, nspname FROM pg_namespace WHERE nspname IN ('public', 'sandbox') LOOP
    EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC, %I', v.nspname, v_role);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', v.nspname, v_role);
  END LOOP;

  FOR v IN
    SELECT c.oid::regclass AS name, c.relname, c.relkind, owned.relname AS table_name
    FROM pg_class c
    LEFT JOIN pg_depend d ON c.relkind = 'S' AND d.objid = c.oid AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass
    LEFT JOIN pg_class owned ON owned.oid = d.refobjid
    WHERE c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'sandbox'))
      AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND pg_has_role(c.relowner, 'USAGE')
  LOOP
    v_wanted := CASE
      WHEN coalesce(v.table_name, v.relname) ~ '^ledger_|^(audit_heads|audit_links|audit_sealing|invoice_increments|limit_usage|totals_progress|rail_movements|coin_movements|account_(totals|movements|outcomes))$' THEN
        CASE WHEN v.relkind = 'S' THEN NULL ELSE '${RESTRICTED_TABLES.ledger}' END
      WHEN v.relkind = 'S' THEN 'USAGE'
      WHEN v.relname = 'audit_records' THEN '${RESTRICTED_TABLES.audit_records}'
      WHEN v.relname = '_prisma_migrations' THEN '${RESTRICTED_TABLES._prisma_migrations}'
      ELSE 'SELECT, INSERT, UPDATE, DELETE' END;
    EXECUTE format('REVOKE ALL ON %s %s FROM PUBLIC, %I', CASE v.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, v.name, v_role);
    IF v_wanted IS NOT NULL THEN
      EXECUTE format('GRANT %s ON %s %s TO %I', v_wanted, CASE v.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, v.name, v_role);
    END IF;
  END LOOP;

  FOR v IN
    SELECT p.oid::regprocedure AS name, p.proconfig,
      p.prorettype = 'trigger'::regtype AS is_trigger,
      p.provolatile = 'v' AS writes,
      p.proname LIKE 'ledger\\_%' AND p.proname <> '${LEDGER_ENTRY}' AS is_inner,
      p.prosecdef AS runs_as_owner
    FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' AND pg_has_role(p.proowner, 'USAGE')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, %I', v.name, v_role);
    -- A trigger runs with the search path of the role that writes the row, which could lead to
    -- another table.
    IF v.is_trigger AND v.proconfig IS NULL THEN
      EXECUTE format('ALTER FUNCTION %s SET search_path = public, pg_temp', v.name);
    END IF;
    CONTINUE WHEN v.is_trigger OR (v.writes AND v.is_inner);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', v.name, v_role);
    -- A function that only reads needs no other rights, and could not be inlined any more.
    IF v.writes AND (NOT v.runs_as_owner OR v.proconfig IS NULL) THEN
      EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = public, pg_temp', v.name);
    END IF;
  END LOOP;
END $grants$`;

import type pg from 'pg';
import { withTransaction } from '../connection/with-transaction.ts';
import { type SealedTable, versionSql } from './sealed-tables.ts';

/** Of one column, how many values a key has sealed; '' where a value does not say which. */
export type SealedCount = { column: string; version: string; values: number };

/** A count reads whole tables: it may take longer than any statement of the service does. */
const COUNT_LIMIT = '30min';

/** How many values are sealed with which key, by column. Reads every row. */
export async function countSealed(pool: pg.Pool, tables: readonly SealedTable[]): Promise<SealedCount[]> {
  return withTransaction(pool, async (db) => {
    await db.query(`SET LOCAL statement_timeout = '${COUNT_LIMIT}'`);
    const counts: SealedCount[] = [];
    for (const { table, columns } of tables) {
      const versions = columns.map(({ name, kind }) => `('${name}', ${versionSql(kind, name)})`);
      const { rows } = await db.query<{ name: string; version: string; values: bigint }>(
        `SELECT v.name, v.version, count(*) AS values FROM ${table}, LATERAL (VALUES ${versions.join(', ')}) AS v(name, version)
         WHERE v.version IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
      );
      for (const { name, version, values } of rows) {
        counts.push({ column: `${table}.${name}`, version, values: Number(values) });
      }
    }
    return counts;
  });
}

/** What the box makes is a version, and at least a nonce and a tag: 28 bytes. */
const SEALED_TEXT = `'^v[0-9]{1,7}[.][A-Za-z0-9+/]{38}|^[$]ba[$][0-9]{1,7}[$][0-9a-f]{80}'`;
const SEALED_BYTES = `'^v[0-9]{1,7}[.]'`;
/** A fingerprint: no sealed value of use is as short. */
const FINGERPRINT_BYTES = 32;

/**
 * Lists the columns (`table.column`) that the registry lacks and that hold nothing but sealed
 * values: they would not be sealed again. Reads the database's catalogue, so that no column is
 * missed. A single text that looks sealed is not enough: all values of the column have to.
 */
export async function undeclaredSealedColumns(pool: pg.Pool, tables: readonly SealedTable[]): Promise<string[]> {
  const declared = new Set(tables.flatMap(({ table, columns }) => columns.map(({ name }) => `${table}.${name}`)));
  return withTransaction(pool, async (db) => {
    await db.query(`SET LOCAL statement_timeout = '${COUNT_LIMIT}'`);
    const { rows: columns } = await db.query<{ table: string; column: string; type: string }>(
      `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
       JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type IN ('text', 'bytea') ORDER BY 1, 2`,
    );
    const found: string[] = [];
    for (const { table, column, type } of columns) {
      if (declared.has(`${table}.${column}`)) continue;
      const isSealed =
        type === 'bytea'
          ? `octet_length("${column}") <> ${FINGERPRINT_BYTES} AND encode(substring("${column}" from 1 for 9), 'escape') ~ ${SEALED_BYTES}`
          : `"${column}" ~ ${SEALED_TEXT}`;
      const { rows } = await db.query<{ sealed: boolean | null }>(
        `SELECT bool_and(${isSealed}) AS sealed FROM "${table}" WHERE "${column}" IS NOT NULL`,
      );
      if (rows[0]?.sealed) found.push(`${table}.${column}`);
    }
    return found;
  });
}

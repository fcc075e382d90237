import type pg from 'pg';
import { type SealedTable, versionSql } from './sealed-tables.ts';
import { typesOf } from './types-of.ts';

/** A row with at least one value that is not sealed with the key that seals now. */
export type StaleRow = {
  /** The key's columns and the others that contexts and indexes need, as texts. */
  row: Record<string, string>;
  /** The sealed columns as they are. NULL where there is nothing. */
  sealed: Record<string, string | Buffer | null>;
  /** Which of them have to be sealed again. */
  stale: string[];
};

/**
 * The new values of a row, of those columns alone that change. Blind indexes are literals that
 * PostgreSQL reads.
 */
export type NewValues = { sealed: Record<string, string | Buffer>; indexes: Record<string, string | null> };

/** Rows that are read with one statement; files are megabytes each. */
const WINDOW = { values: 500, files: 4 };

/**
 * Reads a table in the order of its primary key. Yields batches of the rows with a value that is
 * not sealed with this version.
 */
export async function* staleRows(pool: pg.Pool, table: SealedTable, version: string): AsyncGenerator<StaleRow[]> {
  const { columns, key, needs } = table;
  const types = await typesOf(pool, table.table);
  const order = key.join(', ');
  const texts = [...key, ...needs].map((name, at) => `${name}::text AS text_${at}`);
  const stale = columns.map(({ name, kind }, at) => `coalesce(${versionSql(kind, name)} <> $1, false) AS stale_${at}`);
  const anyStale = columns.map((_, at) => `stale_${at}`).join(' OR ');
  const sealed = columns.map(({ name }, at) => `CASE WHEN ${anyStale} THEN ${name} END AS sealed_${at}, stale_${at}`);
  const window = columns.some(({ kind }) => kind === 'bytes') ? WINDOW.files : WINDOW.values;
  const bounds = key.map((name, at) => `$${at + 2}::${types.get(name)}`).join(', ');
  for (let last: string[] | null = null; ; ) {
    const beyond: string = last ? `WHERE (${order}) > (${bounds})` : '';
    const { rows }: pg.QueryResult<Record<string, unknown>> = await pool.query(
      `SELECT ${[...texts, ...sealed].join(', ')}, ${anyStale} AS is_stale
       FROM (SELECT *, ${stale.join(', ')} FROM ${table.table} ${beyond} ORDER BY ${order} LIMIT ${window}) AS w
       ORDER BY ${order}`,
      [version, ...(last ?? [])],
    );
    const found = rows.filter((row) => row.is_stale).map((row) => readRow(table, row));
    if (found.length > 0) yield found;
    const end = rows.at(-1);
    if (!end || rows.length < window) return;
    last = key.map((_, at) => String(end[`text_${at}`]));
  }
}

function readRow({ key, needs, columns }: SealedTable, row: Record<string, unknown>): StaleRow {
  return {
    row: Object.fromEntries([...key, ...needs].map((name, at) => [name, String(row[`text_${at}`])])),
    sealed: Object.fromEntries(columns.map(({ name }, at) => [name, row[`sealed_${at}`] as string | Buffer | null])),
    stale: columns.filter((_, at) => row[`stale_${at}`]).map(({ name }) => name),
  };
}

/**
 * What identifies a file: its version, its nonce and some of its bytes, so that the whole need not
 * be sent back to be compared.
 */
const FILE_START_BYTES = 64;

/**
 * Writes new values where the row is unchanged since it was read and not locked: no statement waits
 * for another, and nothing that was written meanwhile is lost. Returns how many rows were written;
 * the next pass finds the others. All rows must change the same columns.
 */
export async function writeResealed(
  pool: pg.Pool,
  table: SealedTable,
  rows: readonly (StaleRow & { values: NewValues })[],
): Promise<number> {
  const [first] = rows;
  if (!first) return 0;
  const types = await typesOf(pool, table.table);
  const lists: string[][] | (string | null)[][] = [];
  const bind = (list: (string | null)[]) => `$${lists.push(list as string[])}::text[]`;
  const given: string[] = [];
  const take = (list: (string | null)[]) => {
    given.push(bind(list));
    return `g.c${given.length - 1}`;
  };
  const keys = table.key.map(
    (name) => `t.${name} = ${take(rows.map(({ row }) => row[name] ?? null))}::${types.get(name)}`,
  );
  const unchanged = table.columns.map(({ name, kind }) => {
    const before = take(rows.map(({ sealed }) => asLiteral(startOf(sealed[name]))));
    const now =
      kind === 'bytes' || kind === 'equal' ? `substring(t.${name} from 1 for ${FILE_START_BYTES})` : `t.${name}`;
    return `${now} IS NOT DISTINCT FROM ${before}::${types.get(name)}`;
  });
  const changes = [
    ...Object.keys(first.values.sealed).map((name) => ({
      name,
      from: take(rows.map(({ values }) => asLiteral(values.sealed[name]))),
    })),
    ...Object.keys(first.values.indexes).map((name) => ({
      name,
      from: take(rows.map(({ values }) => values.indexes[name] ?? null)),
    })),
  ];
  const { rowCount } = await pool.query(
    `WITH given AS (SELECT * FROM unnest(${given.join(', ')}) AS g(${given.map((_, at) => `c${at}`).join(', ')})),
       free AS (SELECT ${table.key.map((name) => `t.${name}`).join(', ')} FROM ${table.table} t, given g
         WHERE ${[...keys, ...unchanged].join(' AND ')} FOR UPDATE OF t SKIP LOCKED)
     UPDATE ${table.table} t SET ${changes.map(({ name, from }) => `${name} = ${from}::${types.get(name)}`).join(', ')}
     FROM given g, free WHERE ${[...keys, ...table.key.map((name) => `free.${name} = t.${name}`)].join(' AND ')}`,
    lists,
  );
  return rowCount ?? 0;
}

const startOf = (value: string | Buffer | null | undefined) =>
  Buffer.isBuffer(value) ? value.subarray(0, FILE_START_BYTES) : value;

/** As PostgreSQL reads it. */
const asLiteral = (value: string | Buffer | null | undefined): string | null =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : (value ?? null);

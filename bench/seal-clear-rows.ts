import type pg from 'pg';
import type { Database } from '#db/connection/database.ts';
import {
  BLIND_INDEXES,
  type BlindIndex,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedColumnName,
  sealContext,
} from '#db/encryption/sealed-columns.ts';
import { typesOf } from '#db/encryption/types-of.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';

/**
 * Rows that are read, sealed and written at a time: some milliseconds of work, and no lock for
 * long.
 */
const BATCH = 500;
/**
 * What the secret box makes: a version, and at least a nonce and a tag. Nothing that people wrote
 * looks like it by chance.
 */
const SEALED = '^v[0-9]{1,7}[.][A-Za-z0-9+/]{38,}={0,2}$';

type Row = Record<string, string | null>;

/**
 * Seals what was written straight into the tables in the clear, as the service would have sealed
 * it, and fills the blind indexes.
 */
export async function sealClearRows(db: Database, box: SecretBox): Promise<void> {
  for (const name of Object.keys(SEALED_COLUMNS)) await sealColumn(db.pool, box, name as SealedColumnName);
  for (const [name, index] of Object.entries(BLIND_INDEXES)) await fillIndex(db.pool, box, name, index);
}

async function sealColumn(pool: pg.Pool, box: SecretBox, name: SealedColumnName): Promise<void> {
  const { key, kind, context }: SealedColumn = SEALED_COLUMNS[name];
  // Bytes were never kept in the clear.
  if (kind !== 'text') return;
  const [table = '', column = ''] = name.split('.');
  const needs = [...context.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => one);
  const condition = `${column} IS NOT NULL AND ${column} !~ '${SEALED}'`;
  for await (const rows of batches(pool, { table, key, columns: [column, ...needs], condition })) {
    const sealed = rows.map((row) => box.seal(row[column] ?? '', sealContext(name, row as Record<string, string>)));
    await update(pool, { table, key, column, type: 'text' }, rows, sealed, column);
  }
}

async function fillIndex(pool: pg.Pool, box: SecretBox, name: string, index: BlindIndex): Promise<void> {
  const [table = '', column = ''] = name.split('.');
  const { key, sources, needs } = index;
  const columns = sources.map((source) => source.split('.')[1] ?? '');
  const condition = `(${columns.map((one) => `${one} IS NOT NULL`).join(' OR ')})`;
  const contexts = sources.flatMap((s) => [...SEALED_COLUMNS[s].context.matchAll(/\{(\w+)\}/g)].map(([, c = '']) => c));
  for await (const rows of batches(pool, { table, key, columns: [...columns, ...needs, ...contexts], condition })) {
    const values = rows.map((row) => {
      const own = row as Record<string, string>;
      const opened = sources.map((source, at) => {
        const sealed = row[columns[at] ?? ''];
        return [source, sealed ? box.open(sealed, sealContext(source, own)) : null] as const;
      });
      return index.compute(box, Object.fromEntries(opened), own);
    });
    await update(pool, { table, key, column, type: index.type }, rows, values.map(asLiteral));
  }
}

/** As PostgreSQL reads it. */
const asLiteral = (value: Buffer | bigint[] | null): string | null => {
  if (value === null) return null;
  return Array.isArray(value) ? `{${value.join(',')}}` : `\\x${value.toString('hex')}`;
};

/** The rows of a condition in the order of their key, as texts. */
async function* batches(
  pool: pg.Pool,
  of: { table: string; key: readonly string[]; columns: readonly string[]; condition: string },
): AsyncGenerator<Row[]> {
  const columns = [...new Set([...of.key, ...of.columns])].map((one) => `${one}::text`).join(', ');
  let after: (string | null)[] = [];
  while (true) {
    const bounds = of.key.map((_, at) => `$${at + 1}`).join(', ');
    const beyond = after.length > 0 ? `AND (${of.key.join(', ')}) > (${bounds})` : '';
    const { rows } = await pool.query<Row>(
      `SELECT ${columns} FROM ${of.table} WHERE ${of.condition} ${beyond} ORDER BY ${of.key.join(', ')} LIMIT ${BATCH}`,
      after,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = of.key.map((one) => rows.at(-1)?.[one] ?? null);
  }
}

/** Writes one value a row; with `unchanged`, a column, only where that still is what was read. */
async function update(
  pool: pg.Pool,
  of: { table: string; key: readonly string[]; column: string; type: string },
  rows: readonly Row[],
  values: readonly (string | null)[],
  unchanged?: string,
): Promise<void> {
  const names = [...of.key, ...(unchanged ? [unchanged] : [])];
  const types = await typesOf(pool, of.table);
  const lists = names.map((_, at) => `$${at + 2}::text[]`);
  const columns = names.map((_, at) => `c${at}`);
  const same = names.map((name, at) => `t.${name} = v.c${at}::${types.get(name)}`);
  await pool.query(
    `UPDATE ${of.table} t SET ${of.column} = v.value::${of.type}
     FROM unnest($1::text[], ${lists.join(', ')}) AS v(value, ${columns.join(', ')}) WHERE ${same.join(' AND ')}`,
    [values, ...names.map((name) => rows.map((row) => row[name]))],
  );
}

import type { Database } from '#db/connection/database.ts';
import { type NewValues, type StaleRow, staleRows, writeResealed } from '#db/encryption/reseal-table.ts';
import { type SealedTable, sealedTables } from '#db/encryption/sealed-tables.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { openBetterAuth, sealBetterAuth } from '../members/better-auth-secrets.ts';

type RotateDeps = { db: Pick<Database, 'pool'>; secretBox: SecretBox };

/** `rows`: how many rows of the table were sealed again so far. */
export type RotationProgress = { table: string; rows: number };

/** A value that no key opens: it was changed, or belongs to another row. */
export type UnopenedValue = { column: string; row: string; reason: string };

export type RotationResult = {
  /** Rows that were sealed again. */
  rows: number;
  unopened: UnopenedValue[];
  /** Rows that were in use at every attempt. */
  busy: number;
};

/**
 * How often locked rows are tried again, with a pause: no statement of the service locks a row for
 * long.
 */
const PASSES = 20;
const PAUSE_MS = 250;

/**
 * Seals every value again that is not sealed with the first key, and computes its blind indexes
 * again, while the service runs. Each batch is committed: a rotation that was killed continues when
 * it is run again.
 */
export async function rotateKeys(
  { db, secretBox }: RotateDeps,
  options: { tables?: readonly SealedTable[]; onProgress?: (progress: RotationProgress) => void } = {},
): Promise<RotationResult> {
  const { tables = sealedTables(), onProgress = () => {} } = options;
  const result: RotationResult = { rows: 0, unopened: [], busy: 0 };
  for (const table of tables) {
    let rows = 0;
    for (let pass = 1; ; pass++) {
      const unopened: UnopenedValue[] = [];
      let left = 0;
      for await (const batch of staleRows(db.pool, table, secretBox.versions[0])) {
        const opened = await Promise.all(batch.map((row) => reseal(secretBox, table, row)));
        const written = await write(db, table, batch, opened);
        unopened.push(...opened.flatMap((one) => ('values' in one ? [] : [one])));
        left += batch.length - written - opened.filter((one) => !('values' in one)).length;
        rows += written;
        if (written > 0) onProgress({ table: table.table, rows });
      }
      if (left === 0 || pass === PASSES) {
        result.rows += rows;
        result.unopened.push(...unopened);
        result.busy += left;
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  return result;
}

type Resealed = { values: NewValues } | UnopenedValue;

/** A statement changes the same columns in all its rows. Returns how many rows were written. */
async function write(
  db: RotateDeps['db'],
  table: SealedTable,
  batch: readonly StaleRow[],
  resealed: readonly Resealed[],
): Promise<number> {
  const groups = Map.groupBy(
    batch.flatMap((row, at) => {
      const one = resealed[at];
      return one && 'values' in one ? [{ ...row, values: one.values }] : [];
    }),
    ({ values }) => [...Object.keys(values.sealed), ...Object.keys(values.indexes)].join(),
  );
  let written = 0;
  for (const rows of groups.values()) written += await writeResealed(db.pool, table, rows);
  return written;
}

async function reseal(box: SecretBox, table: SealedTable, stale: StaleRow): Promise<Resealed> {
  const sealed: NewValues['sealed'] = {};
  const opened: Record<string, string | null> = {};
  for (const { name, kind, context } of table.columns) {
    const column = `${table.table}.${name}`;
    const value = stale.sealed[name] ?? null;
    try {
      const bound = contextOf(context, stale.row);
      if (kind === 'bytes' || kind === 'equal') {
        if (stale.stale.includes(name)) sealed[name] = resealBytes(box, kind, value as Buffer, bound);
        continue;
      }
      const text = value === null ? null : await openText(box, kind, String(value), bound);
      opened[column] = text;
      if (text !== null && stale.stale.includes(name)) {
        sealed[name] = kind === 'better_auth' ? await sealBetterAuth(box, text) : box.seal(text, bound);
      }
    } catch (error) {
      return { column, row: table.key.map((one) => stale.row[one]).join(' '), reason: (error as Error).message };
    }
  }
  return { values: { sealed, indexes: indexesOf(box, table, stale, opened) } };
}

function resealBytes(box: SecretBox, kind: 'bytes' | 'equal', value: Buffer, context: string): Buffer {
  const bytes = box.openBytes(value, context);
  return kind === 'bytes' ? box.sealBytes(bytes, context) : box.sealEqual(bytes.toString('utf8'), context);
}

const openText = async (box: SecretBox, kind: 'text' | 'better_auth', value: string, context: string) =>
  kind === 'better_auth' ? openBetterAuth(box, value) : box.open(value, context);

/** The blind indexes of what is sealed again: a later search has only the newest key. */
function indexesOf(
  box: SecretBox,
  table: SealedTable,
  { row, stale }: StaleRow,
  opened: Readonly<Record<string, string | null>>,
): NewValues['indexes'] {
  const changed = table.indexes.filter(({ index }) =>
    index.sources.some((source) => stale.includes(source.split('.')[1] ?? '')),
  );
  return Object.fromEntries(
    changed.map(({ name, index }) => {
      const value = index.compute(box, opened, row);
      return [name, value === null ? null : asLiteral(value)];
    }),
  );
}

/** The literal of bytes, or of an array of numbers, that PostgreSQL reads. */
const asLiteral = (value: Buffer | bigint[]): string =>
  Array.isArray(value) ? `{${value.join(',')}}` : `\\x${value.toString('hex')}`;

const contextOf = (context: string, row: Readonly<Record<string, string>>) =>
  context.replaceAll(/\{(\w+)\}/g, (_, column: string) => {
    const value = row[column];
    if (value === undefined) throw new Error(`The context ${context} needs the row's ${column}.`);
    return value;
  });

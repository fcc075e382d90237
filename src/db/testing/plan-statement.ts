import type pg from 'pg';
import { FILLED_ACCOUNT } from './fill-growing-tables.ts';

/** How a plan reads a table: by an index, along all of one, or every row. */
export type Scan = { table: string; by: string };

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
};

/**
 * The scans of a statement, in the order of its plan, as the database of fillGrowingTables plans it
 * with the values `given`, or else with samples of its parameters' types; null where it can't be
 * planned with such samples. `by` is the name of an index, `all of` and the name of one that is
 * read from end to end, or `every row`.
 */
export async function planStatement(
  client: pg.PoolClient,
  text: string,
  given?: readonly unknown[],
): Promise<Scan[] | null> {
  if (given) {
    const { rows } = await client.query<Explained>(`EXPLAIN (FORMAT JSON) ${text}`, [...given]);
    return scansOfRows(rows);
  }
  try {
    await client.query(`PREPARE planned AS ${text}`);
  } catch {
    return null;
  }
  try {
    const { rows: prepared } = await client.query<{ types: string[] }>(
      "SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'planned'",
    );
    const types = prepared[0]?.types ?? [];
    const values = types.map((type) => `${sampleOf(type)}::${type}`).join(', ');
    const { rows } = await client.query<Explained>(
      `EXPLAIN (FORMAT JSON) EXECUTE planned ${types.length > 0 ? `(${values})` : ''}`,
    );
    return scansOfRows(rows);
  } finally {
    await client.query('DEALLOCATE planned');
  }
}

/**
 * A sample of a type, as SQL: an account that has rows, an instant in the middle of its history, as
 * many rows as a page or a batch.
 */
function sampleOf(type: string): string {
  if (type === 'uuid') return `'${FILLED_ACCOUNT}'`;
  if (type === 'uuid[]') return `'{${FILLED_ACCOUNT}}'`;
  if (type.startsWith('timestamp')) return type.endsWith('[]') ? `'{2026-03-01T12:00:00Z}'` : `'2026-03-01T12:00:00Z'`;
  if (type === 'date') return `'2026-03-01'`;
  // An empty list would rule out all rows, and any index would serve.
  if (type === 'bytea[]') return `ARRAY['\\x00'::bytea]`;
  if (/^(text|bigint|integer)\[\]$/.test(type)) return `'{1}'`;
  if (type.endsWith('[]')) return `'{}'`;
  if (/^(bigint|integer|smallint|numeric|double precision)$/.test(type)) return '50';
  if (type === 'boolean') return 'true';
  if (type === 'interval') return `'1 day'`;
  if (/^jsonb?$/.test(type)) return `'{}'`;
  if (type === 'text') return `'x'`;
  return 'NULL';
}

type Explained = { 'QUERY PLAN': { Plan: PlanNode }[] };

const scansOfRows = (rows: readonly Explained[]): Scan[] =>
  [...nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan, null)].flatMap(({ node, table }) => {
    const { 'Node Type': type, 'Index Name': index, 'Index Cond': condition } = node;
    if (table === null) return [];
    if (type === 'Seq Scan') return [{ table, by: 'every row' }];
    if (index === undefined) return [];
    return [{ table, by: condition === undefined ? `all of ${index}` : index }];
  });

/** A bitmap's indexes have no table of their own: it is that of the scan above them. */
function* nodesOf(
  node: PlanNode | undefined,
  above: string | null,
): Generator<{ node: PlanNode; table: string | null }> {
  if (!node) return;
  const table = node['Relation Name'] ?? (node['Node Type'].startsWith('Bitmap') ? above : null);
  yield { node, table };
  for (const child of node.Plans ?? []) yield* nodesOf(child, table);
}

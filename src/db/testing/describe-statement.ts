import pg from 'pg';

/** A column of a statement's rows, as the database describes it. */
export type DescribedColumn = {
  name: string;
  /** TypeScript: what `pg` makes of it, as our pool reads it. */
  type: string;
  /**
   * Whether NULL can be in it; 'unknown' of what is no column of a table, or comes from an outer
   * join.
   */
  null: 'yes' | 'no' | 'unknown';
};

type Field = { name: string; tableID: number; columnID: number; dataTypeID: number };

/**
 * Has the database parse and describe a statement, which is not run. Throws the database's error
 * when it rejects the statement.
 */
export async function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  const fields = await new Promise<Field[]>((resolve, reject) => {
    let described: Field[] = [];
    // A query for pg's queue that uses the extended protocol directly.
    const describing = {
      submit(connection: pg.Connection) {
        const port = connection as unknown as Record<'parse' | 'describe', (message: object) => void> & {
          sync(): void;
        };
        port.parse({ name: '', text, types: [] });
        port.describe({ type: 'S', name: '' });
        port.sync();
      },
      handleRowDescription: (message: { fields: Field[] }) => {
        described = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(described),
    };
    client.query(describing as never);
  });
  const { enums, notNull } = await readCatalog(client);
  const isOuter = /\b(LEFT|RIGHT|FULL)\s+(OUTER\s+)?JOIN\b/.test(text);
  return fields.map(({ name, tableID, columnID, dataTypeID }) => {
    const never = notNull.get(`${tableID}.${columnID}`);
    const type = enums.get(dataTypeID) ?? TYPES[dataTypeID] ?? 'unknown';
    return { name, type, null: never === undefined || (never && isOuter) ? 'unknown' : never ? 'no' : 'yes' };
  });
}

const catalogs = new WeakMap<pg.Client, ReturnType<typeof loadCatalog>>();

function readCatalog(client: pg.Client): ReturnType<typeof loadCatalog> {
  const known = catalogs.get(client) ?? loadCatalog(client);
  catalogs.set(client, known);
  return known;
}

async function loadCatalog(client: pg.Client) {
  const { rows: labels } = await client.query<{ oid: number; labels: string[] }>(
    'SELECT enumtypid AS oid, array_agg(enumlabel::text ORDER BY enumsortorder) AS labels FROM pg_enum GROUP BY 1',
  );
  const { rows: columns } = await client.query<{ key: string; never: boolean }>(
    `SELECT attrelid || '.' || attnum AS key, attnotnull AS never FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
     WHERE relnamespace = 'public'::regnamespace AND attnum > 0`,
  );
  return {
    enums: new Map(labels.map((one) => [one.oid, one.labels.map((label) => `'${label}'`).join(' | ')])),
    notNull: new Map(columns.map(({ key, never }) => [key, never])),
  };
}

const { builtins } = pg.types;
/** What `pg` makes of a type, with bigint as our pool reads it (pool.ts). JSON is anything. */
const TYPES: Readonly<Record<number, string>> = {
  [builtins.BOOL]: 'boolean',
  [builtins.INT2]: 'number',
  [builtins.INT4]: 'number',
  [builtins.OID]: 'number',
  [builtins.INT8]: 'bigint',
  [builtins.FLOAT8]: 'number',
  [builtins.NUMERIC]: 'string',
  [builtins.TEXT]: 'string',
  [builtins.VARCHAR]: 'string',
  [builtins.UUID]: 'string',
  [builtins.BYTEA]: 'Buffer',
  [builtins.TIMESTAMPTZ]: 'Date',
  19: 'string',
  1009: 'readonly string[]',
  2278: 'string',
};

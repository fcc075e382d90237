import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { copyTemplate, type TestServer } from './test-server.ts';

const SCHEMA_FILE = join(import.meta.dirname, '../../../prisma/schema.prisma');

/** PostgreSQL's one-byte type "char" of the catalogue, and text. */
const CHAR_OID = 18;
const TEXT_OID = 25;

/**
 * Returns the SQL that turns what the migrations make into what schema.prisma describes; a comment
 * when they agree. Functions, triggers, checks, partial and covering indexes are not part of the
 * schema and are left out. Reads a scratch copy of the server's template with Prisma's engine,
 * which is WebAssembly here: nothing is downloaded.
 */
export async function findSchemaDifference(
  server: Omit<TestServer, 'stop'>,
  schema = readFileSync(SCHEMA_FILE, 'utf8'),
): Promise<string> {
  const scratch = await copyTemplate(server);
  const pool = new pg.Pool({ connectionString: scratch.ownerUrl, max: 1 });
  try {
    await dropCoveringIndexes(pool);
    const engine = await openSchemaEngine(pool, schema);
    const files = [{ path: 'prisma/schema.prisma', content: schema }];
    const difference = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: join(SCHEMA_FILE, '..') },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return (difference.stdout ?? '').trim();
  } finally {
    await pool.end();
    await scratch.drop();
  }
}

/** The engine mistakes INCLUDE for key columns, and schema.prisma can't express it. */
async function dropCoveringIndexes(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index
     WHERE indnatts > indnkeyatts AND indrelid IN
       (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
  );
  for (const { name } of rows) await pool.query(`DROP INDEX ${name}`);
}

async function openSchemaEngine(pool: pg.Pool, schema: string) {
  loading ??= loadEngine();
  await loading;
  return engineModule.SchemaEngine.new(
    { datamodels: [['prisma/schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(readCharColumns(pool)),
  );
}

/** Once a process: the module keeps one instance, and a second one would share its pointers. */
let loading: Promise<void> | undefined;

async function loadEngine(): Promise<void> {
  const wasmPath = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const compiled = await WebAssembly.compile(readFileSync(wasmPath));
  const instance = await WebAssembly.instantiate(compiled, {
    './schema_engine_bg.js': engineModule as unknown as WebAssembly.ModuleImports,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start: () => void }).__wbindgen_start();
}

/** Prisma's adapter, able to read the catalogue's "char" columns, which it rejects otherwise. */
function readCharColumns(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const charColumns = new WeakMap<unknown[], number[]>();
  const query = pool.query.bind(pool) as unknown as (config: unknown) => Promise<pg.QueryArrayResult>;
  const queryAsText = async (config: unknown) => {
    const result = await query(config);
    const isChar = (field: pg.FieldDef) => field.dataTypeID === CHAR_OID;
    charColumns.set(
      result.rows,
      [...result.fields.keys()].filter((at) => isChar(result.fields[at] as pg.FieldDef)),
    );
    for (const field of result.fields.filter(isChar)) field.dataTypeID = TEXT_OID;
    return result;
  };
  const factory = new PrismaPg(Object.assign(pool, { query: queryAsText }));
  const wrap = async (connecting: Promise<SqlDriverAdapter>) => {
    const adapter = await connecting;
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (sql: SqlQuery) => {
      const result = await queryRaw(sql);
      for (const at of charColumns.get(result.rows) ?? []) result.columnTypes[at] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  };
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, { connect: () => wrap(connect()) });
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';

/**
 * `DATABASE_URL=… npm run migration -- NAME`: writes what changed in schema.prisma since the last migration into a new folder of
 * prisma/migrations. Read it before you commit it; hand-written SQL (functions, triggers) goes into the same file.
 * From schema to schema, because the engine (Prisma's, as WebAssembly) can't introspect over the driver adapter; it
 * asks for a database it can connect to all the same.
 */
const prismaFolder = join(import.meta.dirname, '../prisma');
const schemaFile = join(prismaFolder, 'schema.prisma');
const snapshotFile = join(prismaFolder, 'migrations/schema.snapshot.prisma');

const [name] = process.argv.slice(2);
const databaseUrl = process.env.DATABASE_URL;
if (!name || !/^[a-z0-9_]+$/.test(name) || !databaseUrl) {
  console.error('Usage: DATABASE_URL=postgres://… npm run migration -- name_in_snake_case');
  process.exit(1);
}
const schema = readFileSync(schemaFile, 'utf8');
const before = existsSync(snapshotFile) ? readFileSync(snapshotFile, 'utf8') : null;
const engine = await openSchemaEngine(databaseUrl, schema);
const difference = await engine.diff({
  from: before === null ? { tag: 'empty' } : datamodel(before),
  to: datamodel(schema),
  script: true,
  exitCode: null,
  filters: { externalTables: [], externalEnums: [] },
});
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const folder = join(prismaFolder, 'migrations', `${stamp}_${name}`);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'migration.sql'), difference.stdout ?? '');
writeFileSync(snapshotFile, schema);
console.log(`Wrote ${folder}/migration.sql`);
process.exit(0);

function datamodel(content: string) {
  return { tag: 'schemaDatamodel' as const, files: [{ path: 'prisma/schema.prisma', content }] };
}

async function openSchemaEngine(connectionString: string, content: string) {
  const wasmPath = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const compiled = await WebAssembly.compile(readFileSync(wasmPath));
  const instance = await WebAssembly.instantiate(compiled, {
    './schema_engine_bg.js': engineModule as unknown as WebAssembly.ModuleImports,
  });
  engineModule.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start: () => void }).__wbindgen_start();
  return engineModule.SchemaEngine.new(
    { datamodels: [['prisma/schema.prisma', content]] },
    () => {},
    bindSqlAdapterFactory(new PrismaPg({ connectionString })),
  );
}

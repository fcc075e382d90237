import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSchemaDifference } from '#db/testing/find-schema-difference.ts';
import { startTestServer } from '#db/testing/test-server.ts';

/**
 * `npm run migration -- NAME`: writes a new folder of prisma/migrations with the SQL that turns
 * what the migrations make into what schema.prisma describes. Read it before you commit it;
 * hand-written SQL (functions, triggers) goes into the same file. The migrations are applied to a
 * scratch database of an embedded PostgreSQL, which is removed afterwards.
 */
const [name] = process.argv.slice(2);
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('Usage: npm run migration -- name_in_snake_case');
  process.exit(1);
}
const server = await startTestServer();
const sql = await findSchemaDifference(server).finally(server.stop);
const migrations = join(import.meta.dirname, '../prisma/migrations');
const folder = join(migrations, `${stampAfter(readdirSync(migrations).sort().at(-1))}_${name}`);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'migration.sql'), `${sql}\n`);
console.log(`Wrote ${folder}/migration.sql`);
if (sql === '-- This is an empty migration.')
  console.log('schema.prisma says what the migrations make: the file has room for SQL by hand, and nothing else.');
process.exit(0);

/** Now, or a second after the last migration, which may be dated later: they run in this order. */
function stampAfter(last = ''): string {
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  return now > last ? now : String(BigInt(last.slice(0, 14)) + 1n);
}

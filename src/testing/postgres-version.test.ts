import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Tests run on the PostgreSQL that comes with the packages, and an installation may have an older
 * one: docs/operations.md says from which version on.
 */
const ROOT = join(import.meta.dirname, '../..');
const MIGRATIONS = 'prisma/migrations';

/** Words of SQL that PostgreSQL 15 lacks, by the release notes of 16, 17 and 18. */
const NEWER =
  /\b(any_value|array_shuffle|array_sample|random_normal|pg_input_is_valid|json_arrayagg|json_objectagg|uuid_extract_\w+|json_table|json_exists|json_query|json_value|transaction_timeout|uuidv7|uuidv4|array_sort|casefold|crc32c?|is json|without overlaps|not enforced|returning\s+(old|new)\.)/i;

/** Lines of SQL that need a newer PostgreSQL. */
const newerIn = (path: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) => (NEWER.test(line.replace(/--.*/, '')) ? [`${path}:${index + 1}: ${line.trim()}`] : []));

test('migrations need nothing that PostgreSQL 15 lacks', () => {
  const found = readdirSync(join(ROOT, MIGRATIONS), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .flatMap((path) => newerIn(path, readFileSync(join(ROOT, MIGRATIONS, path), 'utf8')));
  expect(found).toEqual([]);
});

test('planted: a function and a clause of newer versions are found', () => {
  expect(newerIn('a.sql', 'SELECT uuid_extract_timestamp(id)\nFROM t;\nUPDATE t SET a = 1 RETURNING old.a;')).toEqual([
    'a.sql:1: SELECT uuid_extract_timestamp(id)',
    'a.sql:3: UPDATE t SET a = 1 RETURNING old.a;',
  ]);
  expect(newerIn('a.sql', '-- ids are uuidv7\nSELECT id FROM uuids;')).toEqual([]);
});

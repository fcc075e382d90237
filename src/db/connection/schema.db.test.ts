import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { findSchemaDifference } from '../testing/find-schema-difference.ts';

const schema = readFileSync(join(import.meta.dirname, '../../../prisma/schema.prisma'), 'utf8');
const server = {
  url: inject('testServerUrl'),
  serviceUrl: inject('testServiceUrl'),
  template: inject('testTemplate'),
};

test('schema.prisma describes what the migrations make: a change of it needs a migration', async () => {
  expect(await findSchemaDifference(server, schema)).toBe('-- This is an empty migration.');
});

test('a column, an index and a value that schema.prisma has and the migrations lack become SQL', async () => {
  const changed = schema
    .replace('model Merchant {\n', 'model Merchant {\n  nickname String?\n\n  @@index([name])\n')
    .replace('enum Topic {\n', 'enum Topic {\n  refund\n');
  const sql = await findSchemaDifference(server, changed);
  expect(sql).toContain(`ALTER TYPE "topic" ADD VALUE 'refund'`);
  expect(sql).toContain('ALTER TABLE "merchants" ADD COLUMN     "nickname" TEXT');
  expect(sql).toContain('CREATE INDEX "merchants_name_idx" ON "merchants"("name")');
  expect(sql).not.toContain('DROP');
});

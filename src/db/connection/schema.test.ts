import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('schema.prisma is what the last migration left: a change of it needs a migration', () => {
  const prisma = join(import.meta.dirname, '../../../prisma');
  const schema = readFileSync(join(prisma, 'schema.prisma'), 'utf8');
  expect(readFileSync(join(prisma, 'migrations/schema.snapshot.prisma'), 'utf8')).toBe(schema);
});

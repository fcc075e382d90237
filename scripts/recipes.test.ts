import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recipesFile } from './recipes.ts';

test('the recipes that /docs shows are the programs that a test runs', () => {
  const committed = readFileSync(join(import.meta.dirname, '../public/recipes.json'), 'utf8');
  expect(committed === recipesFile(), 'public/recipes.json is old: run `npm run recipes`').toBe(true);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CHECKOUT = join(import.meta.dirname, '..');

/** The recipes of /docs in its order, by the names of their texts. */
const FILES = {
  firstCharge: 'first-charge.sh',
  webShop: 'web-shop.ts',
  platform: 'platform.ts',
  payouts: 'payouts.ts',
  reconciliation: 'reconciliation.ts',
} as const;

/**
 * Returns the programs of docs/recipes, which a test runs, as one file that the pages and the
 * service read: the build has no other files of the checkout.
 */
export function recipesFile(): string {
  const recipes = Object.entries(FILES).map(([name, file]) => {
    return [name, { file, code: readFileSync(join(CHECKOUT, 'docs/recipes', file), 'utf8').trimEnd() }];
  });
  return `${JSON.stringify(Object.fromEntries(recipes), null, 2)}\n`;
}

/** `npm run recipes`: writes public/recipes.json, which is committed. */
if (import.meta.main) {
  writeFileSync(join(CHECKOUT, 'public/recipes.json'), recipesFile());
  console.log('public/recipes.json is written.');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CSS = readFileSync(join(import.meta.dirname, 'data-table.module.css'), 'utf8');

/** The rules of a media query, with the class of its tables called `.folded`. */
function rulesAt(query: string, name: string): string {
  const [, rules = ''] = CSS.match(new RegExp(`\\n@media \\(${query}\\) \\{\\n(.*?)\\n\\}`, 's')) ?? [];
  return rules.replaceAll(`.${name}`, '.folded');
}

// CSS can't say "these tables here, those there" once: a media query has no part in a selector.
test.each([
  ['max-width: 48em', 'max-width: 75em'],
  ['min-width: 48.01em', 'min-width: 75.01em'],
])('a table becomes the same list whether it folds on a phone or on a tablet (%s)', (phone, tablet) => {
  const rules = rulesAt(phone, 'phone');
  expect(rules).toContain('.folded');
  expect(rulesAt(tablet, 'tablet')).toBe(rules);
});

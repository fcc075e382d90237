import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const pages = readdirSync(join(ROOT, 'src/app/operator/(console)'), { withFileTypes: true })
  // The one in brackets is of addresses that no page has.
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('['))
  .map(({ name }) => `/${name}`);

test('every page of the console is in its menu, and in the browser test that opens every page of it', () => {
  const listedIn = (path: string, before: string) => {
    const source = readFileSync(join(ROOT, path), 'utf8');
    return pages.filter((page) => source.includes(`${before}${page}'`));
  };
  expect(pages.length).toBeGreaterThan(10);
  const frame = 'src/panel/operator/operator-frame.tsx';
  expect(listedIn(frame, "path: '/operator"), `Add a new page to ${frame}`).toEqual(pages);
  const spec = 'e2e/panel/flows/operator.spec.ts';
  expect(listedIn(spec, "['"), `Add a new page to ${spec}`).toEqual(pages);
});

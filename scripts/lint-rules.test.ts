import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'trilho-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Writes the files into an empty folder, lints it by this project's rules and returns `file: rule`
 * of each finding.
 */
function lint(files: Record<string, string>): string[] {
  const { linter } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  const config = { root: true, linter };
  rmSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ ...files, 'biome.json': JSON.stringify(config) })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', '--reporter=json', '.'], { cwd: folder });
  const { diagnostics } = JSON.parse(String(stdout)) as Report;
  return diagnostics.map(({ category, location }) => `${location.path}: ${category}`).sort();
}

type Report = { diagnostics: { category: string; location: { path: string } }[] };

/**
 * Both ways in which the code imports: relatively, and by the names of package.json's `imports`.
 */
const IMPORTS = JSON.stringify({ type: 'module', imports: { '#domain/*': './src/domain/*' } });

test('two files that import each other are found by the linter, types alone too', () => {
  const found = lint({
    'package.json': IMPORTS,
    'src/domain/fee.ts': "import type { Charge } from './charge.ts';\nexport type Fee = { of: Charge };\n",
    'src/domain/charge.ts': "import type { Fee } from '#domain/fee.ts';\nexport type Charge = { fee: Fee };\n",
    'src/domain/values/money.ts': 'export type Money = bigint;\n',
  });
  expect(found).toEqual([
    'src/domain/charge.ts: lint/suspicious/noImportCycles',
    'src/domain/fee.ts: lint/suspicious/noImportCycles',
  ]);
});

test('a promise that is not awaited is found by the linter, across files too', () => {
  const found = lint({
    'package.json': IMPORTS,
    'src/domain/send.ts': 'export const send = async (text: string) => void text;\n',
    'src/domain/forgotten.ts':
      "import { send } from './send.ts';\nexport function forgotten() {\n  send('a');\n  send('b').then(() => null);\n}\n",
    'src/domain/by-method.ts':
      'type Mailer = { send(): Promise<void> };\nexport function byMethod(mailer: Mailer) {\n  mailer.send();\n}\n',
    'src/domain/meant.ts':
      "import { send } from '#domain/send.ts';\nexport async function meant() {\n  await send('a');\n  void send('b');\n}\n",
  });
  expect(found).toEqual([
    'src/domain/by-method.ts: lint/nursery/noFloatingPromises',
    'src/domain/forgotten.ts: lint/nursery/noFloatingPromises',
    'src/domain/forgotten.ts: lint/nursery/noFloatingPromises',
  ]);
});

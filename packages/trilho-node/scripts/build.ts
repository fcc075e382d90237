import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type OperationShapes, reduceDocument } from './reduce-document.ts';

/**
 * Generates the types from the API's document and compiles the library into dist. `--types`: the
 * types only.
 */

const PACKAGE = join(import.meta.dirname, '..');
const CHECKOUT = join(PACKAGE, '../..');
const TYPES = join(PACKAGE, 'src/generated/api.ts');

generateTypes();
if (!process.argv.includes('--types')) {
  rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true });
  run(join(CHECKOUT, 'node_modules/typescript/bin/tsc'), '-p', join(PACKAGE, 'tsconfig.build.json'));
  // npm packs the license from this folder only.
  copyFileSync(join(CHECKOUT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
}

function generateTypes(): void {
  const folder = mkdtempSync(join(tmpdir(), 'trilho-types-'));
  try {
    const { document, operations } = reduceDocument(
      JSON.parse(readFileSync(join(CHECKOUT, 'public/openapi.json'), 'utf8')),
    );
    const [reduced, types] = [join(folder, 'reduced.json'), join(folder, 'types.ts')];
    writeFileSync(reduced, JSON.stringify(document));
    run(
      generator(),
      reduced,
      '--output',
      types,
      '--root-types',
      '--root-types-no-schema-prefix',
      // The service fills in a default, so the field is not required.
      '--default-non-nullable=false',
    );
    mkdirSync(dirname(TYPES), { recursive: true });
    writeFileSync(TYPES, `${readFileSync(types, 'utf8')}\n${operationsTable(operations)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function operationsTable(operations: OperationShapes[]): string {
  const rows = operations.map(
    ({ name, body, query, answer }) =>
      `  '${name}': { body: ${body ?? 'undefined'}; query: ${query ?? 'undefined'}; answer: ${answer} };`,
  );
  const comment = '/** What each operation takes and answers, by its method and path. */';
  return `${comment}\nexport interface Operations {\n${rows.join('\n')}\n}\n`;
}

/** The generator needs TypeScript 5, so it is installed beside the other generated client. */
function generator(): string {
  const { resolve } = createRequire(join(CHECKOUT, 'e2e/api-client/package.json'));
  return join(dirname(resolve('openapi-typescript')), '../bin/cli.js');
}

/** Runs a program on this Node; its output is shown when it fails. */
function run(program: string, ...args: string[]): void {
  try {
    execFileSync(process.execPath, [program, ...args], { cwd: PACKAGE, stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    throw new Error(`${program} failed.\n${stdout}${stderr}`);
  }
}

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { nodesOf, parse, readSources, type SyntaxNode } from './db-sources.ts';

/** A statement of src/db as its source has it. */
export type Statement = {
  /** Below src, with the line, e.g. `db/charges/charges.ts:88`. */
  at: string;
  path: string;
  /** The TypeScript type that its rows are said to have; null: it says none. */
  rowType: string | null;
  /** The expression that gives its SQL. */
  expression: string;
};

const ROOT = join(import.meta.dirname, '../../..');
const BEGINS = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/;

/**
 * Every statement of src/db: what is given to `query` or to Prisma's raw queries, with the type of
 * its rows, and every other text that begins like a statement.
 */
export function readStatements(): Statement[] {
  return readSources('db').flatMap(({ path, source }) => {
    const tree = parse(source);
    const nodes = [...nodesOf(tree)];
    const describe = (node: SyntaxNode, rowType: SyntaxNode | null): Statement => ({
      at: `${path}:${source.slice(0, node.start).split('\n').length}`,
      path,
      rowType: rowType && source.slice(rowType.start, rowType.end),
      expression: expressionOf(node, source),
    });
    const asked = nodes.flatMap((node) => {
      const given = textOf(node);
      return given ? [{ given, rowType: rowTypeOf(node) }] : [];
    });
    const seen = new Set(asked.flatMap(({ given }) => [...nodesOf(given)]));
    const others = nodes.filter((node) => !seen.has(node) && BEGINS.test(literalOf(node)));
    return [
      ...asked.map(({ given, rowType }) => describe(given, rowType)),
      ...others.map((node) => describe(node, null)),
    ];
  });
}

/** The node of the SQL that a call sends; null for any other node. */
function textOf(node: SyntaxNode): SyntaxNode | null {
  if (node.type === 'TaggedTemplateExpression')
    return /^\$(queryRaw|executeRaw)$/.test(propertyOf(node.tag)) ? (node.quasi as SyntaxNode) : null;
  if (node.type !== 'CallExpression' || propertyOf(node.callee) !== 'query') return null;
  const [given] = node.arguments as SyntaxNode[];
  if (given?.type !== 'ObjectExpression') return given ?? null;
  const text = (given.properties as SyntaxNode[]).find((one) => (one.key as SyntaxNode | undefined)?.name === 'text');
  return (text?.value as SyntaxNode | undefined) ?? null;
}

const propertyOf = (node: unknown): string =>
  String(((node as SyntaxNode).property as SyntaxNode | undefined)?.name ?? '');

const rowTypeOf = (node: SyntaxNode): SyntaxNode | null => {
  const given = (node.typeArguments as SyntaxNode | null)?.params as SyntaxNode[] | undefined;
  const [type] = given ?? [];
  // The type of Prisma's raw query is an array of rows.
  return type?.type === 'TSArrayType' ? (type.elementType as SyntaxNode) : (type ?? null);
};

/** In Prisma's raw queries the values of the template are parameters. */
function expressionOf(node: SyntaxNode, source: string): string {
  const text = source.slice(node.start, node.end);
  if (node.type !== 'TemplateLiteral' || !isTagged(source, node)) return text;
  const parts = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return JSON.stringify(parts.reduce((sql, part, at) => `${sql}$${at}${part}`));
}

const isTagged = (source: string, { start }: SyntaxNode): boolean => /[\w>]$/.test(source.slice(start - 1, start));

const literalOf = (node: SyntaxNode): string =>
  node.type === 'Literal'
    ? String(node.value)
    : node.type === 'TemplateLiteral'
      ? ((node.quasis as { value: { cooked: string } }[])[0]?.value.cooked ?? '')
      : '';

/**
 * Copies the sources to a temporary folder, so that the modules of src/db can be extended there.
 */
export function copySources() {
  const folder = mkdtempSync(join(tmpdir(), 'trilho-statements-'));
  mkdirSync(join(folder, 'src/db'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'src')))
    if (name !== 'db') symlinkSync(join(ROOT, 'src', name), join(folder, 'src', name));
  symlinkSync(join(ROOT, 'src/db/generated'), join(folder, 'src/db/generated'));
  for (const { path, source } of readSources('db')) {
    mkdirSync(dirname(join(folder, 'src', path)), { recursive: true });
    writeFileSync(join(folder, 'src', path), source);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * The values that a function has when it makes its SQL, as JavaScript by variable name: several
 * sets where its statements need several. The key is the name of its file.
 */
export type Samples = Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;

/**
 * Evaluates the SQL of statements in their modules, once for each sample. A statement has none
 * where its SQL needs what only a call has.
 */
export function evaluate(folder: string, statements: readonly Statement[], samples: Samples): Map<Statement, string[]> {
  for (const [path, own] of Map.groupBy(statements, (one) => one.path)) {
    const makers = own.map(({ expression }) =>
      (samples[basename(path)] ?? [{}]).map((sample) => {
        const names = Object.entries(sample).map(([name, value]) => `const ${name}: any = ${value};`);
        return `(): unknown => { ${names.join(' ')} return (${expression}); }`;
      }),
    );
    const list = makers.map((one) => `[${one.join(', ')}]`).join(',\n');
    const file = join(folder, 'src', path);
    writeFileSync(file, `// @ts-nocheck\n${readFileSync(file, 'utf8')}\nexport const makers = [\n${list}\n];\n`);
  }
  const paths = [...Map.groupBy(statements, (one) => one.path).keys()];
  writeFileSync(join(folder, 'evaluate.mjs'), EVALUATE(paths));
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 } as const;
  const texts = JSON.parse(execFileSync(process.execPath, ['--no-warnings', 'evaluate.mjs'], options)) as string[][];
  const inOrder = paths.flatMap((path) => statements.filter((one) => one.path === path));
  return new Map(inOrder.map((one, at) => [one, texts[at] ?? []]));
}

const EVALUATE = (paths: string[]) => `
const texts = [];
for (const path of ${JSON.stringify(paths)}) {
  const { makers } = await import('./src/' + path);
  for (const made of makers)
    texts.push(made.flatMap((make) => {
      try { const text = make(); return typeof text === 'string' ? [text] : []; } catch { return []; }
    }));
}
process.stdout.write(JSON.stringify(texts));`;

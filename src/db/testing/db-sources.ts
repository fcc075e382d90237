import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseAst } from 'vitest/node';

/** A node of a syntax tree (ESTree), as far as tests read it. */
export type SyntaxNode = { type: string; start: number; end: number; [name: string]: unknown };

const SRC = join(import.meta.dirname, '../..');
/** The sandbox plays another company's server, with tables of its own. */
const NOT_PRODUCT = /\.test\.ts$|(^|\/)testing\/|^db\/generated\/|^sandbox\//;

/** Every TypeScript file of the product below `folder` of src, by its path below src. */
export function readSources(folder = ''): { path: string; source: string }[] {
  return readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !NOT_PRODUCT.test(path))
    .sort()
    .map((path) => ({ path, source: readFileSync(join(SRC, path), 'utf8') }));
}

export const parse = (source: string): SyntaxNode => parseAst(source, { lang: 'ts' }) as unknown as SyntaxNode;

/** A node and everything below it. */
export function* nodesOf(node: unknown): Generator<SyntaxNode> {
  if (Array.isArray(node)) {
    for (const one of node) yield* nodesOf(one);
  } else if (isNode(node)) {
    yield node;
    for (const [name, value] of Object.entries(node)) if (name !== 'type') yield* nodesOf(value);
  }
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** The placeholder for the values of a template literal. */
export const HOLE = `$${'{x}'}`;

/** The texts of a file: of a template its parts, with HOLE between them. */
export function textsOf(tree: SyntaxNode): string[] {
  return [...nodesOf(tree)].flatMap((node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
    if (node.type !== 'TemplateLiteral') return [];
    return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(HOLE)];
  });
}

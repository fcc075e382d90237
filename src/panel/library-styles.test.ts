import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..');
const LIBRARY = join(SRC, '../node_modules/@mantine');
/** Components of these packages use styles of the core's. */
const PACKAGES = ['core', 'notifications', 'spotlight'];

it('the style sheets of the library that pages load are those of the components in use, and of what they are made of', () => {
  const needed = styledModules();
  expect(needed.size).toBeGreaterThan(30);
  const loaded = [
    ...readFileSync(join(import.meta.dirname, 'library-styles.ts'), 'utf8').matchAll(/styles\/(\w+)\.css/g),
  ];
  const components = loaded.map(([, name = '']) => name).filter((name) => name !== 'global');
  expect(components.sort(), 'Import the styles of these components in library-styles.ts').toEqual([...needed].sort());
});

/** Names of the core's components with styles, reached from the imports of our sources. */
function styledModules(): Set<string> {
  const modules = modulesByName();
  const styled = new Set<string>();
  const seen = new Set<string>();
  const waiting = filesIn(SRC, /\.tsx?$/).flatMap((file) => packageImports(readFileSync(file, 'utf8'), modules));
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const [, name] = /core\/esm\/.*?(\w+)\.module\.mjs$/.exec(file) ?? [];
    if (name && existsSync(join(LIBRARY, 'core/styles', `${name}.css`))) styled.add(name);
    const source = readFileSync(file, 'utf8');
    const near = [...source.matchAll(/from "(\.[^"]+\.mjs)"/g)].map(([, path = '']) => join(dirname(file), path));
    waiting.push(...near.filter(existsSync), ...packageImports(source, modules));
  }
  return styled;
}

/** The modules of the library's packages by the name of what they export. */
function modulesByName(): Map<string, string> {
  const files = PACKAGES.flatMap((name) => filesIn(join(LIBRARY, name, 'esm'), /\.mjs$/));
  return new Map(files.map((file) => [basename(file, '.mjs'), file]));
}

function packageImports(source: string, modules: ReadonlyMap<string, string>): string[] {
  const imports = source.matchAll(/import \{([^}]*)\} from ['"]@mantine\/(?:core|notifications|spotlight)['"]/g);
  return [...imports]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/ as .*/, ''))
    .flatMap((name) => modules.get(name.charAt(0).toUpperCase() + name.slice(1)) ?? []);
}

const filesIn = (folder: string, kind: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => kind.test(name))
    .map((name) => join(folder, name));

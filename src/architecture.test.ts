import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

/** A file's path below src, with `/`, and its text. */
type SourceFile = { path: string; source: string };

/** What the code of a folder may import besides itself and Node: folders, and packages by name. `.` are the files of src itself. */
const MAY_IMPORT: Record<string, string[]> = {
  domain: ['ipaddr.js'],
  contract: ['domain', 'zod'],
  db: ['domain', 'pg', '@prisma/adapter-pg'],
  rails: ['domain', 'zod', 'undici'],
  services: ['domain', 'db', 'rails', 'better-auth'],
  server: [
    'domain',
    'contract',
    'db',
    'rails',
    'services',
    '@trpc/server',
    'trpc-openapi',
    'zod',
    'pino',
    'prom-client',
    'next',
  ],
  jobs: ['domain', 'db', 'services'],
  cli: ['domain', 'db', 'services', '.', 'commander'],
  sandbox: ['domain', 'zod', 'pg', 'undici'],
  panel: [
    'contract',
    'domain',
    'server',
    'react',
    'next',
    'next-intl',
    '@mantine/core',
    '@tanstack/react-query',
    '@trpc/client',
    '@trpc/react-query',
    'qrcode.react',
  ],
  app: ['panel', 'contract', 'react', 'next', 'next-intl', '@mantine/core'],
  '.': ['domain', 'db', 'rails', 'services', 'server', 'jobs', 'sandbox', 'zod', 'pino'],
};

/** Folders that only tests import. */
const FOR_TESTS = /(^|\/)testing\//;

const RULES: { name: string; offences(file: SourceFile): string[] }[] = [
  {
    name: 'a layer imports only what its row of the table allows',
    offences: ({ path, source }) =>
      importsOf(path, source)
        .filter(({ target }) => target !== layerOf(path) && !isAllowed(layerOf(path), target))
        .map(({ specifier }) => specifier),
  },
  {
    name: 'nothing but service.ts starts the sandbox',
    offences: ({ path, source }) =>
      path === 'service.ts'
        ? []
        : importsOf(path, source)
            .filter(({ target }) => target === 'sandbox' && layerOf(path) !== 'sandbox')
            .map(({ specifier }) => specifier),
  },
  {
    name: 'the panel knows of the server no more than the router’s type',
    offences: ({ path, source }) =>
      /^(panel|app)\//.test(path)
        ? [...source.matchAll(/import (?!type\b)[^;]*from '(#server[^']*)'/g)].map(([, specifier = '']) => specifier)
        : [],
  },
  {
    name: 'Prisma’s client is imported in db only',
    offences: ({ path, source }) =>
      layerOf(path) === 'db' ? [] : found(source, /db\/generated|@prisma\/client|#prisma/g),
  },
  {
    name: 'Prisma is asked in db only',
    offences: ({ path, source }) => (layerOf(path) === 'db' ? [] : found(source, /\bprisma\.\w+/g)),
  },
  {
    name: 'no SQL is built at run time through Prisma',
    offences: ({ source }) => found(source, /\$(query|execute)RawUnsafe/g),
  },
  {
    name: 'the environment is read in environment.ts only',
    offences: ({ path, source }) => (path === 'environment.ts' ? [] : found(source, /process\.env\b/g)),
  },
  {
    name: 'time is an input: nothing below the composition reads the clock',
    offences: ({ path, source }) =>
      /^(domain|services|db|jobs|rails|server|contract|sandbox)\//.test(path)
        ? found(withoutComments(source), /Date\.now\(\)|new Date\(\)/g)
        : [],
  },
];

const SRC = import.meta.dirname;
const files: SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter(
    (path) =>
      /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('db/generated/') && !FOR_TESTS.test(path),
  )
  .map((path) => ({ path, source: readFileSync(join(SRC, path), 'utf8') }));

test.each(RULES)('$name', ({ offences }) => {
  expect(files.flatMap((file) => offences(file).map((what) => `${file.path}: ${what}`))).toEqual([]);
});

/** For each rule a file that breaks it. */
const PLANTED: Record<string, SourceFile> = {
  'a layer imports only what its row of the table allows': { path: 'domain/x.ts', source: `import pg from 'pg';` },
  'nothing but service.ts starts the sandbox': {
    path: 'services/x.ts',
    source: `import { a } from '#sandbox/sandbox.ts';`,
  },
  'the panel knows of the server no more than the router’s type': {
    path: 'panel/x.tsx',
    source: `import { panelRouter } from '#server/procedures/panel-router.ts';`,
  },
  'Prisma’s client is imported in db only': {
    path: 'services/x.ts',
    source: `import { PrismaClient } from '#db/generated/client.ts';`,
  },
  'Prisma is asked in db only': { path: 'server/x.ts', source: 'await deps.db.prisma.account.findMany();' },
  'no SQL is built at run time through Prisma': { path: 'db/x.ts', source: 'prisma.$queryRawUnsafe(sql)' },
  'the environment is read in environment.ts only': { path: 'service.ts', source: 'const port = process.env.PORT;' },
  'time is an input: nothing below the composition reads the clock': {
    path: 'services/x.ts',
    source: 'const now = new Date();',
  },
};

test.each(RULES)('planted: "$name" bites', ({ name, offences }) => {
  const planted = PLANTED[name];
  expect(planted && offences(planted)).not.toEqual([]);
  expect(planted).toBeDefined();
});

test('the table names every folder', () => {
  const folders = new Set(files.map(({ path }) => layerOf(path)));
  expect([...folders].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
});

function isAllowed(layer: string, target: string): boolean {
  return (MAY_IMPORT[layer] ?? []).some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

/** What a file imports: a folder of src, or a package. Node's own modules and styles are no matter of layers. */
function importsOf(path: string, source: string): { specifier: string; target: string }[] {
  const specifiers = [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    ([, specifier = '']) => specifier,
  );
  return specifiers
    .filter((specifier) => !specifier.startsWith('node:') && !specifier.endsWith('.css'))
    .map((specifier) => ({ specifier, target: targetOf(path, specifier) }));
}

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1).split('/')[0] ?? '';
  if (specifier.startsWith('.'))
    return layerOf(
      relative('/', join('/', dirname(path), specifier))
        .split(sep)
        .join('/'),
    );
  return specifier;
}

const layerOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '.');
const found = (source: string, pattern: RegExp): string[] => [...source.matchAll(pattern)].map(([text]) => text);
const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

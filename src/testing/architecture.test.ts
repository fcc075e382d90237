import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

/** A file's path below src, with `/`, and its text. */
type SourceFile = { path: string; source: string };

/**
 * What the code of a folder may import besides itself: folders, and packages by name. `.` stands
 * for the files of src itself, `node` for any module of Node; a folder without it lists the few
 * modules that do no I/O.
 */
const MAY_IMPORT: Record<string, string[]> = {
  domain: ['ipaddr.js', '@noble/hashes', '@scure/base', 'node:crypto', 'node:zlib'],
  // A page gets its data through an AsyncLocalStorage while it is rendered.
  contract: ['domain', 'zod', 'node:async_hooks'],
  db: ['domain', 'prisma', 'pg', 'pg-copy-streams', '@prisma/adapter-pg', 'node'],
  rails: ['domain', 'zod', 'undici', 'nodemailer', 'node'],
  services: [
    'domain',
    // The bodies of webhooks, whose shapes the API documents.
    'contract',
    'db',
    'rails',
    'better-auth',
    '@better-auth/passkey',
    '@better-auth/utils',
    'rate-limiter-flexible',
    // Lists of passwords that leaked.
    '@zxcvbn-ts/language-common',
    '@zxcvbn-ts/language-pt-br',
    'node:async_hooks',
    'node:crypto',
    'node:os',
  ],
  server: [
    'domain',
    'contract',
    // Files that members download have the texts of the pages.
    'messages',
    'rails',
    'services',
    '@trpc/server',
    'trpc-openapi',
    'zod',
    'pino',
    'prom-client',
    'ipaddr.js',
    'next',
    'qr',
    '@modelcontextprotocol/server',
    'node',
  ],
  jobs: ['domain', 'db', 'services'],
  cli: ['config', 'domain', 'db', 'postgres', 'services', 'demo', 'commander', 'node'],
  sandbox: ['domain', 'db', '@noble/hashes', '@scure/base', 'zod', 'pg', 'undici', 'node'],
  // Texts alone.
  messages: ['domain'],
  panel: [
    'contract',
    'messages',
    'public',
    'domain',
    'server',
    'react',
    'next',
    'next-intl',
    '@mantine/core',
    '@mantine/hooks',
    '@mantine/form',
    '@mantine/notifications',
    '@mantine/spotlight',
    '@tabler/icons-react',
    'nuqs',
    'better-auth',
    '@better-auth/passkey',
    '@tanstack/react-query',
    '@trpc/client',
    '@trpc/react-query',
    // The types of procedures' inputs.
    '@trpc/server',
    // Makes a link of the client.
    '@trpc/server/observable',
    'qrcode.react',
    // Only named in the sample of /docs that verifies a webhook: a text, not an import.
    'node:crypto',
  ],
  app: ['panel', 'contract', 'react', 'next', 'next-intl', '@mantine/core'],
  config: ['domain', 'db', 'zod', 'node'],
  postgres: ['config', 'domain', 'pg', 'node'],
  // The parts of the service make the demonstration's history.
  demo: ['config', 'domain', 'db', 'rails', 'services', 'server', 'jobs', 'node'],
  bootstrap: [
    'config',
    'domain',
    'db',
    'postgres',
    'rails',
    'services',
    'server',
    'jobs',
    'sandbox',
    'demo',
    // The OpenAPI document.
    'public',
    'pino',
    'node',
  ],
  '.': ['bootstrap', 'config', 'domain'],
};

/** Files of the server whose JSON is no body of an answer: logs, and the OpenAPI document. */
const JSON_NOT_SENT = /^server\/(observability\/mask-|rest\/openapi\/)/;

/** Folders that only tests import. */
const FOR_TESTS = /(^|\/)testing\//;

/** What the sandbox may use of db. */
const SANDBOX_OF_DB = ['#db/connection/with-transaction.ts', '#db/connection/batched.ts'];

/** Where bytes are compared that everybody may know: the beginning of a file. */
const NOT_COMPARED_IN_SECRET = new Set(['domain/files/inspect-file.ts']);

const SUBJECT_LAYERS = ['domain', 'contract', 'db', 'services', 'server/procedures'];

/** Folders of what every subject of a layer uses, and of what the operator's console shows. */
const NO_SUBJECTS = new Set([
  ...['domain/errors', 'domain/files', 'domain/values', 'contract/issues', 'contract/operator', 'db/connection'],
  ...['services/health', 'server/procedures/operator'],
]);

/** What is loaded later as one part, and what the server may ask of db through a service. */
const GATHERED = new Set([
  'panel/transactions/list-tools.ts',
  'services/health/is-unavailable.ts',
  'app/[mode]/error.tsx',
]);

/** The reference's tables, a chart for screen readers, and dialogs in which nothing is sent. */
const OWN_TABLES_AND_DIALOGS = new Set([
  'panel/shell/data-table.tsx',
  'panel/docs/section.tsx',
  'panel/overview/bar-chart.tsx',
  'panel/shell/form-dialog.tsx',
  'panel/shell/menu-drawer.tsx',
  'panel/shell/shortcut-list.tsx',
  'panel/keys/new-key-dialog.tsx',
  'panel/customers/erase-dialog.tsx',
]);

/** The product's mark, and the picture beside the sign-in. */
const OWN_DRAWINGS = new Set(['panel/mark.tsx', 'panel/auth/auth-card.tsx']);

/** What follows the database's clock, and the time at which a backup or a migration was made. */
const READS_DATABASE_CLOCK = new Set([
  'db/backup/write-backup.ts',
  'db/connection/listener.ts',
  'db/connection/migrate.ts',
  'db/point-in-time/write-base.ts',
]);

/** They choose whether Back leads to what was before. */
const OWN_HISTORY = new Set(['panel/shell/use-opened.ts', 'panel/transactions/use-filters.ts']);

const RULES: { name: string; offences(file: SourceFile): string[] }[] = [
  {
    name: 'a layer imports only what its row of the table allows',
    offences: ({ path, source }) =>
      importsOf(path, source)
        .filter(({ target }) => target !== layerOf(path) && !isAllowed(layerOf(path), target))
        .map(({ specifier }) => specifier),
  },
  {
    name: 'folders import each other by alias, so that a move shows',
    offences: ({ path, source }) =>
      importsOf(path, source)
        .filter(({ specifier, target }) => specifier.startsWith('..') && target !== layerOf(path) && target !== '.')
        .map(({ specifier }) => specifier),
  },
  {
    name: 'the service is put together once: nothing but main.ts imports it',
    offences: ({ path, source }) =>
      path === 'main.ts' ? [] : found(source, /from '(#bootstrap\/service|[./]+\/(bootstrap\/service|main))\.ts'/g),
  },
  {
    name: 'a procedure asks services, never the database or a provider itself',
    offences: ({ path, source }) =>
      path.startsWith('server/procedures/')
        ? importsOf(path, source)
            .filter(({ target }) => ['db', 'rails', 'pg'].includes(target))
            .map(({ specifier }) => specifier)
        : [],
  },
  {
    name: 'the server asks services, never the database that it passes on to them',
    offences: ({ path, source }) =>
      path.startsWith('server/')
        ? found(withoutComments(source), /\b(db|pool|prisma)\??\.\w+|\$?(query|execute)Raw\b/g)
        : [],
  },
  {
    name: 'what is there for tests stays with them',
    offences: ({ source }) => found(source, /from '[^']*(\/testing\/|\.test\.ts|vitest|fast-check)[^']*'/g),
  },
  {
    name: 'nothing but the bootstrap imports the sandbox',
    offences: ({ path, source }) =>
      layerOf(path) === 'bootstrap'
        ? []
        : importsOf(path, source)
            .filter(({ target }) => target === 'sandbox' && layerOf(path) !== 'sandbox')
            .map(({ specifier }) => specifier),
  },
  {
    name: 'the sandbox stores what it simulates by itself: of db it uses transactions and batches only',
    offences: ({ path, source }) =>
      layerOf(path) === 'sandbox'
        ? importsOf(path, source)
            .filter(({ target, specifier }) => target === 'db' && !SANDBOX_OF_DB.includes(specifier))
            .map(({ specifier }) => specifier)
        : [],
  },
  {
    name: 'the panel knows of the server no more than the router’s type',
    offences: ({ path, source }) =>
      /^(panel|app)\//.test(path)
        ? [...source.matchAll(/import (?!type\b)[^;]*from '(#server[^']*)'/g)].map(([, specifier = '']) => specifier)
        : [],
  },
  {
    name: 'a link is panel/link.tsx’s: it fetches its page when it is meant, not when it is seen',
    offences: ({ path, source }) => (path === 'panel/link.tsx' ? [] : found(source, /'next\/(link|form)'/g)),
  },
  {
    name: 'code that comes later is loaded by lazy-part.ts, which waits for a service that is away',
    offences: ({ path, source }) =>
      !/^(panel|app)\//.test(path) || path === 'panel/connection/lazy-part.ts'
        ? []
        : found(
            source,
            /\blazy\b[^;]*from 'react'|'next\/dynamic'|(?<!typeof |lazyPart\(\(\) =>\s*|loadPart\(\(\) =>\s*|\w = \(\) =>\s*)\bimport\([^)]*\)/g,
          ),
  },
  {
    name: 'pages write figures and times by next-intl’s formatter, which keeps what it makes',
    offences: ({ path, source }) =>
      /^(panel|app)\//.test(path) ? found(source, /\bIntl\.\w+|\.toLocale(Date|Time)?String\(/g) : [],
  },
  {
    name: 'what pages say is in the catalogue: their code asks for texts, not for the language',
    offences: ({ path, source }) => (/^(panel|app)\//.test(path) ? found(source, /[!=]== '(en|pt-BR)'/g) : []),
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
    name: 'JSON is answered by http/json.ts only, with its headers',
    offences: ({ path, source }) =>
      !path.startsWith('server/') || path === 'server/http/json.ts' || JSON_NOT_SENT.test(path)
        ? []
        : found(
            source,
            /\bJSON\.stringify\b|\bResponse\.json\b|'content-type'\s*[,:][^\n]*application\/json|\.end\(\s*jsonText/gi,
          ),
  },
  {
    name: 'passwords are hashed in password-hashing.ts only, which bounds how many at once',
    offences: ({ path, source }) =>
      // sealed-stream.ts derives a backup's key from its passphrase, once for each command, in the
      // operator's own process.
      [
        'services/members/password-hashing.ts',
        'services/members/argon2-hash.ts',
        'db/backup/sealed-stream.ts',
      ].includes(path)
        ? []
        : found(
            source,
            /\b(hash|verify)Password\b[^;]*from '@?better-auth\/(crypto|utils\/password)'|\bscrypt(Sync)?\b\(|\b(hash|verify)ByArgon2\b[^;]*from|\bargon2(Sync)?\b\(/g,
          ),
  },
  {
    name: 'what proves something is compared by is-equal-bytes.ts or timingSafeEqual, in constant time',
    offences: ({ path, source }) =>
      /^(domain|rails|services|server|sandbox)\//.test(path) && !NOT_COMPARED_IN_SECRET.has(path)
        ? found(
            source,
            /\.equals\(|\bBuffer\.compare\b|\.digest\([^)]*\)\s*[!=]==|[!=]==\s*(\w*\.)?(signature|mac|hmac|digest)\b/gi,
          )
        : [],
  },
  {
    name: 'no SQL is built at run time through Prisma',
    offences: ({ source }) => found(source, /\$(query|execute)RawUnsafe|\bPrisma\.raw\b/g),
  },
  {
    name: 'a file exports what it defines itself: no file gathers the exports of others',
    offences: ({ path, source }) => (GATHERED.has(path) ? [] : found(source, /^export (\*|\{[^}]*\}) from '[^']*'/gm)),
  },
  {
    name: 'exports have names, so that a search finds who uses them',
    offences: ({ path, source }) =>
      path.startsWith('app/') || path === 'panel/request-config.ts' ? [] : found(source, /^export default\b/gm),
  },
  {
    name: 'the name of a file or folder says what is in it',
    offences: ({ path }) => found(path, /(?<![^/])(utils?|helpers?|common|misc|shared|index)(?=[/.])/g),
  },
  {
    name: 'a table of the panel is a DataTable, and a dialog with a form a FormDialog',
    offences: ({ path, source }) =>
      path.startsWith('panel/') && !OWN_TABLES_AND_DIALOGS.has(path)
        ? found(source, /<(T|t)able\b|\b(Modal|Drawer)\b[^;]*from '@mantine\/core'/g)
        : [],
  },
  {
    name: 'icons are those of @tabler/icons-react',
    offences: ({ path, source }) =>
      path.startsWith('panel/') && !OWN_DRAWINGS.has(path) ? found(source, /<svg\b/g) : [],
  },
  {
    name: 'what a page’s address holds is read and set by nuqs',
    offences: ({ path, source }) =>
      path.startsWith('panel/') && !OWN_HISTORY.has(path)
        ? found(source, /\buseSearchParams\b|\bhistory\S*\.(push|replace)State\b|'(push|replace)State'/g)
        : [],
  },
  {
    name: 'Next draws pages and sends documents: it takes no actions, decides no access, and changes nothing',
    offences: ({ path, source }) =>
      /^(proxy|middleware)\.ts$/.test(path)
        ? [path]
        : /^(panel|app)\//.test(path)
          ? found(source, /['"]use server['"]|\bexport (const|(async )?function) (POST|PUT|PATCH|DELETE)\b/g)
          : [],
  },
  {
    name: 'the environment is read in environment.ts only',
    offences: ({ path, source }) =>
      path === 'config/environment.ts'
        ? []
        : found(source, /process\??\.env\b|process\[|\benv\b[^;\n]*= process\b|'(node:)?process'/g),
  },
  {
    name: 'SQL gets the time as a parameter: the database’s clock is read where the service follows it',
    offences: ({ path, source }) =>
      /^(db|sandbox)\//.test(path) && !READS_DATABASE_CLOCK.has(path)
        ? found(withoutComments(source), /(?<![.\w])now\(\)|\bclock_timestamp\(|\bcurrent_(timestamp|date|time)\b/gi)
        : [],
  },
  {
    name: 'time is an input: nothing below the composition reads the clock',
    offences: ({ path, source }) =>
      /^(domain|services|db|jobs|rails|server|contract|sandbox)\//.test(path)
        ? found(withoutComments(source), /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^\s)])|(?<!new )\bDate\(\)/g)
        : [],
  },
];

const SRC = join(import.meta.dirname, '..');
const files: SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter(
    (path) =>
      /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('db/generated/') && !FOR_TESTS.test(path),
  )
  .map((path) => ({ path, source: readFileSync(join(SRC, path), 'utf8') }));

// ASVS 1.2.4, 11.2.4, 15.2.3
test.each(RULES)('$name', ({ offences }) => {
  expect(files.flatMap((file) => offences(file).map((what) => `${file.path}: ${what}`))).toEqual([]);
});

/** For each rule a file that breaks it. */
const PLANTED: Record<string, SourceFile> = {
  'a layer imports only what its row of the table allows': { path: 'domain/x.ts', source: `import pg from 'pg';` },
  'folders import each other by alias, so that a move shows': {
    path: 'server/rest/x.ts',
    source: `import { toBrl } from '../../domain/values/money.ts';`,
  },
  'the service is put together once: nothing but main.ts imports it': {
    path: 'cli/x.ts',
    source: `import { startService } from '#bootstrap/service.ts';`,
  },
  'a procedure asks services, never the database or a provider itself': {
    path: 'server/procedures/x.ts',
    source: `import { findCharge } from '#db/charges/charges.ts';`,
  },
  'the server asks services, never the database that it passes on to them': {
    path: 'server/panel/x.ts',
    source: `const { rows } = await deps.reads.db.pool.query('SELECT 1');`,
  },
  'what is there for tests stays with them': {
    path: 'db/x.ts',
    source: `import { createTestDatabase } from './testing/database.ts';`,
  },
  'nothing but the bootstrap imports the sandbox': {
    path: 'services/x.ts',
    source: `import { a } from '#sandbox/sandbox.ts';`,
  },
  'the sandbox stores what it simulates by itself: of db it uses transactions and batches only': {
    path: 'sandbox/x.ts',
    source: `import { listEvents } from '#db/webhooks/event-log.ts';`,
  },
  'the panel knows of the server no more than the router’s type': {
    path: 'panel/x.tsx',
    source: `import { panelRouter } from '#server/procedures/panel-router.ts';`,
  },
  'a link is panel/link.tsx’s: it fetches its page when it is meant, not when it is seen': {
    path: 'panel/x.tsx',
    source: `import Link from 'next/link';`,
  },
  'code that comes later is loaded by lazy-part.ts, which waits for a service that is away': {
    path: 'panel/x.tsx',
    source: `const later = await import('./y.ts');`,
  },
  'pages write figures and times by next-intl’s formatter, which keeps what it makes': {
    path: 'panel/x.tsx',
    source: `new Intl.NumberFormat(language).format(amount)`,
  },
  'what pages say is in the catalogue: their code asks for texts, not for the language': {
    path: 'panel/x.tsx',
    source: `const title = language === 'en' ? 'Day' : 'Dia';`,
  },
  'Prisma’s client is imported in db only': {
    path: 'services/x.ts',
    source: `import { PrismaClient } from '#db/generated/client.ts';`,
  },
  'Prisma is asked in db only': { path: 'server/x.ts', source: 'await deps.db.prisma.account.findMany();' },
  'JSON is answered by http/json.ts only, with its headers': {
    path: 'server/panel/x.ts',
    source: 'res.end(JSON.stringify(body));',
  },
  'passwords are hashed in password-hashing.ts only, which bounds how many at once': {
    path: 'services/x.ts',
    source: `import { hashPassword } from '@better-auth/utils/password';`,
  },
  'what proves something is compared by is-equal-bytes.ts or timingSafeEqual, in constant time': {
    path: 'server/x.ts',
    source: `if (given === createHmac('sha256', key).update(body).digest('hex') || hash.equals(expected)) accept();`,
  },
  'no SQL is built at run time through Prisma': { path: 'db/x.ts', source: 'prisma.$queryRawUnsafe(sql)' },
  'a file exports what it defines itself: no file gathers the exports of others': {
    path: 'domain/x.ts',
    source: `export { toBrl } from './values/money.ts';`,
  },
  'exports have names, so that a search finds who uses them': {
    path: 'panel/x.tsx',
    source: 'export default function Page() {}',
  },
  'the name of a file or folder says what is in it': { path: 'domain/utils/money.ts', source: '' },
  'a table of the panel is a DataTable, and a dialog with a form a FormDialog': {
    path: 'panel/x.tsx',
    source: `import { Button, Modal } from '@mantine/core';`,
  },
  'icons are those of @tabler/icons-react': { path: 'panel/x.tsx', source: '<svg viewBox="0 0 8 8" />' },
  'what a page’s address holds is read and set by nuqs': {
    path: 'panel/x.tsx',
    source: `window.history.pushState(null, '', '?page=2');`,
  },
  'Next draws pages and sends documents: it takes no actions, decides no access, and changes nothing': {
    path: 'panel/x.tsx',
    source: `'use server';`,
  },
  'the environment is read in environment.ts only': {
    path: 'bootstrap/service.ts',
    source: 'const port = process.env.PORT;',
  },
  'SQL gets the time as a parameter: the database’s clock is read where the service follows it': {
    path: 'db/x.ts',
    source: 'text: `DELETE FROM sessions WHERE ends_at < now()`',
  },
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
  expect([...folders].sort(), 'Say in MAY_IMPORT what a new folder may import').toEqual(Object.keys(MAY_IMPORT).sort());
});

test.each([
  ['domain/x.ts', `import { readFileSync } from 'node:fs';`],
  ['domain/x.ts', `import type { Database } from '#db/connection/database.ts';`],
  ['domain/x.ts', `export * from '../db/database.ts';`],
  ['contract/x.ts', `import { z } from 'zod'; import pg from 'pg';`],
  ['db/x.ts', `import { createCharge } from '#services/charges/create-charge.ts';`],
  ['rails/pix/x.ts', `const db = await import('#db/connection/database.ts');`],
  ['services/x.ts', `import { createServer } from 'node:http';`],
  ['services/x.ts', `import pg from 'pg';`],
  ['services/x.ts', `import { sendJson } from '#server/http/json.ts';`],
  ['services/x.ts', `import 'zod';`],
  ['jobs/x.ts', `import { sendJson } from '#server/http/json.ts';`],
  ['server/x.ts', `import { startWorker } from '#jobs/worker.ts';`],
  ['server/x.ts', `import { findAccountTerms } from '#db/accounts/account-terms.ts';`],
  ['server/auth/x.ts', `import { betterAuth } from 'better-auth';`],
  ['server/http/x.ts', `import { RateLimiterPostgres } from 'rate-limiter-flexible';`],
  ['panel/x.tsx', `import pg from 'pg';`],
  ['app/x.tsx', `import { getBalance } from '#services/accounts/get-balance.ts';`],
  ['nowhere/x.ts', `import { toBrl } from '#domain/values/money.ts';`],
])('planted: %s may not %s', (path, source) => {
  expect(RULES[0]?.offences({ path, source })).not.toEqual([]);
});

test.each(['Date.now()', 'clock = Date.now;', 'new Date()', 'new Date( )', 'new Date;', 'Date()'])(
  'planted: %s reads the clock',
  (source) => {
    const reads = (text: string) => RULES.at(-1)?.offences({ path: 'domain/x.ts', source: text });
    expect(reads(source)).not.toEqual([]);
    expect(reads('new Date(now.getTime() + 1), new Date( ms ) // new Date()')).toEqual([]);
  },
);

test.each([
  'res.end(JSON.stringify(body));',
  'const write = JSON.stringify;',
  "res.setHeader('content-type', 'application/json; charset=utf-8');",
  "new Response(text, { headers: { 'content-type': `application/json` } });",
  'Response.json(body);',
  'res.end(jsonText(body));',
])('planted: %s answers JSON by itself', (source) => {
  const rule = RULES.find(({ name }) => name.startsWith('JSON is answered'));
  expect(rule?.offences({ path: 'server/inbound/x.ts', source })).not.toEqual([]);
});

test.each([
  'process.env.PORT',
  'process?.env',
  "process['env']",
  'const { env } = process;',
  `import e from 'process'`,
])('planted: %s reads the environment', (source) => {
  const rule = RULES.find(({ name }) => name.startsWith('the environment'));
  expect(rule?.offences({ path: 'server/x.ts', source })).not.toEqual([]);
});

test.each([
  ['proxy.ts', 'export const proxy = () => NextResponse.next();'],
  ['app/x/route.ts', 'export async function POST(request: Request) {}'],
  ['app/x/route.ts', 'export const DELETE = remove;'],
])('planted: %s has Next do more than draw pages: %s', (path, source) => {
  const rule = RULES.find(({ name }) => name.startsWith('Next draws'));
  expect(rule?.offences({ path, source })).toHaveLength(1);
  expect(rule?.offences({ path: 'app/x/route.ts', source: 'export async function GET() {}' })).toEqual([]);
});

/** The folders of these files that are neither a subject of the guide nor what all subjects use. */
function unknownSubjects(paths: readonly string[]): string[] {
  const guide = readFileSync(join(SRC, '../CONTRIBUTING.md'), 'utf8');
  const [, named = ''] = /a subject has the same name in every layer: ([^.]*)\./.exec(guide) ?? [];
  const subjects = new Set(named.split(/,\s+(?:and underneath them )?/));
  const folder = new RegExp(`^(?:${SUBJECT_LAYERS.join('|')})/([^/]+)(?=/)`);
  return paths.flatMap((path) => {
    const [found, subject = ''] = folder.exec(path) ?? [];
    return found === undefined || subjects.has(subject) || NO_SUBJECTS.has(found) ? [] : [found];
  });
}

test('every folder below a layer is a subject that the guide names, by the same name in every layer', () => {
  const found = unknownSubjects(files.map(({ path }) => path));
  expect([...new Set(found)], 'Use a subject of CONTRIBUTING.md, or name the new one there').toEqual([]);
});

test('planted: a subject with another name than in the other layers is found', () => {
  const paths = ['services/chargebacks/x.ts', 'services/charges/x.ts', 'db/x.ts', 'db/point-in-time/x.ts'];
  expect(unknownSubjects(paths)).toEqual(['services/chargebacks']);
});

test('the strict options of the compiler are on, for the service and for the library', () => {
  for (const path of ['tsconfig.json', 'packages/trilho-node/tsconfig.json'])
    expect(JSON.parse(readFileSync(join(SRC, '..', path), 'utf8')).compilerOptions).toMatchObject({
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noImplicitOverride: true,
      noFallthroughCasesInSwitch: true,
      verbatimModuleSyntax: true,
    });
});

test('Next decodes no pictures, and passes no request on', () => {
  const config = readFileSync(join(SRC, '../next.config.mjs'), 'utf8');
  expect(config).toContain('images: { unoptimized: true }');
  expect(config).not.toMatch(/\b(rewrites|redirects|headers|serverActions)\b/);
});

/** The imports of the Node library that are not its own files. */
const foreignImports = (source: string): string[] =>
  [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\s]+)['"]/g)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !/^\.\.?\/(?!\.\.)/.test(specifier));

test('the Node library imports its own files only', () => {
  const library = join(SRC, '../packages/trilho-node/src');
  const sources = readdirSync(library, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('generated'),
  );
  expect(sources.length).toBeGreaterThan(10);
  expect(sources.flatMap((path) => foreignImports(readFileSync(join(library, path), 'utf8')))).toEqual([]);
});

test.each([
  `import { createHmac } from 'node:crypto';`,
  `export { z } from 'zod';`,
  `import { toBrl } from '../../../src/domain/values/money.ts';`,
])('planted: the Node library may not %s', (source) => {
  expect(foreignImports(source)).toHaveLength(1);
  expect(foreignImports(`import type { Warning } from '../generated/api.ts';`)).toEqual([]);
});

function isAllowed(layer: string, target: string): boolean {
  return (MAY_IMPORT[layer] ?? []).some(
    (allowed) =>
      target === allowed ||
      target.startsWith(`${allowed}/`) ||
      (allowed === 'node' && target.startsWith('node:') && target !== 'node:process'),
  );
}

/** The imports of a file: a folder of src, or a package. Style sheets belong to no layer. */
function importsOf(path: string, source: string): { specifier: string; target: string }[] {
  const specifiers = [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\s]+)['"]/g)].map(
    ([, specifier = '']) => specifier,
  );
  return specifiers
    .filter((specifier) => !specifier.endsWith('.css'))
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

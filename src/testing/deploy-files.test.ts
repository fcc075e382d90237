import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLE_NAMES } from '#config/environment.ts';
import { openDatabase } from '#db/connection/database.ts';
import { DEFAULT_LIMITS } from '#domain/accounts/default-limits.ts';
import { FILE_BYTES_MAX } from '#domain/files/file-bytes-max.ts';
import { createMetrics } from '#server/observability/metrics.ts';
import { BODY_BYTES_MAX } from '#server/rest/body.ts';
import { anchorsOf } from './anchors-of.ts';

/**
 * The files of deploy/ and docs/operations.md, compared with the service that they describe; `npm
 * run check:deploy` has them loaded by the programs that they are for.
 */
const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const RULES = 'deploy/prometheus/rules.yaml';
const OPERATIONS = 'docs/operations.md';

/** Metrics of Prometheus itself, Patroni and the node exporter. */
const METRICS_OF_OTHERS = [
  'up',
  'patroni_primary',
  'patroni_sync_standby',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
];
/** Variables that are not the service's: those of Node, PostgreSQL's image and Caddy's file. */
const VARIABLES_OF_OTHERS = [
  'NODE_ENV',
  'NODE_COMPILE_CACHE',
  'OWNER_PASSWORD',
  'SERVICE_PASSWORD',
  'POSTGRES_PASSWORD',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'TRILHO_SITE',
  'TRILHO_WEB',
];

/** The metrics that expressions of PromQL name. */
function metricsIn(expressions: readonly string[]): string[] {
  const names = expressions.flatMap((text) => {
    const plain = text.replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\b(by|without) \([^)]*\)/g, ' ');
    return [...plain.matchAll(/\b[a-z_]+\b(?!\s*\()/g)].map(([name]) => name);
  });
  return [...new Set(names)].filter((name) => !['or', 'and', 'unless', 'offset', 'by', 'e'].includes(name));
}

/** The names that the service exports, histograms' parts included. */
async function exportedMetrics(): Promise<Set<string>> {
  // Nothing answers there: the metrics that depend on the database are named all the same.
  const db = openDatabase('postgres://x:x@127.0.0.1:1/x');
  const { text } = await createMetrics({ db, clock: () => new Date() }).render();
  await db.close();
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
}

const expressionsOf = {
  [RULES]: () => [...read(RULES).matchAll(/^ +expr: (.*)$/gm)].map(([, text = '']) => text),
  'deploy/grafana/dashboard.json': () => {
    const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  },
};

test.each(Object.entries(expressionsOf))('%s names only metrics that are exported', async (_, expressions) => {
  const known = new Set([...(await exportedMetrics()), ...METRICS_OF_OTHERS]);
  const named = metricsIn(expressions());
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('no alert of failed requests, of providers’ answers or of their books is about what the sandbox simulates', () => {
  const selectors =
    read(RULES).match(/trilho_(?:rail_calls_total|reconciliation_\w+|http_requests_total\{[^}]*5\.\.)[^)[ ]*/g) ?? [];
  expect(selectors.length).toBeGreaterThan(8);
  expect(selectors.filter((one) => !/rail!~"sandbox\.\*"|route!="\/sandbox"/.test(one))).toEqual([]);
});

test('planted: a metric that nobody exports is found in an expression', () => {
  const text = 'sum by (task) (rate(trilho_lost_total{status="up"}[5m])) / max(up) > 1.5e9 or absent(gone)';
  expect(metricsIn([text])).toEqual(['trilho_lost_total', 'up', 'gone']);
});

/**
 * The metrics and alerts that a document names, and that there are none of. Roles of databases have
 * such names too.
 */
function unknownNamesIn(text: string, known: ReadonlySet<string>): string[] {
  const named = [...text.matchAll(/`(trilho_\w+|(?:Trilho|Postgres)[A-Z]\w+)(?:\{[^}`]*\})?`/g)];
  return named
    .map(([, name = '']) => name)
    .filter((name) => !known.has(name) && !/_(owner|backup|service)$/.test(name));
}

test('every metric and alert that a document names is there', async () => {
  const alerts = [...read(RULES).matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const known = new Set([...(await exportedMetrics()), ...alerts]);
  const documents = readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const found = ['README.md', 'CHANGELOG.md', ...documents].flatMap((path) => unknownNamesIn(read(path), known));
  expect(found).toEqual([]);
  expect(unknownNamesIn(read(OPERATIONS), new Set()).length).toBeGreaterThan(5);
});

test('planted: a metric and an alert that a document names wrongly are found', () => {
  const text = 'See `trilho_lost{kind="owed"}`, `TrilhoLost` and `trilho_rail_closed`, as `trilho_owner`.';
  expect(unknownNamesIn(text, new Set(['trilho_rail_closed']))).toEqual(['trilho_lost', 'TrilhoLost']);
});

/** Variables of the environment that a file of deploy/ sets or reads. */
function variablesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line));
  const set = lines.flatMap((line) => [
    ...line.matchAll(/(?:^\s*|^Environment=|^ENV |\s)([A-Z][A-Z0-9_]{2,})(?:=|: )/g),
    ...line.matchAll(/\$\{?([A-Z][A-Z0-9_]{2,})\b/g),
  ]);
  return [...new Set(set.map(([, name = '']) => name))];
}

const WITH_VARIABLES = [
  'deploy/Caddyfile',
  'deploy/Dockerfile',
  'deploy/compose.yaml',
  'deploy/systemd/trilho-web@.service',
  'deploy/systemd/trilho-worker@.service',
];

test.each(WITH_VARIABLES)('%s sets only variables that the service knows', (path) => {
  const known = new Set([...VARIABLE_NAMES, ...VARIABLES_OF_OTHERS]);
  const named = variablesIn(read(path));
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('planted: a variable that nobody knows is found in a unit, a Dockerfile and a compose file', () => {
  expect(variablesIn('Environment=ROLE=web PROT=%i')).toEqual(['ROLE', 'PROT']);
  expect(variablesIn('ENV NODE_ENV=production \\\n  HOTS=0.0.0.0')).toEqual(['NODE_ENV', 'HOTS']);
  expect(variablesIn('      ROEL: web\n      A: $OWNER_PASWORD')).toEqual(['ROEL', 'OWNER_PASWORD']);
});

test('docs/operations.md names every file of deploy/', () => {
  const text = read(OPERATIONS);
  const files = readdirSync(join(ROOT, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/dockerignore$|^create-service-role/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  expect(files.filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
});

test('every alert leads to a heading of docs/operations.md', () => {
  const anchors = anchorsOf(read(OPERATIONS));
  const runbooks = [...read(RULES).matchAll(/runbook: docs\/operations\.md#(\S+)/g)].map(([, anchor = '']) => anchor);
  const alerts = read(RULES).match(/- alert: /g)?.length;
  expect(runbooks).toHaveLength(alerts ?? 0);
  expect(runbooks.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
});

test('PgBouncer sets what the service asks for a session, and ignores it at its start', () => {
  const db = openDatabase('postgres://x:x@127.0.0.1:1/x');
  // PgBouncer keeps these by itself.
  const asked = [...(db.pool.options.options ?? '').matchAll(/-c (\w+)=(\w+)/g)]
    .map(([, name, value]) => [name, value])
    .filter(([name = '']) => !['TimeZone', 'DateStyle'].includes(name));
  expect(asked.map(([name]) => name)).toEqual([
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
    'jit',
  ]);
  const text = read('deploy/pgbouncer.ini');
  const set = /connect_query='([^']*)'/.exec(text)?.[1]?.split('; ');
  expect(set).toEqual(asked.map(([name, value]) => `SET ${name} = ${value}`));
  const ignored = /^ignore_startup_parameters = (.*)$/m.exec(text)?.[1]?.split(',');
  expect(ignored).toEqual(['extra_float_digits', ...asked.map(([name]) => name)]);
});

test('the unit of a worker may write to the folder of backups that docs/operations.md has made', () => {
  const unit = read('deploy/systemd/trilho-worker@.service');
  // Without a path of its own everything outside of the unit's own folders is read-only.
  expect(unit).toContain('ProtectSystem=strict');
  const made = /^install -d .* (\/\S+)$/m.exec(read(OPERATIONS))?.[1];
  expect(/^ReadWritePaths=-(.*)$/m.exec(unit)?.[1]).toBe(made ?? 'a folder');
});

test('docs/operations.md has every limit of an account that has none of its own', () => {
  const section = /^## What a new account has\n(.*?)\n## /ms.exec(read(OPERATIONS))?.[1] ?? '';
  const amounts = [...section.matchAll(/R\$ ([\d,]+\.\d\d)/g)].map(([, text = '']) => text.replace(/\D/g, ''));
  const limits = Object.values(DEFAULT_LIMITS).map(String);
  expect([...new Set(amounts)].toSorted()).toEqual([...new Set(limits)].toSorted());
});

test('the proxies pass the largest body that the service takes', () => {
  const largest = Math.max(FILE_BYTES_MAX, BODY_BYTES_MAX);
  const nginx = Number(/client_max_body_size (\d+)m/.exec(read('deploy/nginx.conf'))?.[1]) * 1024 * 1024;
  const caddy = Number(/max_size (\d+)MB/.exec(read('deploy/Caddyfile'))?.[1]) * 1_000_000;
  expect(Math.min(nginx, caddy)).toBeGreaterThan(largest);
});

/** What the commands of compose.yaml and the documents read or write in the checkout. */
const OF_THE_OPERATOR = [
  ...['.env', 'deploy/.env', '.trilho/master-keys', 'trilho.backup', 'trilho.backup.partial'],
  ...['trilho-proof-2026-11-22.json', 'differences.csv', 'case-files/1-answer.txt'],
];
const linesOf = (path: string) => read(path).trim().split('\n');

test('an image and a commit have no secret and no books of the operator’s checkout', () => {
  // As git and Docker read a line: git’s holds at every depth where it does not begin with a slash.
  const ofGit = linesOf('.gitignore').map((line) => (line.startsWith('/') ? line.slice(1) : `**/${line}`));
  for (const [file, lines] of [
    ['.gitignore', ofGit],
    ['deploy/Dockerfile.dockerignore', linesOf('deploy/Dockerfile.dockerignore')],
  ] as const) {
    const patterns = lines.map((line) => line.replace(/\/$/, '')).flatMap((line) => [line, `${line}/**`]);
    const kept = OF_THE_OPERATOR.filter((path) => !patterns.some((pattern) => matchesGlob(path, pattern)));
    expect(kept, file).toEqual([]);
  }
});

test('the commands of the installation, typed again, leave the environment and the link as they are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trilho-installing-'));
  const [, typed = ''] = /\n## Installing\n+```sh\n([^`]*)```/.exec(read(OPERATIONS)) ?? [];
  const lines = typed.split('\n').filter((line) => /environment|^ln /.test(line));
  expect(lines).toHaveLength(2);
  const commands = lines.join('\n').replaceAll(/(?=\/(?:etc|opt)\/)/g, folder);
  const [environment, link] = [join(folder, 'etc/trilho/environment'), join(folder, 'opt/trilho')];
  for (const version of ['trilho-1', 'trilho-2']) mkdirSync(join(folder, 'opt', version), { recursive: true });
  spawnSync('sh', ['-c', commands]);
  expect([statSync(environment).mode & 0o777, readlinkSync(link)]).toEqual([0o600, 'trilho-1']);
  writeFileSync(environment, 'MASTER_KEYS=v1:x');
  rmSync(link);
  symlinkSync('trilho-2', link);
  spawnSync('sh', ['-c', commands]);
  expect([readFileSync(environment, 'utf8'), readlinkSync(link)]).toEqual(['MASTER_KEYS=v1:x', 'trilho-2']);
  expect(readdirSync(join(folder, 'opt/trilho-2'))).toEqual([]);
  rmSync(folder, { recursive: true });
});

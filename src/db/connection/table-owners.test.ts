import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { HOLE, nodesOf, parse, readSources, type SyntaxNode, textsOf } from '../testing/db-sources.ts';

/** Tables that only SQL may touch, by why. Every other one is Prisma's. */
const SQL_TABLES: Record<string, string[]> = {
  'Money, which moves in the ledger’s functions alone, and what they read and write in the same statement.': [
    'invoice_increments',
    'ledger_accounts',
    'ledger_entries',
    'disputes',
    'ledger_transfers',
    'foreign_operations',
    'foreign_payouts',
    'foreign_refunds',
    'limit_usage',
    'payment_returns',
    'refunds',
    'reviews',
    'transactions',
    'unmatched_payments',
    'payees',
    'payout_batch_rows',
    'payout_batches',
    'withdrawal_thresholds',
    'withdrawal_approvals',
    'scheduled_payouts',
  ],
  'The outbox and the queue: written by the statement that makes them necessary, claimed in batches.': [
    'attempts',
    'deliveries',
    'events',
    'inbound_callbacks',
    'sweeps',
    'tasks',
  ],
  'Held by one worker, and moved between two of its tasks.': ['test_clocks'],
  'Asked with every request, or written with every request in batches.': [
    'idempotency_keys',
    'provider_call_counts',
    'provider_calls',
    'rate_limits',
    'request_counts',
    'request_records',
  ],
  'Added up by the ledger’s functions alone, and read with the ledger’s rows.': [
    'account_totals',
    'ledger_checkpoints',
    'ledger_checks',
    'totals_progress',
  ],
  'Hashed and sealed by the ledger’s functions and the audit’s alone.': [
    'audit_heads',
    'audit_links',
    'audit_sealing',
    'ledger_chains',
    'ledger_heads',
    'ledger_seals',
    'ledger_sealing',
  ],
  'Compared with the ledger by the database itself.': [
    'listed_movements',
    'reconciled_days',
    'reconciled_processors',
    'reconciled_rails',
  ],
  'Written as long as a case waits for its answer, which the same function reads.': ['dispute_files'],
  'Taken in one statement that keeps the newest few, at the pace of webhooks.': ['received_webhooks'],
  'Read with the ledger’s limits (effective_limits), and written where it differs at every start.': ['default_limits'],
};

/** SQL that touches Prisma’s tables all the same: why, in which files, and which tables. */
const SQL_ALL_THE_SAME: Record<string, Record<string, string[]>> = {
  'Asked with every request: who calls, and on what terms.': {
    'account-terms.ts': ['account_fees', 'accounts', 'closed_rails', 'credentials', 'merchants'],
    'api-keys.ts': ['accounts', 'api_keys', 'merchants'],
    'members.ts': ['accounts', 'members', 'memberships', 'passkeys', 'sessions'],
  },
  'Asked with every page: how far its merchant has come.': {
    'first-steps.ts': ['accounts', 'credentials', 'endpoints'],
  },
  'A payment is read together with whose it is.': {
    'accounts.ts': ['accounts', 'merchants'],
    'approvals.ts': ['api_keys', 'members'],
    'charges.ts': ['accounts', 'merchants'],
    'count-disputes.ts': ['accounts'],
    'find-failed-payouts.ts': ['accounts'],
    'invoices.ts': ['accounts'],
    'ledger.ts': ['accounts', 'merchants'],
    'payees.ts': ['members'],
    'payout-batches.ts': ['members'],
    'payouts.ts': ['accounts'],
    'reviews.ts': ['accounts', 'merchants'],
    'thresholds.ts': ['members'],
    'waiting-money.ts': ['accounts'],
    'withdrawals.ts': ['accounts'],
  },
  'A delivery is read, made, held or sent again in one statement with where it goes.': {
    'api-endpoints.ts': ['accounts', 'endpoints'],
    'deliveries.ts': ['accounts', 'endpoints'],
    'delivery-log.ts': ['endpoints'],
    'end-deliveries.ts': ['endpoints'],
    'endpoints.ts': ['endpoints'],
    'event-log.ts': ['(named at run time)', 'endpoints'],
    'find-failing-endpoints.ts': ['endpoints'],
    'held-deliveries.ts': ['endpoints'],
    'insert-missing.ts': ['endpoints'],
    'received-webhooks.ts': ['accounts'],
    'replays.ts': ['endpoints'],
    'resends.ts': ['(named at run time)', 'endpoints'],
    'transaction-detail.ts': ['endpoints'],
    'endpoint-health.ts': ['accounts', 'endpoints'],
  },
  'When a rail was last read is asked together with whether its credentials are in use.': {
    'sweeps.ts': ['credentials'],
  },
  'What time it is for an account is moved between two of its tasks, and read with what it is about.': {
    'test-clocks.ts': ['accounts'],
  },
  'What does not fit is looked for among all rows at once.': {
    'audit-rules.ts': ['audit_records'],
    'check-ledger.ts': ['accounts'],
    'ledger-rules.ts': ['accounts', 'credentials'],
  },
  'A page of a list is any of several statements.': {
    'transaction-filter.ts': ['(named at run time)'],
  },
  'A log is read with the names of who acted; the audit’s indexes have conditions that Prisma can’t write.': {
    'search-audit.ts': ['api_keys', 'audit_records', 'members', 'merchants'],
    'request-records.ts': ['api_keys'],
  },
  'Asked every second for everybody who listens, in one walk down the index for each.': {
    'notices.ts': ['notices'],
  },
  'The notices of an act, with what they cause, are one statement of its commit, in SQL or of Prisma.': {
    'insert-notices.ts': ['mails', 'memberships', 'notices'],
  },
  'An act in SQL and its record are one commit.': {
    'ask-noted.ts': ['audit_records'],
    'audit.ts': ['audit_records'],
  },
  'A row is locked; for money that is about to leave, in the case of a suspension.': {
    'kyc.ts': ['merchants'],
    'memberships.ts': ['merchants'],
    'own-credentials.ts': ['accounts'],
    'set-suspension.ts': ['accounts'],
    'sign-up.ts': ['merchants'],
  },
  'A value is made of another one of its row, or of JSON in it, where it is.': {
    'kyc-decisions.ts': ['kyc_documents'],
    'member-preferences.ts': ['members'],
    'webhook-secrets.ts': ['accounts', 'endpoints'],
  },
  'Whether a database is empty is asked before its tables are there.': {
    'restore-backup.ts': ['merchants'],
  },
  'Every table is locked while it is read.': {
    'write-backup.ts': ['(named at run time)'],
  },
  'Sealed columns of any table, named by the registry of sealed columns.': {
    'reseal-table.ts': ['(named at run time)'],
    'sealed-values.ts': ['(named at run time)'],
  },
};

const files = readSources();
const models = readModels();
const sqlTables = new Set(Object.values(SQL_TABLES).flat());

test('every table that only SQL may touch exists, and is listed once', () => {
  const tables = Object.values(SQL_TABLES).flat();
  expect(tables.filter((table, at) => tables.indexOf(table) !== at)).toEqual([]);
  expect(tables.filter((table) => ![...models.values()].some((model) => model.table === table))).toEqual([]);
});

test('Prisma touches no table that only SQL may touch', () => {
  const offences = files.flatMap(({ path, source }) =>
    prismaTables(source)
      .filter((table) => sqlTables.has(table))
      .map((table) => `${path}: ${table}`),
  );
  expect(offences).toEqual([]);
});

test('SQL touches no table of Prisma’s but where the list says why', () => {
  const found = files.flatMap(({ path, source }) => {
    const tables = rawTables(source).filter((table) => !sqlTables.has(table));
    return tables.length > 0 ? [[nameOfFile(path), tables] as const] : [];
  });
  const listed = Object.values(SQL_ALL_THE_SAME).flatMap((perFile) => Object.entries(perFile));
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

test('better-auth reads and writes its tables through Prisma', () => {
  const asks = files.flatMap(({ source }) => source.match(/betterAuth\(\{[\s\S]*?\bdatabase: (\w+)/)?.[1] ?? []);
  expect(asks).toEqual(['prismaAdapter']);
});

test('planted: a call of Prisma’s is seen in the table itself, and in what is written or read along with it', () => {
  expect(prismaTables('await db.prisma.transaction.findMany({ where: { id } })')).toEqual(['transactions']);
  expect(prismaTables('tx.account.create({ data: { ledger: { create: { kind } } } })')).toEqual([
    'accounts',
    'ledger_accounts',
  ]);
  expect(prismaTables('prisma.merchant.findFirst({ include: { accounts: { select: { events: true } } } })')).toEqual([
    'accounts',
    'events',
    'merchants',
  ]);
});

test.each([
  ['SELECT 1 FROM members m JOIN merchants n ON true', ['members', 'merchants']],
  ['WITH x AS (DELETE FROM mails RETURNING id) INSERT INTO tasks SELECT id FROM x', ['mails', 'tasks']],
  ['UPDATE endpoints n SET url = $1 FROM deliveries d, accounts a', ['accounts', 'deliveries', 'endpoints']],
  [`SELECT * FROM ${HOLE}`, ['(named at run time)']],
])('planted: SQL is seen to touch its tables: %s', (sql, tables) => {
  expect(rawTables(`const rows = await db.query(\`${sql}\`)`)).toEqual(tables);
});

/** The tables that a file's calls of Prisma touch. */
function prismaTables(source: string): string[] {
  const tables = new Set<string>();
  for (const node of nodesOf(parse(source))) {
    if (node.type !== 'CallExpression') continue;
    const callee = node.callee as SyntaxNode;
    const target = callee.type === 'MemberExpression' ? (callee.object as SyntaxNode) : undefined;
    if (target?.type !== 'MemberExpression' || !METHODS.test(nameOf(callee.property))) continue;
    const model = models.get(nameOf(target.property));
    if (model) touch(model, node.arguments, tables);
  }
  return [...tables].sort();
}

const METHODS = /^(find|create|update|upsert|delete|count|aggregate|groupBy)/;
/**
 * The name of a file of src/db, whatever folder it is in; the path of any other, which is in no
 * list.
 */
const nameOfFile = (path: string): string => (path.startsWith('db/') ? basename(path) : path);

const nameOf = (node: unknown): string => String((node as SyntaxNode | null)?.name ?? '');

/** A model and, by the names of its relations, those that an argument reaches. */
function touch(model: Model, argument: unknown, tables: Set<string>): void {
  tables.add(model.table);
  if (Array.isArray(argument)) for (const one of argument) touch(model, one, tables);
  const node = argument as SyntaxNode | null;
  if (node?.type === 'ObjectExpression') touch(model, node.properties, tables);
  else if (node?.type === 'Property') {
    const related = models.get(model.relations.get(nameOf(node.key)) ?? '') ?? model;
    touch(related, node.value, tables);
  } else if (node?.type === 'ArrayExpression') touch(model, node.elements, tables);
  else if (node?.type === 'SpreadElement') touch(model, node.argument, tables);
  else if (node?.type === 'LogicalExpression') touch(model, node.right, tables);
  else if (node?.type === 'ConditionalExpression') touch(model, [node.consequent, node.alternate], tables);
}

/** The tables that a file's SQL touches. */
function rawTables(source: string): string[] {
  const known = new Set([...models.values()].map(({ table }) => table));
  const names = textsOf(parse(source)).flatMap((text) =>
    [
      ...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+((?:[a-z_]+(?: [a-z])?, )*(?:[a-z_]+|\$\{x\}))/g),
    ].flatMap(([, list = '']) => list.split(', ').map((one) => one.split(' ')[0] ?? '')),
  );
  const tables = names.map((name) => (name === HOLE ? '(named at run time)' : name));
  return [...new Set(tables.filter((name) => name.startsWith('(') || known.has(name)))].sort();
}

type Model = {
  table: string;
  /** The client's names of other models, by the fields that lead to them. */
  relations: Map<string, string>;
};

/** The models of schema.prisma, by the names that the client gives them. */
function readModels(): Map<string, Model> {
  const schema = readFileSync(join(import.meta.dirname, '../../../prisma/schema.prisma'), 'utf8');
  const found = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => ({
    name,
    body,
  }));
  const clientName = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1)}`;
  const names = new Set(found.map(({ name }) => name));
  return new Map(
    found.map(({ name, body }) => {
      const fields = [...body.matchAll(/^ {2}(\w+)\s+(\w+)/gm)].map(([, field = '', type = '']) => ({ field, type }));
      const relations = fields
        .filter(({ type }) => names.has(type))
        .map(({ field, type }) => [field, clientName(type)] as const);
      return [clientName(name), { table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name, relations: new Map(relations) }];
    }),
  );
}

import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupKeys } from '#domain/encryption/backup-keys.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import { drainDueTasks } from '#jobs/worker.ts';
import { sealAudit } from '#services/audit/seal-audit.ts';
import { makePaidCharge } from '#testing/paid-charge.ts';
import { sealFully } from '#testing/seal-fully.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { openDatabase } from '../connection/database.ts';
import { applyMigrations } from '../connection/migrate.ts';
import { withClient } from '../connection/with-client.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { BackupError } from './backup-error.ts';
import { checkBackup } from './check-backup.ts';
import { frame } from './frames.ts';
import { restoreBackup } from './restore-backup.ts';
import type { Sealing } from './sealed-stream.ts';
import { writeBackup } from './write-backup.ts';
import { writeSealedFile } from './write-sealed-file.ts';

const PASSPHRASE = 'quatro palavras bem diferentes';
const BY_PASSPHRASE = { passphrase: PASSPHRASE, keys: [] };
/** Another installation's. Most tests take it: a passphrase costs half a second of a processor. */
const [KEY] = backupKeys(createSecretBox(generateMasterKeys()));
const OPENING = { passphrase: null, keys: [KEY] };
/** Batches of notes are written within a second. */
const NOTED_MS = 1_200;
const CHECKOUT = join(import.meta.dirname, '../../..');

let trilho: TestService;
let folder: string;
let databases = 0;
let merchant: Awaited<ReturnType<TestService['openAccount']>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trilho-backup-'));
  trilho = await startTestService();
  merchant = await trilho.openAccount({ currency: 'USDT_BSC' });
  await paidCharge();
  await trilho.post('/payments/transfers/pix', merchant.apiKey, {
    amount: 12.34,
    pixKey: '+5511987654321',
    pixKeyType: 'PHONE',
  });
  await trilho.until('the withdrawal is sent', async () => {
    const { rows } = await trilho.deps.db.pool.query(
      `SELECT FROM transactions WHERE type = 'pix_out' AND status = 'paid'`,
    );
    return rows.length > 0 || null;
  });
});
afterAll(async () => {
  await trilho.stop();
  rmSync(folder, { recursive: true, force: true });
});

const paidCharge = () => makePaidCharge(trilho, merchant.apiKey, { amount: 100 });

const writeTo = (file: string, sealing: Sealing = { key: KEY }) =>
  withClient(trilho.databaseUrl, (client) => writeBackup(client, file, { sealing }));

const newFile = () => join(folder, `${++databases}.backup`);

/** Runs `work` with an empty database on the same server. */
async function withEmptyDatabase<T>(work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const name = `restored_${++databases}`;
  await trilho.asOwner(`CREATE DATABASE ${name}`);
  const url = new URL(trilho.ownerUrl);
  url.pathname = name;
  try {
    return await work(url.href);
  } finally {
    await trilho.asOwner(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** A checksum of every table's rows; without the unlogged counters of rate limits. */
const sums = (ownerUrl: string): Promise<Record<string, string>> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
         AND relpersistence = 'p' AND relname <> '_prisma_migrations' ORDER BY relname`,
    );
    const found: Record<string, string> = {};
    for (const { name } of rows) {
      const { rows: sum } = await client.query<{ sum: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS sum FROM "${name}" AS t`,
      );
      found[name] = sum[0]?.sum ?? '';
    }
    return found;
  });

/** The sums once nothing is written any more: requests and calls are noted in batches. */
async function settledSums(): Promise<Record<string, string>> {
  let last = '';
  return trilho.until('nothing is written any more', async () => {
    const found = await sums(trilho.ownerUrl);
    const noted = Object.entries(found).every(
      ([name, sum]) => !/^(provider_calls|request_records)$/.test(name) || sum !== '0 ',
    );
    const isSame = JSON.stringify(found) === last;
    last = JSON.stringify(found);
    await new Promise((resolve) => setTimeout(resolve, NOTED_MS));
    return noted && isSame ? found : null;
  });
}

test('a backup that is restored has every row of every table, and its sequences continue', async () => {
  const file = newFile();
  // The sandbox's cases are swept each minute, and when that was is in the database.
  await trilho.asOwner(`UPDATE tasks SET due_at = due_at + interval '1 day' WHERE kind = 'sweep'`);
  // What is still under way changes rows.
  await drainDueTasks(trilho.deps, TASK_HANDLERS);
  // As the service does by itself every ten seconds.
  await sealFully(trilho.deps);
  while ((await sealAudit(trilho.deps)) !== 'done');
  const before = await settledSums();
  const report = await writeTo(file);
  expect(await sums(trilho.ownerUrl)).toEqual(before);
  expect(report.tables).toBe(Object.keys(before).length);
  for (const text of ['+5511987654321', 'transactions', merchant.accountId]) {
    expect(readFileSync(file).includes(text)).toBe(false);
  }

  await withEmptyDatabase(async (ownerUrl) => {
    expect(await restoreBackup(ownerUrl, file, OPENING)).toMatchObject({ tables: report.tables, migrated: [] });
    expect(await sums(ownerUrl)).toEqual(before);
    const db = openDatabase(ownerUrl, { max: 1 });
    try {
      expect((await checkLedger(db.pool)).discrepancies).toEqual([]);
      const { rows } = await db.pool.query<{ next: bigint; last: bigint }>(
        `SELECT nextval(pg_get_serial_sequence('ledger_transfers', 'id')) AS next, max(id) AS last FROM ledger_transfers`,
      );
      expect(rows[0]?.next).toBe((rows[0]?.last ?? 0n) + 1n);
      // The ledger's triggers are enabled again.
      await expect(db.pool.query('DELETE FROM ledger_entries')).rejects.toMatchObject({ code: 'TR001' });
    } finally {
      await db.close();
    }
  });
});

test('a backup under load is one snapshot of the ledger, in which every payment is complete', async () => {
  const file = newFile();
  let stop = false;
  const paying = Array.from({ length: 4 }, async () => {
    let paid = 0;
    for (; !stop; paid++) await paidCharge();
    return paid;
  });
  await paidCharge();
  await writeTo(file);
  stop = true;
  expect((await Promise.all(paying)).reduce((sum, paid) => sum + paid, 0)).toBeGreaterThan(0);
  const { ledger } = await checkBackup(trilho.ownerUrl, file, OPENING);
  expect(ledger.discrepancies).toEqual([]);
  expect(ledger.transfers).toBeGreaterThan(2);
  expect(await checkDatabases()).toEqual([]);
});

test('a check leaves no database behind where a session that its role may not end is in it for a moment', async () => {
  const file = newFile();
  await writeTo(file);
  const role = `checker_${process.pid}`;
  const url = new URL(trilho.ownerUrl);
  await trilho.asOwner(
    `CREATE ROLE ${role} LOGIN CREATEDB PASSWORD 'checks'; GRANT CONNECT ON DATABASE ${url.pathname.slice(1)} TO ${role}`,
  );
  const checked = checkBackup(Object.assign(new URL(url), { username: role, password: 'checks' }).href, file, OPENING);
  // A superuser's session, as one of PostgreSQL's autovacuum is.
  const beside = expect
    .poll(checkDatabases, POLLING)
    .toHaveLength(1)
    .then(async () => {
      url.pathname = (await checkDatabases())[0]?.datname ?? '';
      await withClient(url.href, async (client) => {
        const drops =
          "SELECT FROM pg_stat_activity WHERE query LIKE 'DROP DATABASE%' AND state = 'active' AND pid <> pg_backend_pid()";
        await expect.poll(async () => (await client.query(drops)).rowCount, POLLING).toBe(1);
      });
    });
  await Promise.all([checked, beside]);
  expect(await checkDatabases()).toEqual([]);
});

test('a withdrawal that was not sent when the backup was taken is unknown after a restore, so that it is not sent twice', async () => {
  const file = newFile();
  const { rows } = await trilho.deps.db.pool.query<{ row: string }>(
    `SELECT row_to_json(t)::text AS row FROM transactions t WHERE type = 'pix_out' LIMIT 1`,
  );
  const unsent = {
    ...JSON.parse(rows[0]?.row ?? '{}'),
    id: '019aa5e0-0000-7000-8000-000000000001',
    status: 'pending',
    ...{ payout_step: null, payout_sent_at: null, provider_id: null, end_to_end_id: null, paid_at: null },
  };
  await trilho.asOwner(
    `INSERT INTO transactions SELECT * FROM json_populate_record(NULL::transactions, '${JSON.stringify(unsent)}')`,
  );
  try {
    const { at } = await writeTo(file);
    await withEmptyDatabase(async (ownerUrl) => {
      await restoreBackup(ownerUrl, file, OPENING);
      const db = openDatabase(ownerUrl, { max: 1 });
      try {
        const { rows } = await db.pool.query(
          `SELECT payout_step AS step, payout_sent_at AS at FROM transactions WHERE id = '${unsent.id}'`,
        );
        expect(rows).toEqual([{ step: 'unknown', at }]);
      } finally {
        await db.close();
      }
    });
  } finally {
    await trilho.asOwner(`DELETE FROM transactions WHERE id = '${unsent.id}'`);
  }
});

test('a restore that is rejected leaves nothing: another passphrase, a file that was cut, another version, a file of a log archive; an empty database is not backed up', async () => {
  const file = newFile();
  await writeTo(file, BY_PASSPHRASE);
  const cut = newFile();
  writeFileSync(cut, readFileSync(file).subarray(0, -100));
  await withEmptyDatabase(async (ownerUrl) => {
    const empty = withClient(ownerUrl, (client) => writeBackup(client, newFile(), { sealing: BY_PASSPHRASE }));
    await expect(empty).rejects.toThrow('This database has no tables');
    for (const [from, passphrase] of [
      [file, 'quatro palavras bem parecidas'],
      [cut, PASSPHRASE],
    ] as const) {
      await expect(restoreBackup(ownerUrl, from, { passphrase, keys: [] })).rejects.toThrow(BackupError);
    }
    const merchants = await onDatabase(ownerUrl, `SELECT to_regclass('merchants') AS made`);
    if (merchants[0]?.made !== null) expect(await onDatabase(ownerUrl, 'SELECT FROM merchants')).toEqual([]);
    await restoreBackup(ownerUrl, file, BY_PASSPHRASE);
    await expect(restoreBackup(ownerUrl, file, BY_PASSPHRASE)).rejects.toThrow('This database has merchants');
  });
  const copy = newFile();
  const frames = Readable.from([frame(Buffer.from('{"majorVersion":18}')), frame(Buffer.alloc(0))]);
  await writeSealedFile(copy, frames, { sealing: { key: KEY } });
  await expect(checkBackup(trilho.ownerUrl, copy, OPENING)).rejects.toThrow('name the folder');
  await expect(checkBackup(trilho.databaseUrl, copy, OPENING)).rejects.toThrow('may not create');
  await trilho.asOwner(`UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name LIKE '%_ledger'`);
  try {
    const others = newFile();
    await writeTo(others);
    await expect(checkBackup(trilho.ownerUrl, others, OPENING)).rejects.toThrow('made by another version');
  } finally {
    const { rows } = await trilho.deps.db.pool.query<{ name: string }>(
      `SELECT migration_name AS name FROM _prisma_migrations WHERE checksum = 'other'`,
    );
    const text = readFileSync(join(CHECKOUT, 'prisma/migrations', rows[0]?.name ?? '', 'migration.sql'), 'utf8');
    await trilho.asOwner(
      `UPDATE _prisma_migrations SET checksum = encode(sha256(convert_to($text$${text}$text$, 'UTF8')), 'hex')
       WHERE checksum = 'other'`,
    );
  }
});

test('a backup from before the migrations were squashed is restored', async () => {
  const old = newFile();
  const header = {
    at: new Date().toISOString(),
    migrations: [{ name: '20261205090600_payouts_booked_before', checksum: 'x' }],
    tables: 0,
  };
  await writeSealedFile(old, Readable.from([frame(Buffer.from(JSON.stringify(header)))]), { sealing: { key: KEY } });
  await withEmptyDatabase(async (ownerUrl) => {
    const { tables, migrated } = await restoreBackup(ownerUrl, old, OPENING);
    expect(tables).toBe(0);
    expect(migrated[0]).toBe('20261206000023_failing_endpoints');
  });
});

test('a merchant that is made while a restore begins is not lost: the restore is rejected', async () => {
  const file = newFile();
  await writeTo(file);
  await withEmptyDatabase(async (ownerUrl) => {
    await applyMigrations(ownerUrl);
    const [id, name] = ['019aa5e0-0000-7000-8000-000000000002', 'Loja Nova'];
    await withClient(ownerUrl, async (serving) => {
      await serving.query('BEGIN');
      await serving.query(
        `INSERT INTO merchants (id, name, email, document, document_type, created_at)
         VALUES ($1, $2, 'loja@example.com', 'v1.', 'cpf', now())`,
        [id, name],
      );
      const restoring = restoreBackup(ownerUrl, file, OPENING).catch((error: unknown) => error);
      await expect
        .poll(() =>
          onDatabase(
            ownerUrl,
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        )
        .toHaveLength(1);
      await serving.query('COMMIT');
      expect(await restoring).toMatchObject({ message: expect.stringContaining('This database has merchants') });
    });
    expect(await onDatabase(ownerUrl, 'SELECT name FROM merchants')).toEqual([{ name }]);
  });
});

type Answer = { code: number; out: string; err: string };

/** Starts the command line as an operator does. */
function start(variables: Record<string, string>, ...args: string[]): { child: ChildProcess; answer: Promise<Answer> } {
  const { NODE_COMPILE_CACHE } = process.env;
  const env = {
    ...{ NODE_ENV: 'production' as const, NODE_COMPILE_CACHE, TRILHO_HOME: trilho.home, DEMO: 'true' },
    ...variables,
  };
  let resolve: (answer: Answer) => void;
  const answer = new Promise<Answer>((given) => {
    resolve = given;
  });
  const child = execFile(process.execPath, [join(CHECKOUT, 'src/cli/main.ts'), ...args], { env }, (error, out, err) =>
    resolve({ code: error ? Number(error.code) : 0, out, err }),
  );
  return { child, answer };
}

const command = (variables: Record<string, string>, ...args: string[]) => start(variables, ...args).answer;

const variablesHere = () => {
  const { databaseUrl, ownerUrl, masterKeys } = trilho;
  return { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: ownerUrl, MASTER_KEYS: masterKeys };
};
const here = (...args: string[]) => command(variablesHere(), ...args);

const checkDatabases = async () =>
  (
    await trilho.deps.db.pool.query<{ datname: string }>(
      `SELECT datname FROM pg_database WHERE datname LIKE 'trilho_check_%'`,
    )
  ).rows;

/** The option for a file that holds the passphrase. */
function withPassphrase(): [string, string] {
  const passphraseFile = join(folder, 'long-passphrase');
  writeFileSync(passphraseFile, PASSPHRASE);
  return ['--passphrase-file', passphraseFile];
}

const LEFT_NOTHING = { code: 1, err: expect.stringContaining('nothing is left behind') };
/** A process starts within seconds on a machine that is busy; what is waited for passes soon. */
const POLLING = { interval: 5, timeout: 30_000 };

test('a backup that the operator interrupts leaves no file', async () => {
  const file = newFile();
  // Deriving the key takes a while, and the file is there before.
  const { child, answer } = start(variablesHere(), 'backup', file, ...withPassphrase());
  await expect.poll(() => existsSync(`${file}.partial`), POLLING).toBe(true);
  child.kill('SIGINT');
  expect(await answer).toMatchObject(LEFT_NOTHING);
  expect([file, `${file}.partial`].filter(existsSync)).toEqual([]);
});

test('a check of a backup that the operator interrupts leaves no database', async () => {
  const file = newFile();
  await writeTo(file, BY_PASSPHRASE);
  const { child, answer } = start(variablesHere(), 'restore', file, '--check', ...withPassphrase());
  await expect.poll(checkDatabases, POLLING).toHaveLength(1);
  child.kill('SIGTERM');
  expect(await answer).toMatchObject(LEFT_NOTHING);
  expect(await checkDatabases()).toEqual([]);
});

test('the next check of a backup drops the database of one that was killed, and not that of one under way', async () => {
  const file = newFile();
  await writeTo(file, BY_PASSPHRASE);
  const { child, answer } = start(variablesHere(), 'restore', file, '--check', ...withPassphrase());
  await expect.poll(checkDatabases, POLLING).toHaveLength(1);
  child.kill('SIGSTOP');
  const checkNothing = () => checkBackup(trilho.ownerUrl, `${file}.missing`, OPENING).catch(() => {});
  await checkNothing();
  expect(await checkDatabases()).toHaveLength(1);
  child.kill('SIGKILL');
  await answer;
  await expect.poll(async () => [await checkNothing(), await checkDatabases()][1], POLLING).toEqual([]);
});

test('an operator backs up beside the running service, tries the backup, and restores it elsewhere', async () => {
  const file = newFile();
  expect(await here('backup', file)).toMatchObject({
    code: 0,
    out: expect.stringContaining('The master keys are not in it'),
  });
  expect(await here('restore', file, '--check')).toMatchObject({
    code: 0,
    out: expect.stringContaining(': balanced.'),
  });
  expect(await here('restore', file)).toMatchObject({ code: 1, err: expect.stringContaining('has merchants') });
  await withEmptyDatabase(async (ownerUrl) => {
    const variables = { DATABASE_URL: ownerUrl, DATABASE_OWNER_URL: ownerUrl, MASTER_KEYS: trilho.masterKeys };
    const answer = await command(variables, 'restore', file);
    expect(answer).toMatchObject({ code: 0, out: expect.stringContaining('tables as they were at') });
  });
  const nowhere = join(folder, 'nowhere', 'x.backup');
  expect(await here('backup', nowhere)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^\s*trilho: ENOENT.*\s*$/),
  });
  const passphraseFile = join(folder, 'passphrase');
  writeFileSync(passphraseFile, 'curta\n');
  expect(await here('backup', newFile(), '--passphrase-file', passphraseFile)).toMatchObject({
    code: 1,
    err: expect.stringContaining('at least 12 characters'),
  });
});

test('a machine that has the public key alone, and a role that only reads, takes a backup that the master keys open', async () => {
  const file = newFile();
  const home = join(folder, 'another-machine');
  const key = (await here('backup-key')).out.trim();
  const role = `reader_${process.pid}`;
  await trilho.asOwner(`CREATE ROLE ${role} LOGIN PASSWORD 'reads' IN ROLE pg_read_all_data`);
  try {
    const url = new URL(trilho.databaseUrl);
    await trilho.asOwner(`GRANT CONNECT ON DATABASE ${url.pathname.slice(1)} TO ${role}`);
    Object.assign(url, { username: role, password: 'reads' });
    const variables = { TRILHO_HOME: home, DATABASE_URL: url.href };
    expect(await command(variables, 'backup', file, '--public-key', key)).toMatchObject({ code: 0, err: '' });
    expect(existsSync(home)).toBe(false);
  } finally {
    await trilho.asOwner(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
  await expect(checkBackup(trilho.ownerUrl, file, OPENING)).rejects.toThrow('for other master keys');
  const keys = backupKeys(createSecretBox(trilho.masterKeys));
  const opening = { passphrase: null, keys };
  await expect(checkBackup(trilho.ownerUrl, file, opening)).rejects.toThrow('sealed with a public key');
  const { ledger } = await checkBackup(trilho.ownerUrl, file, { ...opening, acceptsPublicKey: true });
  expect(ledger.discrepancies).toEqual([]);
});

const onDatabase = (url: string, sql: string): Promise<Record<string, unknown>[]> =>
  withClient(url, async (client) => (await client.query(sql)).rows);

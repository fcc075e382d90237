import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkBackup } from '#db/backup/check-backup.ts';
import { listScheduledBackups, withBackupLock } from '#db/backup/scheduled-backups.ts';
import { lastBackupTime } from '#domain/backup/backup-times.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import type { Observation } from '../deps.ts';
import { type BackupSchedule, takeDueBackup } from './take-due-backup.ts';

const PASSPHRASE = 'quatro palavras bem diferentes';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** One minute after a backup was due. */
const NIGHT = new Date('2026-11-23T06:01:00.000Z');
const DUE = new Date('2026-11-23T06:00:00.000Z');

let trilho: TestService;
let root: string;
let folder: string;
let folders = 0;
let now = NIGHT;
let logged: { level: string; sentence: string }[];
let observed: Observation[];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'trilho-backups-'));
  trilho = await startTestService();
});
afterAll(async () => {
  await trilho.stop();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = join(root, `${++folders}`);
  mkdirSync(folder);
  now = NIGHT;
  logged = [];
  observed = [];
  await trilho.asOwner('TRUNCATE backups, mails');
});

const note = (level: string) => (_: object, sentence: string) => void logged.push({ level, sentence });
const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };

/** Does what a worker does every minute. */
function look(schedule: Partial<BackupSchedule> = {}, signal = new AbortController().signal): Promise<void> {
  return takeDueBackup(
    { ...trilho.deps, clock: () => now, log, observe: (observation) => void observed.push(observation) },
    { folder, times: [180], keepDays: 3, passphrase: null, notify: undefined, ...schedule },
    signal,
  );
}

const rows = () => listScheduledBackups(trilho.deps.db);
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

test('a backup that is due is taken once, by one of the processes that look at the same time, and can be restored', async () => {
  const sealing = { passphrase: PASSPHRASE };
  await Promise.all([look(sealing), look(sealing), look(sealing)]);
  await look();
  const [file = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(file).toMatch(/^trilho-2026-11-23T0600Z-[0-9a-f]{8}\.backup$/);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(await rows()).toMatchObject([
    { dueAt: DUE, file, attempts: 1, error: null, bytes: BigInt(statSync(join(folder, file)).size) },
  ]);
  const { ledger } = await checkBackup(trilho.ownerUrl, join(folder, file), { ...sealing, keys: [] });
  expect(ledger.discrepancies).toEqual([]);
  expect(observed).toEqual([{ kind: 'backup', outcome: 'done' }]);

  later(DAY_MS);
  await look();
  expect(readdirSync(folder)).toHaveLength(2);
});

test('a backup waits while another process takes one', async () => {
  await withBackupLock(trilho.deps.db, () => look());
  expect(readdirSync(folder)).toEqual([]);
  await look();
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a backup that fails leaves no file, is logged and counted, sends one message, and is tried again in a quarter of an hour', async () => {
  // As a process leaves it that died while it took the backup: nobody has heard of that.
  await trilho.asOwner(
    `INSERT INTO backups (due_at, file, tried_at) VALUES ('${DUE.toISOString()}', 'a.backup', '2026-01-01')`,
  );
  const away = { folder: join(folder, 'not-mounted'), notify: 'operador@loja.example' };
  await look(away);
  await look(away);
  expect(await rows()).toMatchObject([{ attempts: 2, takenAt: null, error: expect.stringContaining('ENOENT') }]);
  expect(observed).toEqual([{ kind: 'backup', outcome: 'failed' }]);
  expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1);
  later(15 * MINUTE_MS);
  await look(away);
  expect(await rows()).toMatchObject([{ attempts: 3 }]);
  const mail = await trilho.until('the message is sent', async () => sent()[0]);
  expect(mail).toContain('operador@loja.example');

  later(15 * MINUTE_MS);
  await look();
  expect(await rows()).toMatchObject([{ attempts: 4, error: null, takenAt: expect.any(Date) }]);
  // A message that was sent is kept for a while.
  expect((await trilho.deps.db.pool.query('SELECT FROM mails')).rowCount).toBe(1);
  expect(sent()).toHaveLength(1);
  expect(readdirSync(folder)).toHaveLength(1);
});

/** The messages that a worker gave to the mailer, which writes them into files here. */
const sent = () => {
  const mail = join(trilho.home, 'mail');
  if (!existsSync(mail)) return [];
  return readdirSync(mail).map((name) => readFileSync(join(mail, name), 'utf8'));
};

test('backups past their retention are removed, but never the newest that is there, nor a file of another installation', async () => {
  const foreign = 'trilho-2020-01-01T0600Z-00000000.backup';
  writeFileSync(join(folder, foreign), 'another installation’s');
  await look();
  later(DAY_MS);
  await look();
  const [, first = '', second = ''] = readdirSync(folder).sort();
  // The backups of a week fail: the last good one stays, however old it is.
  mkdirSync(join(folder, 'blocked.backup.partial'));
  for (let day = 0; day < 7; day++) {
    later(DAY_MS);
    const dueAt = lastBackupTime(now, [180]).toISOString();
    await trilho.asOwner(
      `INSERT INTO backups (due_at, file, tried_at) VALUES ('${dueAt}', 'blocked.backup', '2026-01-01')`,
    );
    await look();
  }
  expect(logged.filter(({ level }) => level === 'error')).toHaveLength(7);
  rmdirSync(join(folder, 'blocked.backup.partial'));
  expect(readdirSync(folder).sort()).toEqual([foreign, second]);
  later(DAY_MS);
  await look();
  later(DAY_MS);
  await look();
  const left = readdirSync(folder);
  expect(left).toHaveLength(3);
  expect(left).toContain(foreign);
  expect(left).not.toContain(first);
  expect(left).not.toContain(second);
  const kept = await rows();
  expect(kept.every(({ dueAt }) => now.getTime() - dueAt.getTime() <= 5 * DAY_MS)).toBe(true);
});

test('a partial file of a process that died is removed, and a whole file is kept and not written again', async () => {
  await trilho.asOwner(
    `INSERT INTO backups (due_at, file, tried_at) VALUES ('${DUE.toISOString()}', 'a.backup', '${DUE.toISOString()}')`,
  );
  writeFileSync(join(folder, 'a.backup.partial'), 'half');
  later(15 * MINUTE_MS);
  await look();
  expect(readdirSync(folder)).toEqual(['a.backup']);
  const { size } = statSync(join(folder, 'a.backup'));
  await trilho.asOwner('UPDATE backups SET taken_at = NULL, bytes = NULL');
  later(15 * MINUTE_MS);
  await look();
  expect(await rows()).toMatchObject([{ file: 'a.backup', attempts: 3, bytes: BigInt(size) }]);
});

test('a stop ends the backup that is being written: it leaves no file, is no failure, and is taken at the next start', async () => {
  const stopping = new AbortController();
  const locker = await trilho.deps.db.pool.connect();
  // The backup waits for a table, half of it written.
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE settings IN ACCESS EXCLUSIVE MODE');
  const looking = look({}, stopping.signal);
  await trilho.until('it waits', async () => {
    const { rowCount } = await trilho.deps.db.pool.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'trilho-backup' AND wait_event_type = 'Lock'`,
    );
    return rowCount === 1 || null;
  });
  stopping.abort();
  await locker.query('ROLLBACK');
  locker.release();
  await looking;
  expect(readdirSync(folder)).toEqual([]);
  expect(await rows()).toEqual([]);
  expect(observed).toEqual([]);
  await look();
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a service with BACKUP_FOLDER takes a backup at its first start, says when in its metrics, and lists it', async () => {
  const passphraseFile = join(root, 'passphrase');
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
  const service = await startTestService({
    variables: { BACKUP_FOLDER: folder, BACKUP_PASSPHRASE_FILE: passphraseFile },
  });
  try {
    const [taken] = await service.until('it is taken', async () => {
      const found = await listScheduledBackups(service.deps.db);
      return found[0]?.takenAt ? found : null;
    });
    const text = await metricsOf(service);
    const seconds = (taken?.takenAt?.getTime() ?? 0) / 1000;
    expect(text).toContain(`trilho_backup_last_success_timestamp_seconds ${seconds}\n`);
    expect(text).toContain('trilho_backups_total{outcome="done"} 1\n');
  } finally {
    await service.stop();
  }
  expect(await metricsOf(trilho)).not.toMatch(/^trilho_backup_last_success_timestamp_seconds/m);
});

const metricsOf = async ({ url }: TestService): Promise<string> => (await fetch(`${url}/metrics`)).text();

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#db/connection/database.ts';
import { migrate } from '#db/connection/migrate.ts';
import { checkLedger, checkLedgerSince, type LedgerReport } from '#db/ledger/check-ledger.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { startService } from '../src/bootstrap/service.ts';
import { createClosing } from '../src/bootstrap/shutdown.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { panelCaller } from '../src/testing/panel-caller.ts';
import { PLAIN_ACCOUNT } from '../src/testing/plain-account.ts';
import { assertBalanced } from './assert-balanced.ts';
import { explainQueries, recordQueries } from './explain-queries.ts';
import { fillAccount } from './fill-account.ts';
import { growthCalls } from './growth-calls.ts';
import { median } from './measure.ts';
import { HOME_PREFIX } from './start-base.ts';
import { type Closing, withClosing } from './with-closing.ts';

/** How long a call may take at the server, however many rows there are. */
export const GROWTH_MS_WANTED = 50;
/** How much longer it may take in the largest account than in the smallest. */
export const GROWTH_RATIO_WANTED = 1.5;
/** Below this a ratio means nothing: the rest of the machine's work takes as long. */
export const GROWTH_MS_FLOOR = 5;
/** By then every prepared statement has the plan that it stays with. */
const WARM_UP_CALLS = 6;
const CALLS = 9;
/** A call that takes longer is counted this often, and warmed up once. */
const SLOW_MS = 400;
const SLOW_CALLS = 3;

/** How long calls take in an account with so many transactions. */
export type Growth = {
  transactions: number;
  /** The machine's load before the calls of this size. */
  loadBefore: number;
  calls: { name: string; ms: number; plans: string[] }[];
  /** How long the ledger check takes: of everything, and of the last day. */
  ledgerCheckMs: number;
  ledgerCheckOfDayMs: number;
  databaseBytes: number;
};

/**
 * Measures the calls of the panel and the API at the server, from the call to its answer, without
 * HTTP, in an account of each of these sizes, each in a database of its own. Ends with the ledger
 * check of each. With `explain` also the plans of a call's statements, as the database ran them.
 */
export async function measureGrowth(
  sizes: readonly number[],
  { explain, only, progress }: { explain: boolean; only: string; progress: (text: string) => void },
): Promise<Growth[]> {
  const growths: Growth[] = [];
  for (const transactions of sizes) {
    growths.push(await withClosing((closing) => measureSize(closing, transactions, { explain, only, progress })));
  }
  return growths;
}

async function measureSize(
  closing: Closing,
  transactions: number,
  { explain, only, progress }: { explain: boolean; only: string; progress: (text: string) => void },
): Promise<Growth> {
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
  // As root the database runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, purpose: 'test' });
  closing.push(() => postgres.stop());
  const first = openDatabase(postgres.url, { max: 1 });
  await migrate(first, postgres.ownerUrl);
  await first.close();

  const ownHome = join(home, 'service');
  mkdirSync(ownHome);
  const stopping = createClosing();
  closing.push(() => stopping.now());
  const variables = { ROLE: 'web', PORT: '0', TRILHO_HOME: ownHome, LOG_LEVEL: 'silent', DEMO: 'true' };
  const env = readEnvironment({ ...variables, DATABASE_URL: postgres.url, MASTER_KEYS: generateMasterKeys() });
  const { deps } = await startService(env, stopping, { pages: 'none' });
  const { accountId } = await openAccount(deps, {
    ...PLAIN_ACCOUNT,
    name: 'Sapataria Passo Certo',
    email: 'bench-growth@example.com',
    limits: [{ name: 'daily_limit_out_pix', centavos: 1_000_000n }],
  });
  const owner = openDatabase(postgres.ownerUrl, { max: 2 });
  closing.push(() => owner.close());
  await fillAccount(owner, deps.secretBox, accountId, transactions, progress);

  const [loadBefore = 0] = loadavg();
  const calls: Growth['calls'] = [];
  const panel = await panelCaller(deps, accountId);
  for (const [name, call] of Object.entries(await growthCalls(deps, panel, accountId))) {
    if (!name.includes(only)) continue;
    progress(`${transactions.toLocaleString('en')} transactions: ${name}`);
    const ms = await time(call);
    const plans = explain ? await explainQueries(deps.db.pool, await recordQueries(deps.db.pool, call)) : [];
    calls.push({ name, ms, plans });
  }
  progress(`${transactions.toLocaleString('en')} transactions: the ledger check`);
  const ledgerCheckMs = await timeCheck(() => checkLedger(owner.pool));
  await owner.pool.query(CHECKED_A_DAY_AGO);
  const ledgerCheckOfDayMs = await timeCheck(() => checkLedgerSince(owner.pool, new Date()));
  const { rows } = await owner.pool.query<{ bytes: bigint }>('SELECT pg_database_size(current_database()) AS bytes');
  return {
    transactions,
    loadBefore,
    calls,
    ledgerCheckMs,
    ledgerCheckOfDayMs,
    databaseBytes: Number(rows[0]?.bytes ?? 0n),
  };
}

/** The checkpoint that a check a day ago would have left. */
const CHECKED_A_DAY_AGO = `INSERT INTO ledger_checkpoints (transfer_id, entry_id, checked_at, sealed_until)
  SELECT t.id, (SELECT max(id) FROM ledger_entries WHERE transfer_id <= t.id), t.created_at, t.created_at
  FROM (SELECT * FROM ledger_transfers WHERE created_at < now() - interval '1 day' ORDER BY id DESC LIMIT 1) AS t`;

async function timeCheck(check: () => Promise<LedgerReport>): Promise<number> {
  const start = performance.now();
  assertBalanced(await check());
  return performance.now() - start;
}

/** The median of some calls, in milliseconds. */
async function time(call: () => Promise<unknown>): Promise<number> {
  const once = async () => {
    const start = performance.now();
    await call();
    return performance.now() - start;
  };
  const first = await once();
  const isSlow = first > SLOW_MS;
  for (let call = 1; call < WARM_UP_CALLS && !isSlow; call++) await once();
  const times: number[] = [];
  while (times.length < (isSlow ? SLOW_CALLS : CALLS)) times.push(await once());
  return median(times);
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#db/connection/database.ts';
import { OVERVIEW_PERIODS } from '#domain/reports/overview-period.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { startService } from '../src/bootstrap/service.ts';
import { createClosing } from '../src/bootstrap/shutdown.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { panelCaller } from '../src/testing/panel-caller.ts';
import { PLAIN_ACCOUNT } from '../src/testing/plain-account.ts';
import { fillAccount } from './fill-account.ts';
import type { Installation } from './installation.ts';

/** How many transactions the account has whose pages are measured at the server. */
export const TRANSACTIONS = 100_000;
/** How long the panel's list and overview may take at the server. */
export const PANEL_MS_WANTED = 100;
/** How many calls of one operation are counted, after those that warm it up. */
const CALLS = 30;
const WARM_UP_CALLS = 5;

type Times = { p50Ms: number; p95Ms: number };
export type PanelTimes = { name: string; service: Times; baseline: Times; wantedMs: number };

/**
 * Measures the panel's procedures in an account with many transactions, from the call to its
 * answer, without HTTP, one after the other, as a person opens pages. The baseline is the least SQL
 * that reads the same rows, on the same pool, in turns with it.
 */
export async function measurePanel({ databaseUrl, ownerUrl, masterKeys, home }: Installation): Promise<PanelTimes[]> {
  const closing = createClosing();
  const ownHome = join(home, 'panel');
  mkdirSync(ownHome);
  const variables = { ROLE: 'web', PORT: '0', TRILHO_HOME: ownHome, LOG_LEVEL: 'silent' };
  const env = readEnvironment({ ...variables, DATABASE_URL: databaseUrl, DEMO: 'true', MASTER_KEYS: masterKeys });
  const { deps } = await startService(env, closing, { pages: 'none' });
  try {
    const { pool } = deps.db;
    const { accountId } = await openAccount(deps, {
      ...PLAIN_ACCOUNT,
      name: 'Empório Cem Mil',
      email: 'bench-panel@example.com',
      limits: [{ name: 'daily_limit_out_pix', centavos: 1_000_000n }],
    });
    const owner = openDatabase(ownerUrl);
    await fillAccount(owner, deps.secretBox, accountId, TRANSACTIONS);
    await owner.close();
    const panel = await panelCaller(deps, accountId);
    const newest = () =>
      pool.query('SELECT * FROM transactions WHERE account_id = $1 ORDER BY id DESC LIMIT 21', [accountId]);
    const sums = async (since: string) =>
      pool.query(
        `SELECT type, status, count(*), sum(amount_centavos) FROM transactions
         WHERE account_id = $1 AND updated_at >= $2 GROUP BY type, status`,
        [accountId, since],
      );
    const results = [
      await compare('transactions.list', () => panel.transactions.list({}), newest),
      await compare('transactions.list, paid', () => panel.transactions.list({ status: 'paid' }), newest),
    ];
    for (const period of OVERVIEW_PERIODS) {
      const { before } = (await panel.overview.get({ period })).period;
      results.push(
        await compare(
          `overview.get, ${period}`,
          () => panel.overview.get({ period }),
          () => sums(before.starts_at),
        ),
      );
    }
    return results;
  } finally {
    await closing.now();
  }
}

async function compare(
  name: string,
  service: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
): Promise<PanelTimes> {
  const times = { service: [] as number[], baseline: [] as number[] };
  for (let call = -WARM_UP_CALLS; call < CALLS; call++) {
    for (const [side, work] of [
      ['service', service],
      ['baseline', baseline],
    ] as const) {
      const start = performance.now();
      await work();
      if (call >= 0) times[side].push(performance.now() - start);
    }
  }
  return { name, service: spread(times.service), baseline: spread(times.baseline), wantedMs: PANEL_MS_WANTED };
}

function spread(times: number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

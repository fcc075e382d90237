import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '#db/connection/with-client.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { readMasterKeys } from '../src/config/master-keys.ts';
import { readPidFile } from '../src/config/pid-file.ts';
import { sandboxControlToken } from '../src/config/sandbox-account.ts';
import type { ChainOrder, ChainResult } from './chain-load.ts';
import { type CpuSeconds, cpuSeconds, type Part } from './process-times.ts';
import { startChild, startService } from './processes.ts';
import { type Closing, withClosing } from './with-closing.ts';

/** As many as a busy merchant's systems send side by side. */
const CLIENTS = 32;
/** A pace at which the machine has time left: what a payment takes, and not what a queue takes. */
const PACE_PER_SECOND = 60;
const WARM_UP_SECONDS = 5;

/** Long enough for a queue that grows to be seen growing. */
const SECONDS = 60;

/** What is wanted on two cores: webhooks a second at full speed, and milliseconds at the pace. */
export const CHAIN_WANTED = { perSecond: 400, webhookP50Ms: 25, webhookP99Ms: 100 };

/** What one paid charge takes of the machine, its webhook included. */
export type ChargeCost = {
  /** Of each part's processor time, in milliseconds. */
  cpuMs: CpuSeconds;
  /** What PostgreSQL writes into its log, and by how much its files grow. */
  walBytes: number;
  diskBytes: number;
};

export type ChainRates = {
  paced: ChainResult;
  full: ChainResult;
  /** At full speed; null: not known here. */
  cost: ChargeCost | null;
};

const CHECKOUT = join(import.meta.dirname, '..');

/**
 * The service as `npm start` starts it, from a charge to its webhook: at a pace, and as fast as the
 * clients go.
 */
export const measureChain = (onProgress: (text: string) => void): Promise<ChainRates> =>
  withClosing(async (closing) => {
    const load = startChild('chain-load.ts', { log: '/dev/null' });
    closing.push(load.stop);
    const webhookUrl = await load.ask<string>({ open: true });
    const { pid, ownerUrl, ...installation } = await start(webhookUrl, closing);
    const run = (order: Pick<ChainOrder, 'perSecond' | 'seconds'>) =>
      load.ask<ChainResult>({ ...installation, clients: CLIENTS, ...order } satisfies ChainOrder);
    onProgress('Warming up');
    await run({ perSecond: null, seconds: WARM_UP_SECONDS });
    onProgress(`Measuring: ${PACE_PER_SECOND} charges a second, ${SECONDS} s`);
    const paced = await run({ perSecond: PACE_PER_SECOND, seconds: SECONDS });
    onProgress(`Measuring: ${CLIENTS} clients, ${SECONDS} s`);
    const measure = async () => ({ cpu: cpuSeconds(pid), ...(await measureFiles(ownerUrl)) });
    const before = await measure();
    const full = await run({ perSecond: null, seconds: SECONDS });
    return { paced, full, cost: costOf(before, await measure(), full.paid * SECONDS) };
  });

async function start(webhookUrl: string, closing: Closing) {
  const home = mkdtempSync(join(tmpdir(), 'trilho-test-bench-'));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
  // As root the database runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const service = await startService({
    home,
    log: join(home, 'service.log'),
    // The load comes from one key.
    env: { LOG_LEVEL: 'info', RATE_LIMIT_PER_KEY: '10000000' },
  });
  closing.push(service.stop);
  const account = await promisify(execFile)(
    process.execPath,
    [
      ...['src/cli/main.ts', 'account', 'create', '--name', 'Padaria São José', '--email', 'chain@example.com'],
      ...['--document', '12345678909', '--kyc', 'approved', '--mode', 'test', '--webhook-url', webhookUrl, '--json'],
    ],
    { cwd: CHECKOUT, env: { ...process.env, TRILHO_HOME: home } },
  );
  const { api_key: apiKey } = JSON.parse(account.stdout) as { api_key: string };
  const server = await startEmbeddedPostgres({ home, purpose: 'command' });
  closing.push(() => server.stop());
  const secretBox = createSecretBox(readMasterKeys({ masterKeys: undefined, home }));
  const running = readPidFile(home);
  const sandboxUrl = running?.sandboxUrl;
  if (!running || !sandboxUrl) throw new Error('The service has no sandbox.');
  return {
    url: service.url,
    sandboxUrl,
    controlToken: sandboxControlToken(secretBox),
    apiKey,
    pid: running.pid,
    ownerUrl: server.ownerUrl,
  };
}

type Measured = { cpu: CpuSeconds | null; walBytes: number; diskBytes: number };

const measureFiles = (ownerUrl: string) =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ wal: string; disk: string }>(
      "SELECT pg_current_wal_lsn() - '0/0' AS wal, pg_database_size(current_database()) AS disk",
    );
    return { walBytes: Number(rows[0]?.wal), diskBytes: Number(rows[0]?.disk) };
  });

function costOf(before: Measured, after: Measured, charges: number): ChargeCost | null {
  if (!before.cpu || !after.cpu) return null;
  const { cpu: from } = before;
  const { cpu: to } = after;
  const ms = (part: Part) => ((to[part] - from[part]) * 1_000) / charges;
  return {
    cpuMs: { web: ms('web'), worker: ms('worker'), sandbox: ms('sandbox'), postgres: ms('postgres') },
    walBytes: (after.walBytes - before.walBytes) / charges,
    diskBytes: (after.diskBytes - before.diskBytes) / charges,
  };
}

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#db/connection/database.ts';
import { withClient } from '#db/connection/with-client.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';
import { startEmbeddedPostgres } from '#postgres/embedded-postgres.ts';
import { openAccount } from '#services/accounts/open-account.ts';
import { readMasterKeys } from '../src/config/master-keys.ts';
import { readPidFile } from '../src/config/pid-file.ts';
import { sandboxControlToken } from '../src/config/sandbox-account.ts';
import type { ChainOrder, ChainResult } from './chain-load.ts';
import { HOME_PREFIX } from './installation.ts';
import { type CpuSeconds, cpuSeconds, type Part } from './process-times.ts';
import { startChild, startService } from './processes.ts';
import { type Closing, withClosing } from './with-closing.ts';

/** As many as a busy merchant's systems send side by side. */
const CLIENTS = 32;
/** A pace at which the machine has time left: what a payment takes, and not what a queue takes. */
const PACE_PER_SECOND = 60;
const WARM_UP_SECONDS = 5;

/** Behind one origin, as the customers of one shop system are. */
const MERCHANTS = 100;
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

/** Of those that answer, while one hangs. */
export const DELIVERIES_WANTED = { p99Ms: 1_000 };
export type DeliveryRates = { answering: ChainResult; oneHangs: ChainResult };

export type ChainRates = {
  paced: ChainResult;
  full: ChainResult;
  /** At full speed; null: not known here. */
  cost: ChargeCost | null;
};

/**
 * The service as `npm start` starts it, from a charge to its webhook: at a pace, and as fast as the
 * clients go.
 */
export const measureChain = (onProgress: (text: string) => void): Promise<ChainRates> =>
  withChain(1, onProgress, async ({ pid, ownerUrl, run }) => {
    onProgress(`Measuring: ${PACE_PER_SECOND} charges a second, ${SECONDS} s`);
    const paced = await run({ perSecond: PACE_PER_SECOND, seconds: SECONDS });
    onProgress(`Measuring: ${CLIENTS} clients, ${SECONDS} s`);
    const measure = async () => ({ cpu: cpuSeconds(pid), ...(await measureFiles(ownerUrl)) });
    const before = await measure();
    const full = await run({ perSecond: null, seconds: SECONDS });
    return { paced, full, cost: costOf(before, await measure(), full.paid * SECONDS) };
  });

/** A hundred merchants behind one origin, while all of them answer and while one hangs. */
export const measureDeliveries = (onProgress: (text: string) => void): Promise<DeliveryRates> =>
  withChain(MERCHANTS, onProgress, async ({ run }) => {
    const order = { perSecond: PACE_PER_SECOND, seconds: SECONDS };
    onProgress(`Measuring: ${MERCHANTS} merchants, ${SECONDS} s`);
    const answering = await run(order);
    onProgress(`Measuring: ${MERCHANTS} merchants, one of which hangs, ${SECONDS} s`);
    const oneHangs = await run({ ...order, firstHangs: true });
    return { answering, oneHangs };
  });

type Chain = {
  /** Of the web process. */
  pid: number;
  ownerUrl: string;
  run(order: Pick<ChainOrder, 'perSecond' | 'seconds'> & Partial<Pick<ChainOrder, 'firstHangs'>>): Promise<ChainResult>;
};

const withChain = <T>(merchants: number, onProgress: (text: string) => void, work: (chain: Chain) => Promise<T>) =>
  withClosing(async (closing) => {
    const load = startChild('chain-load.ts', { log: '/dev/null' });
    closing.push(load.stop);
    const receiverUrl = await load.ask<string>({ open: true });
    const { pid, ownerUrl, ...installation } = await start(receiverUrl, merchants, closing);
    const run: Chain['run'] = (order) =>
      load.ask<ChainResult>({ ...installation, clients: CLIENTS, firstHangs: false, ...order } satisfies ChainOrder);
    onProgress('Warming up');
    await run({ perSecond: null, seconds: WARM_UP_SECONDS });
    return work({ pid, ownerUrl, run });
  });

async function start(receiverUrl: string, merchants: number, closing: Closing) {
  const home = mkdtempSync(join(tmpdir(), HOME_PREFIX));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
  // As root the database runs as another user, who has to reach the folder.
  chmodSync(home, 0o755);
  const service = await startService({
    home,
    log: join(home, 'service.log'),
    // The load comes from few keys.
    env: { LOG_LEVEL: 'info', RATE_LIMIT_PER_KEY: '10000000' },
  });
  closing.push(service.stop);
  const server = await startEmbeddedPostgres({ home, purpose: 'command' });
  closing.push(() => server.stop());
  const secretBox = createSecretBox(readMasterKeys({ masterKeys: undefined, home }));
  const apiKeys = await openAccounts(server.url, secretBox, receiverUrl, merchants);
  const running = readPidFile(home);
  if (!running?.sandboxUrl) throw new Error('The service has no sandbox.');
  const { pid, sandboxUrl } = running;
  const { ownerUrl } = server;
  return { url: service.url, sandboxUrl, controlToken: sandboxControlToken(secretBox), apiKeys, pid, ownerUrl };
}

/** Each with its own path for webhooks; their API keys. */
async function openAccounts(url: string, secretBox: SecretBox, receiverUrl: string, merchants: number) {
  const db = openDatabase(url, { max: 1 });
  try {
    const apiKeys: string[] = [];
    for (let number = 0; number < merchants; number++) {
      const { apiKey } = await openAccount(
        { db, secretBox, settings: { demo: true }, clock: () => new Date() },
        {
          name: `Padaria ${number}`,
          email: `chain-${number}@example.com`,
          document: '12345678909',
          documentType: 'cpf',
          kycStatus: 'approved',
          mode: 'test',
          currency: null,
          fees: [],
          limits: [],
          canCreateAccounts: false,
          webhookUrl: `${receiverUrl}/${number}`,
        },
      );
      apiKeys.push(apiKey);
    }
    return apiKeys;
  } finally {
    await db.close();
  }
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

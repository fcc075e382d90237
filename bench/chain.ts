import { SANDBOX_APPLICATION } from '#db/connection/sandbox-pool.ts';
import { withClient } from '#db/connection/with-client.ts';
import { CLIENTS, withChain } from './chain-installation.ts';
import type { ChainResult } from './chain-load.ts';
import { type CpuSeconds, cpuSeconds, type Part, processSeconds } from './process-times.ts';

/** A pace that leaves the machine time: it measures a payment, and not a queue. */
export const PACE_PER_SECOND = 60;
/** Their receivers are behind one origin, as those of a shop system's customers are. */
const MERCHANTS = 100;
/** Long enough to see that a queue grows. */
const SECONDS = 60;

/** What two cores should reach: webhooks a second at full speed, and milliseconds at the pace. */
export const CHAIN_WANTED = { perSecond: 400, webhookP50Ms: 25, webhookP99Ms: 100 };

/** What a paid charge costs the machine, its webhook included. */
export type ChargeCost = {
  /** Processor time of each part, in milliseconds; the sandbox's includes its statements. */
  cpuMs: CpuSeconds;
  /** The bytes that PostgreSQL writes to its log, and by which its files grow. */
  walBytes: number;
  diskBytes: number;
};

/** For the merchants that answer, while one hangs. */
export const DELIVERIES_WANTED = { p99Ms: 1_000 };
export type DeliveryRates = { answering: ChainResult; oneHangs: ChainResult };

export type ChainRates = {
  paced: ChainResult;
  full: ChainResult;
  /** At full speed; null: this machine has no /proc. */
  cost: ChargeCost | null;
};

/**
 * Measures the service as `npm start` starts it, from a charge to its webhook: at a pace, and as
 * fast as the clients go.
 */
export const measureChain = (onProgress: (text: string) => void): Promise<ChainRates> =>
  withChain(1, onProgress, async ({ pid, ownerUrl, run }) => {
    onProgress(`Measuring: ${PACE_PER_SECOND} charges a second, ${SECONDS} s`);
    const paced = await run({ perSecond: PACE_PER_SECOND, seconds: SECONDS });
    onProgress(`Measuring: ${CLIENTS} clients, ${SECONDS} s`);
    const measure = async () => ({ cpu: await cpuOf(pid, ownerUrl), ...(await measureFiles(ownerUrl)) });
    const before = await measure();
    const full = await run({ perSecond: null, seconds: SECONDS });
    return { paced, full, cost: costOf(before, await measure(), full.paid * SECONDS) };
  });

/**
 * Measures webhooks of a hundred merchants behind one origin, while all of them answer and while
 * one hangs.
 */
export const measureDeliveries = (onProgress: (text: string) => void): Promise<DeliveryRates> =>
  withChain(MERCHANTS, onProgress, async ({ run }) => {
    const order = { perSecond: PACE_PER_SECOND, seconds: SECONDS };
    onProgress(`Measuring: ${MERCHANTS} merchants, ${SECONDS} s`);
    const answering = await run(order);
    onProgress(`Measuring: ${MERCHANTS} merchants, one of which hangs, ${SECONDS} s`);
    const oneHangs = await run({ ...order, firstHangs: true });
    return { answering, oneHangs };
  });

type Measured = { cpu: CpuSeconds | null; walBytes: number; diskBytes: number };

/** The processor time by part, null without /proc. */
async function cpuOf(pid: number, ownerUrl: string): Promise<CpuSeconds | null> {
  const backends = await withClient(ownerUrl, (client) =>
    client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [
      SANDBOX_APPLICATION,
    ]),
  );
  const cpu = cpuSeconds(pid);
  if (!cpu) return null;
  const ofSandbox = backends.rows.reduce((sum, backend) => sum + (processSeconds(backend.pid) ?? 0), 0);
  return { ...cpu, sandbox: cpu.sandbox + ofSandbox, postgres: cpu.postgres - ofSandbox };
}

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

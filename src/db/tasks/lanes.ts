import { type Database, openDatabase } from '../connection/database.ts';

/** A process needs one connection for each kind of work, the sandbox's included. */
export const CONNECTIONS_MIN = 5;

/**
 * Connections by the kind of work, so that one kind that is stuck holds up no other:
 *
 * - `writes`: what accounts change. Bounded for each account: a row that is locked stops one
 *   account's requests, not the lane.
 * - `reads`: what accounts ask for, the keys and sessions that are known included. Bounded in the
 *   same way.
 * - `visitors`: payment pages, sign-in, callbacks: every query that a client without a key or a
 *   session can cause, but for the lookup of the key that it sends, which is a read.
 * - `background`: the worker, housekeeping, recorders, metrics; a process that only works has
 *   nothing else.
 */
export type Lanes = Record<'writes' | 'reads' | 'visitors' | 'background', Database>;

/**
 * Divides `total` connections among the lanes of a process, by the roles that it has. The sandbox
 * plays another company's server, so it has a pool of its own. Where no worker is, few connections
 * are enough for the background.
 */
export function shareConnections(total: number, runs: { web: boolean; worker: boolean; sandbox: boolean }) {
  const eighth = Math.max(1, Math.floor(total / 8));
  const quarter = Math.max(1, Math.floor(total / 4));
  if (!runs.web && !runs.worker) return { writes: 0, reads: 0, visitors: 0, sandbox: total - 1, background: 1 };
  const sandbox = runs.sandbox ? eighth : 0;
  if (!runs.web) return { writes: 0, reads: 0, visitors: 0, sandbox, background: total - sandbox };
  const background = runs.worker ? quarter : eighth;
  const writes = total - sandbox - eighth - quarter - background;
  return { writes, reads: quarter, visitors: eighth, sandbox, background };
}

/**
 * The number of connections of a process that serves one role beneath another process, which has
 * `total`: at least two, the sandbox's and the background's.
 */
export const connectionsBeneath = (total: number): number => Math.max(2, Math.floor(total / 4));

/**
 * Half of a lane's connections, so that two accounts that are stuck together still leave others
 * theirs in turn.
 */
const accountPart = (connections: number) => Math.max(1, Math.floor(connections / 2));

/**
 * Opens the pools of a process. One that serves no requests has a single pool for all lanes. The
 * sandbox opens its own. `applicationName`: by which PostgreSQL distinguishes their connections.
 */
export function openLanes(
  { url, directUrl, applicationName }: { url: string; directUrl: string; applicationName: string },
  shares: ReturnType<typeof shareConnections>,
  onError: (error: Error) => void,
): Lanes & Pick<Database, 'renewConnections' | 'close'> {
  const open = (max: number, perAccount?: number) =>
    openDatabase(url, { directUrl, applicationName, max, onError, ...(perAccount && { perAccount }) });
  const background = open(shares.background);
  if (shares.writes === 0) {
    const { renewConnections, close } = background;
    return { writes: background, reads: background, visitors: background, background, renewConnections, close };
  }
  const lanes = {
    writes: open(shares.writes, accountPart(shares.writes)),
    reads: open(shares.reads, accountPart(shares.reads)),
    visitors: open(shares.visitors),
    background,
  };
  return {
    ...lanes,
    renewConnections() {
      for (const lane of Object.values(lanes)) lane.renewConnections();
    },
    async close() {
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
    },
  };
}

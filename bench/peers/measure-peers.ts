import { openDatabase } from '#db/connection/database.ts';
import { withClient } from '#db/connection/with-client.ts';
import { checkLedger } from '#db/ledger/check-ledger.ts';
import { assertBalanced } from '../assert-balanced.ts';
import { load, median, medians, ROUND_SECONDS, type Side, WARM_UP_SECONDS } from '../measure.ts';
import { type Base, startBase } from '../start-base.ts';
import { takeTurns } from '../take-turns.ts';
import { type Closing, withClosing } from '../with-closing.ts';
import { BLNK } from './blnk.ts';
import { buildPeer, PeerNotBuilt } from './build-peer.ts';
import { FORMANCE } from './formance.ts';
import { LOADS, type LoadName, type MeasuredLedger, type Peer } from './peer.ts';
import { startWithdrawals } from './start-withdrawals.ts';

const PEERS = [BLNK, FORMANCE] as const;

/** The service over a peer: ahead of it. */
export const PEER_RATIO_WANTED = 1;
/** Peers differ by little: more rounds than elsewhere, and as many withdrawals as a day has. */
export const PEER_ROUNDS = 9;

/** How many rounds at either end are compared. */
export const END_ROUNDS = 3;

/** A load on the service and on each peer that was built. */
export type PeerRate = {
  name: LoadName;
  service: Side;
  /** The service's rate in the last rounds over that in the first: whether it falls with time. */
  lastOverFirst: number;
  /** `ratio`: median of the rounds' ratios, requests a second of the service over the peer's. */
  peers: readonly { name: string; side: Side; ratio: number }[];
};

export type PeerRates = {
  rates: readonly PeerRate[];
  /** What the peers were built from. */
  built: readonly { name: string; version: string }[];
  /** Why a peer was not built. */
  leftOut: readonly { name: string; reason: string }[];
};

/**
 * Measures PIX withdrawals over REST beside the transfers of other ledgers on the same PostgreSQL,
 * in turns. `checkouts`: folders to build peers from, by their names. Ends with the ledger check.
 * Throws when no peer can be built.
 */
export const measurePeers = (
  checkouts: Readonly<Record<string, string | undefined>>,
  progress: (text: string) => void,
): Promise<PeerRates> =>
  withClosing(async (closing) => {
    progress('Starting PostgreSQL, sandbox and service');
    const base = await startBase(closing);
    const { ownerUrl } = base.postgres;
    const built: { name: string; version: string; ledger: MeasuredLedger }[] = [];
    const leftOut: { name: string; reason: string }[] = [];
    for (const peer of PEERS) {
      progress(`Building: ${peer.name}`);
      try {
        built.push({ name: peer.name, ...(await startPeer(peer, base, checkouts[peer.name], closing)) });
      } catch (error) {
        if (!(error instanceof PeerNotBuilt)) throw error;
        leftOut.push({ name: peer.name, reason: error.message });
      }
    }
    if (built.length === 0) throw new Error(leftOut.map(({ name, reason }) => `${name}: ${reason}`).join('\n'));

    const own = await startWithdrawals(base);
    const ledgers = new Map([['service', own], ...built.map(({ name, ledger }) => [name, ledger] as const)]);
    const installation = { load: base.startLoad(), ownerUrl };
    const rates: PeerRate[] = [];
    for (const name of Object.keys(LOADS) as LoadName[]) {
      progress(`Measuring: ${name}`);
      const run = (side: string, seconds: number) => {
        const ledger = ledgers.get(side) as MeasuredLedger;
        return load(installation, [ledger.target], ledger.loads[name], seconds);
      };
      const sides = [...ledgers.keys()];
      for (const side of sides) await run(side, WARM_UP_SECONDS);
      rates.push(comparePeers(name, await takeTurns(sides, PEER_ROUNDS, (side) => run(side, ROUND_SECONDS))));
    }
    const owner = openDatabase(ownerUrl, { max: 1 });
    closing.push(() => owner.close());
    assertBalanced(await checkLedger(owner.pool));
    return { rates, built: built.map(({ name, version }) => ({ name, version })), leftOut };
  });

/** Compares the rounds of the side `service` with those of the others. */
export function comparePeers(name: LoadName, rounds: readonly Record<string, Side>[]): PeerRate {
  const of = (side: string) => rounds.flatMap((round) => round[side] ?? []);
  const own = of('service');
  const peers = Object.keys(rounds[0] ?? {}).filter((side) => side !== 'service');
  return {
    name,
    service: medians(own),
    lastOverFirst: rateOf(own.slice(-END_ROUNDS)) / rateOf(own.slice(0, END_ROUNDS)),
    peers: peers.map((peer) => ({
      name: peer,
      side: medians(of(peer)),
      ratio: median(of(peer).map((side, at) => (own[at]?.requestsPerSecond ?? Number.NaN) / side.requestsPerSecond)),
    })),
  };
}

const rateOf = (sides: readonly Side[]): number => median(sides.map((side) => side.requestsPerSecond));

/** Builds and starts a peer, with a database of its own on the service's server. */
async function startPeer(peer: Peer, base: Base, checkout: string | undefined, closing: Closing) {
  const { home, postgres, log } = base;
  const { program, version } = await buildPeer(peer, home, checkout);
  const database = `peer_${peer.name}`;
  await withClient(postgres.ownerUrl, (owner) => owner.query(`CREATE DATABASE ${database}`));
  const databaseUrl = new URL(postgres.ownerUrl);
  databaseUrl.pathname = database;
  // Drivers of Go ask for TLS where nothing is said.
  databaseUrl.searchParams.set('sslmode', 'disable');
  const context = { program, home, databaseUrl: databaseUrl.href, log: log(peer.name), closing };
  return { version, ledger: await peer.start(context) };
}

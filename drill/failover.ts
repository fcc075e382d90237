import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { missingForCluster } from './postgres-cluster.ts';

const CLIENTS = 6;
const KILLS = { short: 1, long: 20 };
/** The load runs for a random time up to this before the next kill. */
const PAUSE_MAX_MS = 2_000;
/**
 * From the election until a payment is credited: by then the service and the load balancers have
 * found the new primary.
 */
const AFTER_ELECTION_MAX_MS = 10_000;

/**
 * The primary of three nodes is killed, with what watches over it, and comes back as a standby of
 * the one that replaced it. No process of the service is started again: one that ended would stay
 * away, and the drill would fail. `pooled`: PgBouncer in transaction mode is in front.
 */
const failoverDrill = (name: string, pooled: boolean): Drill => ({
  name,
  installation: { cluster: { pooled } },
  missing: () => missingForCluster({ pooled }),
  async run(scene) {
    const { installation, load, random } = scene;
    const { cluster } = installation;
    if (!cluster) throw new Error('The drill needs a cluster.');
    load.start(CLIENTS);
    const count = scene.times(KILLS.short, KILLS.long);
    const electionsMs: number[] = [];
    for (let number = 0; number < count && (number === 0 || scene.hasTime()); number++) {
      await cluster.untilWhole();
      await sleep(random() * PAUSE_MAX_MS);
      const at = performance.now();
      let electionMs = 0;
      await scene.inject('primary killed', async () => {
        const killed = await cluster.killPrimary();
        const next = await cluster.untilReplaced(killed);
        electionMs = performance.now() - at;
        scene.note(`${killed} is replaced by ${next} after ${(electionMs / 1000).toFixed(1)} s`);
        cluster.startAgain(killed);
      });
      electionsMs.push(electionMs);
      const afterMs = performance.now() - at - electionMs;
      if (afterMs > AFTER_ELECTION_MAX_MS) scene.fail(`a payment was credited ${afterMs / 1000} s after the election`);
    }
    const sorted = electionsMs.toSorted((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1));
    scene.note(`elections: p50 ${sorted[Math.floor(sorted.length / 2)]} s, max ${sorted.at(-1)} s`);
    await cluster.untilWhole();
  },
});

export const failover = failoverDrill('failover', false);
export const pooledFailover = failoverDrill('failover behind PgBouncer', true);

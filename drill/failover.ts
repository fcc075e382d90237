import { setTimeout as sleep } from 'node:timers/promises';
import { LEASE_MS } from '#db/tasks/tasks.ts';
import { percentiles } from '../bench/percentiles.ts';
import type { Drill } from './drill.ts';
import { missingForCluster } from './postgres-cluster.ts';
import { seconds } from './report.ts';

const CLIENTS = 6;
const KILLS = { short: 1, long: 20 };
/** How often a primary hangs, is replaced, and then continues as if it were still the primary. */
const FREEZES = { short: 1, long: 5 };
/** The load runs for a random time up to this before the next kill. */
const PAUSE_MAX_MS = 2_000;
/**
 * The longest time from the first commit that a standby confirms until a payment is credited: by
 * then the service, and what balances its connections, have found the new primary. It is as long as
 * the tasks that were begun before stay claimed; a machine that does nothing else needs about two
 * seconds.
 */
const AFTER_WRITABLE_MAX_MS = LEASE_MS;

/**
 * The primary of three nodes and its Patroni are killed or hang, and come back as a standby of the
 * one that replaced it. No process of the service is started again: if one ended, it would stay
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
    const kills = scene.times(KILLS.short, KILLS.long);
    const count = kills + scene.times(FREEZES.short, FREEZES.long);
    const elections: { electedMs: number; writableMs: number }[] = [];
    for (let number = 0; number < count && (number === 0 || scene.hasTime()); number++) {
      await cluster.untilWhole();
      await sleep(random() * PAUSE_MAX_MS);
      const at = performance.now();
      let electedMs = 0;
      let writableMs = 0;
      const [name, strike] =
        number < kills
          ? (['primary killed', cluster.killPrimary] as const)
          : (['primary frozen, and awake after the election', cluster.freezePrimary] as const);
      await scene.inject(name, async () => {
        const away = await strike();
        const next = await cluster.untilReplaced(away);
        electedMs = performance.now() - at;
        await cluster.untilWritable();
        writableMs = performance.now() - at;
        scene.note(
          `${away}: ${next} is elected after ${seconds(electedMs)}, a standby follows it after ${seconds(writableMs)}`,
        );
        cluster.startAgain(away);
      });
      elections.push({ electedMs, writableMs });
      const afterMs = performance.now() - at - writableMs;
      if (afterMs > AFTER_WRITABLE_MAX_MS) {
        scene.fail(`a payment was credited ${seconds(afterMs)} after the database took writes again`);
      }
    }
    scene.note(`elected: ${spread(elections.map(({ electedMs }) => electedMs))}`);
    scene.note(`a standby follows: ${spread(elections.map(({ writableMs }) => writableMs))}`);
    await cluster.untilWhole();
  },
});

function spread(ms: readonly number[]): string {
  const at = percentiles(ms);
  return `p50 ${seconds(at(0.5))}, max ${seconds(at(1))}`;
}

export const failover = failoverDrill('failover', false);
export const pooledFailover = failoverDrill('failover behind PgBouncer', true);

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Drill, Scene } from './drill.ts';

const CLIENTS = 6;
const LASTS_MS = { short: 3_000, long: 15_000 };
/** How long a forgotten session holds its locks, as people leave them. */
const LOCK_MS = { short: 3_000, long: 30_000 };
/** Less than the minute after which the supervision of the server gives up. */
const DISK_FULL_MS = { short: 10_000, long: 30_000 };
/** In each direction: a query and its answer take twice as long. */
const SLOW_MS = [250, 2_500];
const CUTS = 5;

/**
 * PostgreSQL runs and is of little use: slow, cut off, without a free connection, locked, or
 * without room on its disk.
 */
export const postgresTroubles: Drill = {
  name: 'PostgreSQL in trouble',
  installation: { proxied: true, diskMegabytes: 400 },
  async run(scene) {
    const { installation, load, random } = scene;
    const { databaseProxy: proxy, postgres } = installation;
    if (!proxy) throw new Error('The drill needs a proxy in front of the database.');
    const lastsMs = scene.times(LASTS_MS.short, LASTS_MS.long);
    load.start(CLIENTS);
    for (const delayMs of SLOW_MS) {
      await scene.injectLasting(`PostgreSQL answers ${2 * delayMs} ms late`, lastsMs, async () => {
        proxy.setDelayMs(delayMs);
        return () => proxy.setDelayMs(0);
      });
    }
    for (let cut = 0; cut < scene.times(CUTS, 10 * CUTS); cut++) {
      await sleep(random() * 500);
      await scene.inject('every connection is cut', async () => proxy.cutAll());
    }
    await scene.injectLasting('no connection is free', lastsMs, async () => {
      const taken = await takeConnections(postgres.ownerUrl);
      // Open connections would continue to work: the service has to open new ones.
      proxy.cutAll();
      taken.push(...(await takeConnections(postgres.ownerUrl)));
      return async () => void (await Promise.all(taken.map((client) => client.end())));
    });
    await scene.injectLasting('a lock on every transaction is held', scene.times(LOCK_MS.short, LOCK_MS.long), () =>
      lock(postgres.ownerUrl, 'LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE'),
    );
    await scene.injectLasting('the rows of an account are locked', scene.times(LOCK_MS.short, LOCK_MS.long), () =>
      lock(
        postgres.ownerUrl,
        `SELECT FROM ledger_accounts WHERE account_id = '${installation.accounts[0]?.id}' FOR UPDATE`,
      ),
    );
    await fillDisk(scene);
  },
};

/** Opens connections until the server has none left, those for its superuser included. */
async function takeConnections(url: string): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      taken.push(client);
    } catch {
      return taken;
    }
  }
}

/** Begins a transaction with a statement that locks, and returns what ends it. */
export async function lock(url: string, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement);
  return () => client.end();
}

async function fillDisk(scene: Scene): Promise<void> {
  const { disk } = scene.installation.postgres;
  if (!disk) return scene.leaveOut('a full disk', 'a file system can’t be mounted here');
  await scene.injectLasting('the disk is full', scene.times(DISK_FULL_MS.short, DISK_FULL_MS.long), async () => {
    disk.fill();
    await useUpLog(scene.installation.postgres.ownerUrl);
    return () => disk.free();
  });
}

/** More segments of the log than PostgreSQL keeps in reserve (max_wal_size allows 16). */
const SEGMENTS_MAX = 64;

/**
 * Writes until PostgreSQL finds its disk full: it could continue for a while with the segments of
 * its log that exist already.
 */
async function useUpLog(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    for (let segment = 0; segment < SEGMENTS_MAX; segment++)
      await client.query("SELECT pg_logical_emit_message(true, 'drill', 'x'), pg_switch_wal()");
  } catch {
    return;
  } finally {
    await client.end().catch(() => {});
  }
  throw new Error('PostgreSQL never found its disk full.');
}

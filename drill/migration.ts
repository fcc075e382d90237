import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { applyMigrations } from '#db/connection/migrate.ts';
import { SERVICE_ROLE } from '#postgres/embedded-postgres-roles.ts';
import type { Drill } from './drill.ts';
import { failureOf } from './rolling-restart.ts';

const CLIENTS = 6;
const ROUNDS = { short: 2, long: 20 };
/** How long a report reads the table that is changed. */
const REPORT_MS = 3_000;

/** Changes that a release may make to tables in use. */
const CHANGES = (round: number) => [
  `ALTER TABLE transactions ADD COLUMN drill_${round} text`,
  `ALTER TABLE tasks ADD COLUMN drill_${round} bigint NOT NULL DEFAULT 0`,
  `CREATE INDEX drill_${round} ON events (type, id)`,
];

/**
 * Changes tables while the service uses them and a report reads them. No request fails, except with
 * a 503 and a time to retry.
 */
export const migration: Drill = {
  name: 'migration while serving',
  installation: {},
  async run(scene) {
    const { installation, load } = scene;
    const { ownerUrl } = installation.postgres;
    load.onAnswer((answer) => {
      const failure = failureOf(answer);
      if (failure) scene.fail(failure);
    });
    load.start(CLIENTS);
    for (let round = 1; round <= scene.times(ROUNDS.short, ROUNDS.long) && (round === 1 || scene.hasTime()); round++) {
      const report = new pg.Client({ connectionString: ownerUrl });
      await report.connect();
      await report.query('BEGIN');
      await report.query('SELECT count(*) FROM transactions');
      await scene.inject('tables are changed', async () => {
        const applied = applyMigrations(ownerUrl, {
          serviceRole: SERVICE_ROLE,
          work: async (client) => void (await client.query(CHANGES(round).join('; '))),
        });
        await sleep(REPORT_MS);
        await report.end();
        await applied;
      });
    }
    load.onAnswer(null);
  },
};

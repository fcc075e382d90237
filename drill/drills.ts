import { backups } from './backups.ts';
import { clockJumps } from './clock-jumps.ts';
import type { Drill } from './drill.ts';
import { failover, pooledFailover } from './failover.ts';
import { kills } from './kills.ts';
import { logArchive } from './log-archive.ts';
import { migration } from './migration.ts';
import { postgresTroubles } from './postgres-troubles.ts';
import { providerTroubles } from './provider-troubles.ts';
import { receiverTroubles } from './receiver-troubles.ts';
import { rollingRestart } from './rolling-restart.ts';
import { scarceResources } from './scarce-resources.ts';
import { soak } from './soak.ts';

/** In the order in which they run. */
export const DRILLS: readonly Drill[] = [
  kills,
  rollingRestart,
  postgresTroubles,
  providerTroubles,
  receiverTroubles,
  clockJumps,
  migration,
  backups,
  logArchive,
  scarceResources,
  soak,
  failover,
  pooledFailover,
];

/**
 * The drills of `--short` and `npm test`: each guards against the loss of what was acknowledged.
 */
export const SHORT_FORM: readonly Drill[] = [kills, rollingRestart];

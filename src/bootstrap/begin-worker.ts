import { startHousekeeping } from '#jobs/housekeeping.ts';
import { startBackups } from '#jobs/start-backups.ts';
import { startLogArchive } from '#jobs/start-log-archive.ts';
import { startSealers } from '#jobs/start-sealers.ts';
import { startSweeps } from '#jobs/start-sweeps.ts';
import { TASK_HANDLERS } from '#jobs/task-handlers.ts';
import type { TaskPlaces } from '#jobs/task-places.ts';
import { startTestClockWorker } from '#jobs/test-clock-worker.ts';
import { startWorker } from '#jobs/worker.ts';
import type { Deps } from '#services/deps.ts';
import type { OpenedDatabase } from './open-database.ts';
import type { Startup } from './startup.ts';

export type Work = {
  /** Looks for due tasks now. */
  wake(): void;
  /** Begins no more, and resolves when what is under way has ended. */
  stop(): Promise<unknown>;
};

/**
 * Starts the worker's role in this process: due tasks, sweeps, sealing, backups, housekeeping. A
 * process without this role does not load it.
 */
export function beginWorker(
  { env }: Startup,
  deps: Deps,
  { ownerUrl }: OpenedDatabase,
  { taskPlaces }: { taskPlaces: TaskPlaces },
): Work {
  const worker = startWorker(deps, TASK_HANDLERS, taskPlaces);
  const clockWorker = startTestClockWorker(deps, TASK_HANDLERS);
  const stops = [
    startHousekeeping(deps),
    startSweeps(deps),
    startSealers(deps),
    ...(env.backups ? [startBackups(deps, env.backups)] : []),
    ...(env.backups?.pointInTime && ownerUrl
      ? [startLogArchive(deps, { ...env.backups, superuserUrl: ownerUrl })]
      : []),
  ];
  return {
    wake() {
      worker.wake();
      clockWorker.wake();
    },
    stop: () => Promise.all([worker.stop(), clockWorker.stop(), ...stops.map((stop) => stop())]),
  };
}

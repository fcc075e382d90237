import { archivePoint, type PointArchive, takeDueBase } from '#services/backup/archive-points.ts';
import { notifyArchiveFailure } from '#services/backup/notify-archive-failure.ts';
import type { Deps } from '#services/deps.ts';
import { createFailureReports } from './create-failure-reports.ts';

/** At most this is lost, and what is written while the log is being archived. */
const ARCHIVE_EVERY_MS = 30_000;
/**
 * A copy reads the whole data folder: one that failed, as on a full disk, is not repeated sooner.
 */
const COPY_AGAIN_MS = 15 * 60_000;

/**
 * Archives the log of the embedded server, with a copy of its data folder a day. Returns the
 * function that stops this after it has archived what was committed until then.
 */
export function startLogArchive(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers' | 'log' | 'observe'>,
  archive: PointArchive & { notify: string | undefined },
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Never, until it was archived once: an alert on its age fires where it never is.
  deps.observe({ kind: 'log_archived', at: new Date(0) });
  let last: Promise<void> = Promise.resolve();
  let since: Awaited<ReturnType<typeof archivePoint>> | undefined;
  /** Archives one at a time, whoever calls. */
  const archiveNow = (within: AbortSignal): Promise<void> => {
    const next = last
      .catch(() => {})
      .then(async () => {
        since = await archivePoint(deps, archive, { since, signal: within });
      });
    last = next;
    return next;
  };
  const archiving = repeat(() => archiveNow(signal), {
    failure: 'The log could not be archived; trying again.',
    againMs: 0,
  });
  const copying = repeat(() => takeDueBase(deps, archive, { archiveNow: () => archiveNow(signal), signal }), {
    failure: 'No copy of the data folder could be taken; trying again.',
    againMs: COPY_AGAIN_MS,
  });
  return async () => {
    archiving.clear();
    copying.clear();
    stopping.abort();
    await Promise.all([archiving.underway(), copying.underway()]);
    await archiveNow(new AbortController().signal).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'The end of the log could not be archived.');
    });
  };

  function repeat(work: () => Promise<void>, { failure, againMs }: { failure: string; againMs: number }) {
    let current: Promise<void> | undefined;
    let failedAt: number | undefined;
    const reports = createFailureReports();
    const fail = async (error: unknown) => {
      if (signal.aborted) return;
      const now = deps.clock();
      failedAt = now.getTime();
      const { log, mail } = reports.fail(now);
      if (log) deps.log.error({ err: error }, failure);
      if (mail && archive.notify !== undefined) await notifyArchiveFailure(deps, archive.notify, error);
    };
    const run = () => {
      if (failedAt !== undefined && deps.clock().getTime() - failedAt < againMs) return;
      current ??= work()
        .then(() => {
          failedAt = undefined;
          reports.succeed();
        }, fail)
        .catch((error: unknown) => {
          deps.log.warn({ err: error }, 'The operator could not be notified.');
        })
        .finally(() => {
          current = undefined;
        });
    };
    const timer = setInterval(run, ARCHIVE_EVERY_MS);
    run();
    return { clear: () => clearInterval(timer), underway: () => current };
  }
}

import { archivePoint, type PointArchive, takeDueBase } from '#services/backup/archive-points.ts';
import type { Deps } from '#services/deps.ts';

/** What is lost at most, with the time that it takes. */
const ARCHIVE_EVERY_MS = 30_000;
/** The operator hears of a failure at once, and is reminded of it; a log is no place for more. */
const REMIND_EVERY_MS = 15 * 60_000;
/** A copy that failed read everything: a disk that is full is not read for it all the time. */
const COPY_AGAIN_MS = 15 * 60_000;

/**
 * Archives the log of the embedded server, with a copy of its data folder a day; gives the function
 * that stops it, after what was committed until then is archived too.
 */
export function startLogArchive(
  deps: Pick<Deps, 'clock' | 'secretBox' | 'log' | 'observe'>,
  archive: PointArchive,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let last: Promise<void> = Promise.resolve();
  let since: Awaited<ReturnType<typeof archivePoint>> | undefined;
  /** One after another, whoever asks. */
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
    let loggedAt: number | undefined;
    const fail = (error: unknown) => {
      if (signal.aborted) return;
      failedAt = deps.clock().getTime();
      if (loggedAt !== undefined && failedAt - loggedAt < REMIND_EVERY_MS) return;
      loggedAt = failedAt;
      deps.log.error({ err: error }, failure);
    };
    const run = () => {
      if (failedAt !== undefined && deps.clock().getTime() - failedAt < againMs) return;
      current ??= work()
        .then(() => {
          failedAt = undefined;
          loggedAt = undefined;
        }, fail)
        .finally(() => {
          current = undefined;
        });
    };
    const timer = setInterval(run, ARCHIVE_EVERY_MS);
    run();
    return { clear: () => clearInterval(timer), underway: () => current };
  }
}

import { archivePoint, type PointArchive, takeDueBase } from '#services/backup/archive-points.ts';
import type { Deps } from '#services/deps.ts';

/** What is lost at most, with the time that it takes. */
const ARCHIVE_EVERY_MS = 30_000;
/** The operator hears of a failure at once, and is reminded of it; a log is no place for more. */
const REMIND_EVERY_MS = 15 * 60_000;

/**
 * Archives the log of the embedded server, with a copy of its data folder a day; gives the function
 * that stops it, after what was committed until then is archived too.
 */
export function startLogArchive(deps: Deps, archive: PointArchive): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let last: Promise<void> = Promise.resolve();
  /** One after another, whoever asks. */
  const archiveNow = (within: AbortSignal): Promise<void> => {
    const next = last.catch(() => {}).then(() => archivePoint(deps, archive, within));
    last = next;
    return next;
  };
  const archiving = repeat(deps, 'The log could not be archived; trying again.', () => archiveNow(signal));
  const copying = repeat(deps, 'No copy of the data folder could be taken; trying again.', () =>
    takeDueBase(deps, archive, { archiveNow: () => archiveNow(signal), signal }),
  );
  return async () => {
    archiving.clear();
    copying.clear();
    stopping.abort();
    await Promise.all([archiving.underway(), copying.underway()]);
    await archiveNow(new AbortController().signal).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'The end of the log could not be archived.');
    });
  };

  function repeat({ log, clock }: Deps, failure: string, work: () => Promise<void>) {
    let current: Promise<void> | undefined;
    let loggedAt: number | undefined;
    const run = () => {
      current ??= work()
        .then(() => {
          loggedAt = undefined;
        })
        .catch((error: unknown) => {
          const now = clock().getTime();
          if (signal.aborted || (loggedAt !== undefined && now - loggedAt < REMIND_EVERY_MS)) return;
          loggedAt = now;
          log.error({ err: error }, failure);
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

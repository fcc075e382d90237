import { type ArrivedNotice, findArrivedNotices } from '#db/notices/notices.ts';
import { findChangedTransactions } from '#db/transactions/find-changed-transactions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '../deps.ts';
import { createChangePoller } from './change-poller.ts';
import { type Found, type LiveFeed, type LiveStream, openLiveStream } from './live-stream.ts';
import { createStopError, endOldest } from './stream-ends.ts';

/**
 * A change may be committed this much later than its instant (waiting for a connection 5 s, the
 * statement 10 s), and the clocks of our machines may differ: every poll goes back this far, and
 * nothing is sent twice.
 */
const LOOKBACK_MS = 20_000;
/** A stream whose member is no longer signed in ends within this. */
const CHECK_EVERY_MS = 5_000;
/**
 * Allows for a person's tabs, and for the dead connections of a phone between two networks; above
 * this the oldest stream is ended.
 */
const STREAMS_PER_MEMBER_MAX = 8;
/** Enough for a shop's members; more is abuse. */
const STREAMS_PER_ACCOUNT_MAX = 64;
/** The most changes of one account in one poll. With more at once the page reads the list again. */
const CHANGES_MAX = 200;
/** The most notices of one member in one poll; the page reads its list anyway. */
const NOTICES_MAX = 20;

/**
 * One poll for all streams of this process, whenever any process notifies that it wrote tasks, and
 * once a second. There is no NOTIFY of its own: in a transaction it would serialise commits.
 */
export function createLiveFeed(deps: Pick<Deps, 'db' | 'clock' | 'log'>): LiveFeed {
  const streams = new Set<LiveStream>();
  let stopped = false;
  let checkTimer: NodeJS.Timeout | undefined;
  /**
   * When the last poll that succeeded began. The next one looks back to it, also where the database
   * was away, or this process stood still, for longer than LOOKBACK_MS.
   */
  let polledAt: number | undefined;

  const poller = createChangePoller(async () => {
    try {
      const accountIds = [...new Set([...streams].map(({ accountId }) => accountId))];
      const now = deps.clock().getTime();
      const since = new Date(Math.min(polledAt ?? now, now) - LOOKBACK_MS);
      const changes = await findChangedTransactions(deps.db.pool, accountIds, since, CHANGES_MAX);
      const notices = await findArrivedNotices(deps.db.pool, readersOf([...streams]), since, NOTICES_MAX);
      const byAccount = Map.groupBy(changes, ({ accountId }) => accountId);
      for (const stream of streams) {
        const found = { changes: byAccount.get(stream.accountId) ?? [], notices: notices.filter(isFor(stream)) };
        // A member who was removed a moment ago is shown nothing more. Streams without news are
        // checked every few seconds.
        if (stream.hasNews(found)) await endUnlessAllowed(stream);
        stream.offer(found, since, CHANGES_MAX);
      }
      polledAt = now;
    } catch (error) {
      deps.log.warn({ err: error }, 'Could not look for changed transactions and notices; trying again.');
    }
  });

  const endUnlessAllowed = async (stream: LiveStream) => {
    // A database that does not answer says nothing about the session.
    const allowed = await stream.stillAllowed().catch(() => true);
    if (!allowed) stream.end(new DomainError('not_signed_in'));
  };

  const check = async () => {
    for (const stream of streams) await endUnlessAllowed(stream);
  };

  const watch = (stream: LiveStream) => {
    if (streams.size === 0) polledAt = deps.clock().getTime();
    streams.add(stream);
    poller.start();
    checkTimer ??= setInterval(() => void check(), CHECK_EVERY_MS);
    endOldest(
      [...streams].filter(({ memberId }) => memberId === stream.memberId),
      STREAMS_PER_MEMBER_MAX,
    );
    endOldest(
      [...streams].filter(({ accountId }) => accountId === stream.accountId),
      STREAMS_PER_ACCOUNT_MAX,
    );
  };

  const remove = (stream: LiveStream) => {
    streams.delete(stream);
    if (streams.size > 0) return;
    poller.stop();
    clearInterval(checkTimer);
    checkTimer = undefined;
  };

  return {
    async *subscribe(subscription) {
      if (stopped) throw createStopError();
      const { accountId, after, signal } = subscription;
      const stream = openLiveStream(subscription);
      // The stream is added before the first query, so that no change in between is missed.
      watch(stream);
      const onAbort = () => stream.end(null);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      try {
        const now = deps.clock().getTime();
        const since = new Date(Math.min(after ?? now, now) - LOOKBACK_MS);
        const missed: Found = {
          changes: await findChangedTransactions(deps.db.pool, [accountId], since, CHANGES_MAX),
          notices: (await findArrivedNotices(deps.db.pool, [stream], since, NOTICES_MAX)).filter(isFor(stream)),
        };
        // The member may have been removed since the stream was asked for.
        if (stream.hasNews(missed)) await endUnlessAllowed(stream);
        stream.offer(missed, since, CHANGES_MAX);
        yield* stream.events();
      } finally {
        signal?.removeEventListener('abort', onAbort);
        remove(stream);
      }
    },
    wake: poller.wake,
    stop() {
      stopped = true;
      for (const stream of streams) stream.end(createStopError());
    },
  };
}

/** One stream for each member of a merchant, however many pages they have open. */
const readersOf = (streams: readonly LiveStream[]): LiveStream[] => [
  ...new Map(streams.map((stream) => [`${stream.memberId} ${stream.merchantId}`, stream])).values(),
];

/** A notice of the account, or of the merchant as a whole. */
const isFor =
  (stream: LiveStream) =>
  ({ memberId, merchantId, accountId }: ArrivedNotice): boolean =>
    memberId === stream.memberId &&
    merchantId === stream.merchantId &&
    (accountId === null || accountId === stream.accountId);

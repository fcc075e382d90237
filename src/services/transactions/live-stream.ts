import type { ArrivedNotice } from '#db/notices/notices.ts';
import type { ChangedTransaction } from '#db/transactions/find-changed-transactions.ts';

/**
 * `position`: sent by the page when it reconnects, so that it misses nothing. `resync`: more
 * changed than is reported, so the page has to read the list again.
 */
export type LiveEvent = { position: number } & (
  | { kind: 'transaction'; transaction: ChangedTransaction }
  | { kind: 'notice' }
  | { kind: 'resync' }
);

export type LiveSubscription = {
  accountId: string;
  memberId: string;
  merchantId: string;
  /**
   * The instant of the last event that the page has seen, in milliseconds; null: it has just been
   * opened.
   */
  after: number | null;
  /** Aborted when the page is gone. */
  signal: AbortSignal | undefined;
  /** Called before anything new is sent, and every few seconds: whether the member may see it. */
  stillAllowed: () => Promise<boolean>;
};

export type LiveFeed = {
  /**
   * Yields the transactions of an account as they are created and changed in any process of the
   * installation, and that a notice of the member has arrived. What was written shortly before
   * comes first, so an event may come twice and none is missed. Errors: not_signed_in,
   * invalid_state (too many streams; this was the oldest), and an AbortError when the process
   * stops, after which browsers reconnect by themselves.
   */
  subscribe(subscription: LiveSubscription): AsyncGenerator<LiveEvent, void>;
  /** Polls soon: something was written. */
  wake(): void;
  /** Ends every stream. */
  stop(): void;
};

/** What a poll found. */
export type Found = { changes: readonly ChangedTransaction[]; notices: readonly ArrivedNotice[] };

/** One listening page. */
export type LiveStream = {
  readonly accountId: string;
  readonly memberId: string;
  readonly merchantId: string;
  stillAllowed(): Promise<boolean>;
  /** Whether some of it was not sent yet. */
  hasNews(found: Found): boolean;
  /**
   * Takes what a poll since that instant found of this account, in the order of change, and of this
   * member; what was sent already is not sent again. `most`: with this many changes there may be
   * more.
   */
  offer(found: Found, since: Date, most: number): void;
  /** Null ends it without an error. */
  end(reason: Error | null): void;
  /** Yields events until the end; throws its reason. */
  events(): AsyncGenerator<LiveEvent, void>;
};

/** The most events that wait for a page on a slow line; more are replaced by one `resync`. */
const WAITING_MAX = 500;

export function openLiveStream(options: Omit<LiveSubscription, 'signal'>): LiveStream {
  /** The version of each transaction that was sent last, and the notices that were sent. */
  const sent = new Map<string, { version: string; at: number }>();
  let waiting: LiveEvent[] = [];
  let position = options.after ?? 0;
  let ended: { reason: Error | null } | undefined;
  let wake: (() => void) | undefined;

  const isNew = ({ id, version }: ChangedTransaction) => sent.get(id)?.version !== version;

  const isArrived = ({ id }: ArrivedNotice) => !sent.has(id);

  const push = (events: LiveEvent[]) => {
    waiting.push(...events);
    if (waiting.length > WAITING_MAX) waiting = [{ kind: 'resync', position }];
    wake?.();
  };

  return {
    accountId: options.accountId,
    memberId: options.memberId,
    merchantId: options.merchantId,
    stillAllowed: options.stillAllowed,
    hasNews: ({ changes, notices }) => changes.some(isNew) || notices.some(isArrived),
    offer({ changes, notices }, since, most) {
      if (ended) return;
      const news = changes.filter(isNew);
      const arrived = notices.filter(isArrived);
      // A later poll does not find these again.
      for (const [id, { at }] of sent) if (at <= since.getTime()) sent.delete(id);
      for (const { id, version, updatedAt } of news) sent.set(id, { version, at: updatedAt.getTime() });
      for (const { id, createdAt } of arrived) sent.set(id, { version: '', at: createdAt.getTime() });
      position = Math.max(position, ...arrived.map(({ createdAt }) => createdAt.getTime()));
      // One event is enough, because the page reads the list of notices.
      if (arrived.length > 0) push([{ kind: 'notice', position }]);
      if (news.length === 0) return;
      position = Math.max(position, ...news.map(({ updatedAt }) => updatedAt.getTime()));
      // The poll found as many as it may, and the oldest is new: older ones may be missing.
      if (changes.length >= most && news[0] === changes[0]) push([{ kind: 'resync', position }]);
      else push(news.map((transaction) => ({ kind: 'transaction', transaction, position })));
    },
    end(reason) {
      ended ??= { reason };
      wake?.();
    },
    async *events() {
      for (;;) {
        const event = ended ? undefined : waiting.shift();
        if (event) yield event;
        else if (ended?.reason) throw ended.reason;
        else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}

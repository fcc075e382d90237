import type { PaymentPageRow } from '#db/charges/charges.ts';

export type PaymentSubscription = {
  transactionId: string;
  /** Whom the stream counts for: an address, or a known session. */
  visitor: string;
  /** Aborted when the page is gone. */
  signal: AbortSignal | undefined;
};

export type PaymentFeed = {
  /**
   * Yields what a payer with the link may see of one transaction: at once, and whenever it has
   * changed in any process of the installation. The caller ends it. Errors: transaction_not_found,
   * invalid_state (too many streams), and an AbortError when the process stops, after which
   * browsers reconnect by themselves.
   */
  follow(subscription: PaymentSubscription): AsyncGenerator<PaymentPageRow, void>;
  /** Polls soon: something was written. */
  wake(): void;
  /** Ends every stream. */
  stop(): void;
};

/** One payment page that listens. */
export type PaymentStream = {
  readonly transactionId: string;
  /** Whom the stream counts for. */
  readonly visitor: string;
  /** The version of the state that was offered last; null before the first. */
  version(): string | null;
  /** Keeps the state to be sent next; one that was not sent yet is replaced. */
  offer(page: PaymentPageRow): void;
  /** Null ends it without an error. */
  end(reason: Error | null): void;
  /** Yields each state until the end; throws its reason. */
  pages(): AsyncGenerator<PaymentPageRow, void>;
};

export function openPaymentStream(options: { transactionId: string; visitor: string }): PaymentStream {
  let version: string | null = null;
  let next: PaymentPageRow | null = null;
  let ended: { reason: Error | null } | undefined;
  let wake: (() => void) | undefined;
  return {
    ...options,
    version: () => version,
    offer(page) {
      if (page.version === version) return;
      version = page.version;
      next = page;
      wake?.();
    },
    end(reason) {
      ended ??= { reason };
      wake?.();
    },
    async *pages() {
      while (!ended) {
        const page = next;
        next = null;
        if (page) yield page;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      if (ended.reason) throw ended.reason;
    },
  };
}

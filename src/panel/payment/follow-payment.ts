import type { PaymentPageData } from '#contract/charges/payment-status.ts';

/** The server sends a ping every ten seconds: without two of those the connection is dead. */
const SILENCE_MAX_MS = 25_000;
/** A stream that the server rejected or ended with an error is opened again this much later. */
const AGAIN_MS = 30_000;

type Listener = {
  onPage: (page: PaymentPageData) => void;
  /** Whether changes arrive by themselves. */
  onLive: (isLive: boolean) => void;
};

/**
 * Follows a payment over SSE, by the browser's own EventSource and in the format of tRPC's streams
 * (trpc.io/docs/server/subscriptions): tRPC's client is 14 kB of JavaScript. The browser opens a
 * broken connection again by itself. Returns the function that ends it.
 */
export function followPayment(transactionId: string, { onPage, onLive }: Listener): () => void {
  const input = encodeURIComponent(JSON.stringify({ transactionId }));
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    clearTimeout(timer);
    source?.close();
  };
  const openAfter = (ms: number) => {
    close();
    onLive(false);
    timer = setTimeout(open, ms);
  };
  const noteAlive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => openAfter(0), SILENCE_MAX_MS);
  };
  const open = () => {
    source = new EventSource(`/api/trpc/payment.follow?input=${input}`);
    source.addEventListener('message', ({ data }) => {
      noteAlive();
      onLive(true);
      onPage(JSON.parse(data));
    });
    for (const name of ['connected', 'ping']) source.addEventListener(name, noteAlive);
    // The payment is final, and the stream has ended.
    source.addEventListener('return', close);
    source.addEventListener('serialized-error', () => openAfter(AGAIN_MS));
    source.addEventListener('error', ({ target }) => {
      onLive(false);
      if ((target as EventSource).readyState === EventSource.CLOSED) openAfter(AGAIN_MS);
    });
    noteAlive();
  };
  open();
  return close;
}

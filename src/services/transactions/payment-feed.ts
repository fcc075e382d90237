import { findPaymentPages, findPaymentVersions, type PaymentPageRow } from '#db/charges/charges.ts';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { getPaymentPage } from '../charges/get-payment-page.ts';
import type { Deps } from '../deps.ts';
import { createChangePoller } from './change-poller.ts';
import { openPaymentStream, type PaymentFeed, type PaymentStream } from './payment-stream.ts';
import { createStopError, endOldest } from './stream-ends.ts';

/**
 * The most streams of one visitor. Behind the address of an office or a mobile network are many
 * payers, and among their connections are dead ones of telephones between two networks, so the
 * oldest is ended for a new one.
 */
export const STREAMS_PER_VISITOR_MAX = 64;
/**
 * The most streams of a process: each holds a connection and some tens of kilobytes, and a poll
 * queries all of them at once. Further streams are rejected, so that newcomers can't end the
 * streams of others.
 */
const STREAMS_MAX = 2_000;

/** One poll for all payment pages that are connected to this process. */
export function createPaymentFeed(
  deps: Pick<Deps, 'db' | 'secretBox' | 'log'>,
  { perVisitor, total } = { perVisitor: STREAMS_PER_VISITOR_MAX, total: STREAMS_MAX },
): PaymentFeed {
  const streams = new Set<PaymentStream>();
  let isStopped = false;

  const poller = createChangePoller(async () => {
    try {
      await notifyChanges(deps, [...streams]);
    } catch (error) {
      deps.log.warn({ err: error }, 'Could not look for changed payments; trying again.');
    }
  });

  const add = (stream: PaymentStream) => {
    const others = [...streams].filter(({ visitor }) => visitor === stream.visitor);
    const most = streams.size < total ? perVisitor : others.length;
    if (most === 0) throw new DomainError('invalid_state');
    endOldest([...others, stream], most);
    streams.add(stream);
    poller.start();
  };

  const remove = (stream: PaymentStream) => {
    streams.delete(stream);
    if (streams.size === 0) poller.stop();
  };

  return {
    async *follow({ transactionId, visitor, signal }) {
      if (isStopped) throw createStopError();
      const stream = openPaymentStream({ transactionId: transactionId.toLowerCase(), visitor });
      // The stream is added before the first query: the next poll finds a change in between.
      add(stream);
      const onAbort = () => stream.end(null);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      try {
        stream.offer(await getPaymentPage(deps, transactionId));
        yield* stream.pages();
      } finally {
        signal?.removeEventListener('abort', onAbort);
        remove(stream);
      }
    },
    wake: poller.wake,
    stop() {
      isStopped = true;
      for (const stream of streams) stream.end(createStopError());
    },
  };
}

/** Sends each stream the state of its transaction, where that differs from the last one sent. */
async function notifyChanges(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  streams: readonly PaymentStream[],
): Promise<void> {
  const started = streams.filter((stream) => stream.version() !== null);
  const ids = (some: readonly PaymentStream[]) => [...new Set(some.map(({ transactionId }) => transactionId))];
  const versions = await findPaymentVersions(db.pool, ids(started));
  const changed = started.filter((stream) => versions.get(stream.transactionId) !== stream.version());
  if (changed.length === 0) return;
  const pages = new Map<string, PaymentPageRow>();
  for (const row of await findPaymentPages(db.pool, ids(changed))) pages.set(row.id, openTransaction(secretBox, row));
  for (const stream of changed) {
    const page = pages.get(stream.transactionId);
    if (page) stream.offer(page);
    else stream.end(new DomainError('transaction_not_found'));
  }
}

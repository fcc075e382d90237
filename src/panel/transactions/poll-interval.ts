import type { TransactionDetailView } from '#contract/transactions/transaction-detail.ts';

const POLL_MS = 4_000;
/** A webhook that failed is tried again after minutes, then hours. */
const LATER_POLL_MS = 30_000;
const SOON_MS = 60_000;

type Followed = {
  transaction: { status: string; refunds: readonly { status: string }[] };
  deliveries: readonly Pick<TransactionDetailView['deliveries'][number], 'status' | 'next_attempt_at'>[];
};

/**
 * How often to read a transaction again while something is still going to happen to it, in
 * milliseconds; false once its status, its refunds and the deliveries of its events have ended.
 */
export function pollInterval({ transaction, deliveries }: Followed, now: Date): number | false {
  const { status, refunds } = transaction;
  if (status === 'pending' || status === 'processing') return POLL_MS;
  if (refunds.some((refund) => refund.status === 'pending')) return POLL_MS;
  const nextAt = deliveries.filter((one) => one.status === 'pending').map((one) => one.next_attempt_at);
  if (nextAt.length === 0) return false;
  const isSoon = nextAt.some((at) => at === null || Date.parse(at) - now.getTime() < SOON_MS);
  return isSoon ? POLL_MS : LATER_POLL_MS;
}

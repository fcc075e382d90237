import type { Deps } from '../deps.ts';
import { listAllReviews, type Resolution } from '../reviews/resolve-review.ts';
import { listAllForeignPayouts } from '../unmatched/decide-foreign-payout.ts';
import { listUnmatchedPayments } from '../unmatched/decide-unmatched.ts';

export type Decision = 'assign' | 'deposit' | 'charge' | Resolution;

export type WaitingItem = {
  id: string;
  kind: 'unmatched' | 'sent' | 'review';
  mode: 'live' | 'test';
  /** Below zero: it left. */
  centavos: bigint;
  endToEndId: string | null;
  note: string | null;
  merchantName: string | null;
  transactionId: string | null;
  at: Date;
  decisions: readonly Decision[];
};

/** All that waits for an operator's decision about money, the oldest first. */
export async function listWaiting(deps: Pick<Deps, 'db' | 'secretBox'>): Promise<WaitingItem[]> {
  const [payments, sent, reviews] = await Promise.all([
    listUnmatchedPayments(deps, { waiting: true, accountId: null }),
    listAllForeignPayouts(deps, { waiting: true, accountId: null }),
    listAllReviews(deps, { waiting: true }),
  ]);
  const items: WaitingItem[] = [
    ...payments.map((one) => ({
      ...{ id: one.id, kind: 'unmatched' as const, mode: one.mode, centavos: one.leftCentavos, at: one.paidAt },
      ...{ endToEndId: one.endToEndId, note: one.payerNote, merchantName: null, transactionId: one.transactionId },
      decisions: one.state === 'open' ? (['assign', 'deposit', 'return'] as const) : [],
    })),
    ...sent.map((one) => ({
      ...{ id: one.id, kind: 'sent' as const, mode: one.mode, centavos: -one.centavos, at: one.sentAt },
      ...{ endToEndId: one.endToEndId, note: null, merchantName: null, transactionId: null },
      decisions: ['charge', 'write_off'] as const,
    })),
    ...reviews.map((one) => ({
      ...{ id: one.id, kind: 'review' as const, mode: one.mode, centavos: one.leftCentavos, at: one.createdAt },
      ...{ endToEndId: one.endToEndId, note: one.reason, merchantName: one.merchantName },
      transactionId: one.transactionId,
      decisions: one.resolutions,
    })),
  ];
  return items.sort((a, b) => a.at.getTime() - b.at.getTime());
}

import { unitsToDecimal } from '#domain/quotes/crypto-units.ts';
import type { Deps } from '../deps.ts';
import {
  isOfWithdrawal,
  listAllReviews,
  type OpenReview,
  type Resolution,
  waitingCentavos,
} from '../reviews/resolve-review.ts';
import { listAllForeignPayouts } from '../unmatched/decide-foreign-payout.ts';
import { listUnmatchedPayments } from '../unmatched/decide-unmatched.ts';
import { listAllForeignOperations } from '../unmatched/take-note-of-operation.ts';

export type Decision = 'assign' | 'deposit' | 'charge' | 'acknowledge' | Resolution;

export type WaitingItem = {
  id: string;
  kind: 'unmatched' | 'sent' | 'review' | 'operation';
  mode: 'live' | 'test';
  /** Negative: it was sent. Null: the amount is in coins, which `note` has. */
  centavos: bigint | null;
  /** What the charge asked for that was paid with another amount; null of all else. */
  askedCentavos: bigint | null;
  endToEndId: string | null;
  note: string | null;
  merchantName: string | null;
  transactionId: string | null;
  /** Its payer contests it (MED): the PSP may send it back by itself. */
  isContested: boolean;
  at: Date;
  decisions: readonly PossibleDecision[];
};

/** `centavos`: what it moves, without a sign; null of coins. */
export type PossibleDecision = { name: Decision; centavos: bigint | null };

/** All that waits for an operator's decision about money, the oldest first. */
export async function listWaiting(deps: Pick<Deps, 'db' | 'secretBox'>): Promise<WaitingItem[]> {
  const [payments, sent, reviews, operations] = await Promise.all([
    listUnmatchedPayments(deps, { waiting: true, accountId: null }),
    listAllForeignPayouts(deps, { waiting: true, accountId: null }),
    listAllReviews(deps, { waiting: true }),
    listAllForeignOperations(deps, { waiting: true }),
  ]);
  const items: WaitingItem[] = [
    ...payments.map((one) => ({
      ...{ id: one.id, kind: 'unmatched' as const, mode: one.mode, centavos: one.leftCentavos, at: one.paidAt },
      ...{ endToEndId: one.endToEndId, note: one.payerNote, merchantName: null, transactionId: one.transactionId },
      ...{ isContested: one.contestedAs !== null, askedCentavos: null },
      decisions: one.state === 'open' ? allMove(one.leftCentavos, 'assign', 'deposit', 'return') : [],
    })),
    ...sent.map((one) => ({
      ...{ id: one.id, kind: 'sent' as const, mode: one.mode, centavos: -one.centavos, at: one.sentAt },
      ...{ endToEndId: one.endToEndId, note: null, merchantName: null, transactionId: null },
      ...{ isContested: false, askedCentavos: null },
      decisions: allMove(one.centavos, 'charge', 'write_off'),
    })),
    ...reviews.map((one) => ({
      ...{ id: one.id, kind: 'review' as const, mode: one.mode, centavos: waitingCentavos(one), at: one.createdAt },
      // Of others it only distinguishes the reviews of one transaction.
      endToEndId: one.type === 'pix_in' ? one.endToEndId : null,
      ...{ note: one.reason, merchantName: one.merchantName },
      transactionId: one.transactionId,
      askedCentavos: one.reason === 'amount_differs' ? one.expectedCentavos : null,
      isContested: one.contestedAs !== null,
      decisions: one.resolutions.map((name) => ({ name, centavos: movedCentavos(one, name) })),
    })),
    ...operations.map((one) => ({
      ...{
        id: one.id,
        kind: 'operation' as const,
        mode: one.mode,
        centavos: null,
        at: one.happenedAt ?? one.createdAt,
      },
      ...{ endToEndId: one.providerId, note: coinsOf(one), merchantName: null, transactionId: null },
      ...{ isContested: false, askedCentavos: null },
      decisions: allMove(null, 'acknowledge'),
    })),
  ];
  return items.sort((a, b) => a.at.getTime() - b.at.getTime());
}

const allMove = (centavos: bigint | null, ...names: readonly Decision[]): PossibleDecision[] =>
  names.map((name) => ({ name, centavos }));

/** An account pays for a withdrawal, or gets back, its fee as well; the platform keeps the fee. */
function movedCentavos(review: OpenReview, resolution: Resolution): bigint {
  const { expectedCentavos, leftCentavos, netCentavos, feeCentavos } = review;
  if (!isOfWithdrawal(review)) return leftCentavos;
  if (resolution === 'write_off') return netCentavos;
  return resolution === 'dismiss' ? expectedCentavos : netCentavos + feeCentavos;
}

/** `10.5 USDT_BSC`, negative where they were sent; null where the processor names no amount. */
const coinsOf = ({ kind, units, currency }: { kind: string; units: bigint | null; currency: string | null }) =>
  units === null ? null : `${kind === 'payout' ? '-' : ''}${unitsToDecimal(units)} ${currency ?? ''}`.trim();

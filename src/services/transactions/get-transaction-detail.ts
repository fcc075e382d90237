import { type AccountTerms, findAccountTerms } from '#db/accounts/account-terms.ts';
import { findProviderCalls, type ProviderCallRow } from '#db/callbacks/provider-calls.ts';
import type { DisputeRow } from '#db/disputes/disputes.ts';
import { findDisputeOf } from '#db/disputes/list-disputes.ts';
import { openBodies } from '#db/requests/logged-bodies.ts';
import {
  findDeliveriesOf,
  findPayoutSentAt,
  findTransfers,
  findWithdrawnBetween,
  type PostedTransfer,
  type TransactionDelivery,
} from '#db/transactions/transaction-detail.ts';
import { findScheduledPayout } from '#db/withdrawals/scheduled-payouts.ts';
import { type Fee, feeOf } from '#domain/accounts/fees.ts';
import type { LimitName } from '#domain/accounts/limits.ts';
import { isOpenDispute } from '#domain/disputes/dispute-states.ts';
import { dayStart, nightWindow } from '#domain/values/business-day.ts';
import type { Repeat } from '#domain/withdrawals/payout-schedule.ts';
import { RANGE_LIMITS } from '../accounts/check-limits.ts';
import { paymentUrl } from '../charges/payment-url.ts';
import type { Deps } from '../deps.ts';
import { findLostToPayer, type LostDispute } from '../disputes/find-lost-to-payer.ts';
import { REFUND_WINDOW_MS } from '../refunds/request-refund.ts';
import { getWholeTransaction, type WholeTransaction } from './get-transaction.ts';

/** A charge that is polled for days has many calls; the last ones show its state. */
const PROVIDER_CALLS_MAX = 50;

/**
 * A limit that applied to a transaction, with its current amount, and the amount that was compared
 * with it.
 */
export type CheckedLimit = { name: LimitName; limitCentavos: bigint; valueCentavos: bigint };

export type TransactionDetail = {
  whole: WholeTransaction;
  /** The terms that explain exactly this fee; null where they are not known any more. */
  fee: Fee | null;
  transfers: PostedTransfer[];
  deliveries: TransactionDelivery[];
  providerCalls: ProviderCallRow[];
  limits: CheckedLimit[];
  payoutSentAt: Date | null;
  /** The centavos that can still be refunded to the payer, and until when; null: none. */
  refundable: { centavos: bigint; until: Date } | null;
  /** The newest dispute of it; null: it was never contested. */
  dispute: DisputeRow | null;
  /** A case that the account had lost to this payer before it made the charge. */
  lostToPayer: LostDispute | null;
  /** How often a scheduled withdrawal is sent, and which one of them this is; null: once. */
  repeat: (Repeat & { number: number }) | null;
  cancellable: boolean;
  /** Where the payer sees it, while it can be paid. */
  paymentUrl: string | null;
};

/**
 * Everything that the panel shows about a transaction of this account. Errors:
 * transaction_not_found.
 */
export async function getTransactionDetail(deps: Deps, accountId: string, id: string): Promise<TransactionDetail> {
  const whole = await getWholeTransaction(deps, accountId, id);
  const { pool } = deps.db;
  const payer = { accountId, document: whole.customerDocument, before: whole.createdAt };
  const [terms, transfers, deliveries, providerCalls, payoutSentAt, dispute, lostToPayer, plan] = await Promise.all([
    findAccountTerms(pool, accountId, deps.clock()),
    findTransfers(pool, accountId, whole.id),
    findDeliveriesOf(pool, whole.id),
    findProviderCalls(pool, whole.id, PROVIDER_CALLS_MAX),
    findPayoutSentAt(pool, whole.id),
    findDisputeOf(pool, whole.id),
    whole.type === 'pix_in' ? findLostToPayer(deps, payer) : null,
    whole.scheduledFor === null ? null : findScheduledPayout(pool, whole.id),
  ]);
  if (!terms) throw new Error(`There is no account ${accountId}.`);
  const isOpen = whole.status === 'pending';
  return {
    whole,
    fee: feeTerms(whole, terms),
    transfers,
    deliveries,
    providerCalls: providerCalls.map((call) => openBodies(deps.secretBox, 'call', whole.id, call)),
    limits: await checkedLimits(deps, terms, whole),
    payoutSentAt,
    refundable: refundableOf(whole, dispute, deps.clock()),
    dispute,
    lostToPayer,
    repeat: plan?.repeat ? { ...plan.repeat, number: plan.number } : null,
    cancellable: isOpen && (whole.type === 'pix_in' || (whole.scheduledFor !== null && whole.begunAt === null)),
    paymentUrl: isOpen && (whole.type === 'pix_in' || whole.type === 'crypto_in') ? paymentUrl(deps, whole.id) : null,
  };
}

/**
 * An invoice keeps the terms that it was made at. Other transactions have the current terms, if
 * these explain the fee that was taken.
 */
function feeTerms(whole: WholeTransaction, terms: AccountTerms): Fee | null {
  if (whole.type === 'split_in') return null;
  if (whole.feeBps !== null) return { bps: whole.feeBps, fixedCentavos: whole.feeFixedCentavos ?? 0n };
  const fee = terms.fees[whole.type] ?? { bps: 0, fixedCentavos: 0n };
  return feeOf(whole.amountCentavos, fee) === whole.feeCentavos ? fee : null;
}

async function checkedLimits(deps: Deps, terms: AccountTerms, whole: WholeTransaction): Promise<CheckedLimit[]> {
  const { type, amountCentavos } = whole;
  // No limit applies to a payment that was made in the bank's application, without a key; those of
  // a scheduled one apply when it begins.
  if (type === 'split_in' || (type === 'pix_out' && whole.pixKey === null)) return [];
  if (whole.scheduledFor !== null && whole.begunAt === null) return [];
  const createdAt = whole.begunAt ?? whole.createdAt;
  const { minimum, maximum } = RANGE_LIMITS[type];
  const checked: { name: LimitName; value: bigint | (() => Promise<bigint>) }[] = [
    { name: minimum, value: amountCentavos },
    { name: maximum, value: amountCentavos },
  ];
  const withdrawnSince = (since: Date) => () =>
    findWithdrawnBetween(deps.db.pool, terms.accountId, type, since, createdAt);
  const night = nightWindow(createdAt);
  if (type === 'pix_out') {
    checked.push({ name: 'daily_limit_out_pix', value: withdrawnSince(dayStart(createdAt)) });
    if (night) checked.push({ name: 'night_limit_out_pix', value: withdrawnSince(night.start) });
  }
  if (type === 'crypto_out')
    checked.push({ name: 'daily_limit_out_crypto', value: withdrawnSince(dayStart(createdAt)) });
  const limits: CheckedLimit[] = [];
  for (const { name, value } of checked) {
    const limitCentavos = terms.limits[name];
    if (limitCentavos === undefined) continue;
    limits.push({ name, limitCentavos, valueCentavos: typeof value === 'bigint' ? value : await value() });
  }
  return limits;
}

function refundableOf(whole: WholeTransaction, dispute: DisputeRow | null, now: Date) {
  const { type, status, paidAt } = whole;
  if (type !== 'pix_in' || (status !== 'paid' && status !== 'refunded') || paidAt === null) return null;
  const until = new Date(paidAt.getTime() + REFUND_WINDOW_MS);
  const asked = whole.refunds.reduce((sum, { status, centavos }) => (status === 'failed' ? sum : sum + centavos), 0n);
  // While a dispute is open nothing may be refunded; a dispute that has ended has no effect.
  const left = dispute && isOpenDispute(dispute.state) ? 0n : whole.amountCentavos - asked;
  return left > 0n && now < until ? { centavos: left, until } : null;
}

import { findDisputeOf } from '#db/disputes/list-disputes.ts';
import { findRefund, findRefunds, requestRefund } from '#db/refunds/refunds.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { MerchantFields } from '#domain/transactions/merchant-fields.ts';
import { toBrl } from '#domain/values/money.ts';
import type { Acting } from '../api-keys/principal.ts';
import { actorEntry } from '../audit/record-audit.ts';
import { findOwnCharge } from '../charges/find-own-charge.ts';
import type { Deps } from '../deps.ts';
import { referenceTaken, sealMerchantFields } from '../transactions/seal-merchant-fields.ts';
import { askerOf, rejectMoneyOut } from '../withdrawals/reject-money-out.ts';
import { sealRefundDescription } from './refund-texts.ts';

/** API Pix: a payment can be given back for 90 days from its settlement. */
export const REFUND_WINDOW_MS = 90 * 24 * 60 * 60_000;

export type RefundInput = {
  /** The id of the new refund; a repeated request has the same one again. */
  id: string;
  transactionId: string;
  /** Null: what is left of the original. */
  centavos: bigint | null;
  description: string | null;
  merchantFields: MerchantFields;
};

export type RequestedRefund = { id: string; transactionId: string; centavos: bigint; createdAt: Date };

/**
 * Requests a devolução of a paid charge, in full or in part: the money is held from now on and sent
 * back by the worker. Our fee and a split stay where they went: the account refunds from its own
 * balance. A request with the id of an earlier refund returns that one.
 *
 * Errors: transaction_not_found, not_refundable (no PIX charge, not paid, or more than 90 days
 * ago), charge_disputed (with `dispute_id`), reference_taken (with `transaction_id`),
 * refund_too_large, insufficient_funds. The statement that holds the money also decides
 * account_suspended, kyc_not_approved (only for a rejected merchant: one whose verification is
 * pending may refund what it took) and withdrawals_paused.
 */
export async function requestChargeRefund(deps: Deps, acting: Acting, input: RefundInput): Promise<RequestedRefund> {
  const { accountId, actor } = acting;
  const charge = await findOwnCharge(deps, accountId, input.transactionId, 'not_refundable');
  const before = await findRefund(deps.db.pool, input.id);
  if (before) return before;

  const now = deps.clock();
  const paidAt = charge.paidAt?.getTime();
  const paid = charge.status === 'paid' || charge.status === 'refunded';
  if (!paid || paidAt === undefined || now.getTime() - paidAt > REFUND_WINDOW_MS)
    throw new DomainError('not_refundable');
  const centavos = input.centavos ?? charge.amountCentavos - (await alreadyAsked(deps, charge.id));
  if (centavos <= 0n || centavos > charge.amountCentavos) throw new DomainError('refund_too_large');

  const refund = {
    id: input.id,
    transactionId: charge.id,
    centavos,
    description: sealRefundDescription(deps, input),
    accountId,
    merchant: sealMerchantFields(deps, accountId, 'refunds', { id: input.id, ...input.merchantFields }),
    now,
  };
  const by = askerOf(actor);
  const about = { subject: charge.id, amount: toBrl(centavos) };
  const audit = actorEntry(deps, acting, 'refund.requested', about);
  const outcome = await requestRefund(deps.db.pool, refund, by, audit);
  if (outcome === 'reference_taken') throw await referenceTaken(deps, accountId, input.id, refund.merchant);
  await rejectMoneyOut(deps, outcome, { accountId, by, now });
  if (outcome === 'not_paid') throw new DomainError('not_refundable');
  if (outcome === 'disputed') {
    const dispute = await findDisputeOf(deps.db.pool, charge.id);
    throw new DomainError('charge_disputed', { params: { dispute_id: dispute?.id ?? '' } });
  }
  if (outcome === 'exceeds') throw new DomainError('refund_too_large');
  if (outcome === 'insufficient_funds') throw new DomainError('insufficient_funds');
  deps.wakeWorkers();
  return { id: input.id, transactionId: charge.id, centavos, createdAt: now };
}

/** The centavos that were refunded, or are on their way. */
async function alreadyAsked(deps: Deps, transactionId: string): Promise<bigint> {
  const refunds = await findRefunds(deps.db.pool, transactionId);
  return refunds.reduce((sum, { status, centavos }) => (status === 'failed' ? sum : sum + centavos), 0n);
}

import type { z } from 'zod';
import type { listedTransaction, transactionOutput } from '#contract/transactions/transactions.ts';
import { REVIEW_RESOLUTIONS } from '#domain/charges/charge-settlement.ts';
import { readMetadata } from '#domain/transactions/metadata.ts';
import { externalIdOf, splitView } from '#domain/webhooks/events.ts';
import type { WholeTransaction } from '#services/transactions/get-transaction.ts';
import type { ListedTransaction } from '#services/transactions/list-transactions.ts';
import { payoutFailureText } from './payout-failure-text.ts';

/** A transaction as the list shows it. */
export function toListItemJson(row: Omit<ListedTransaction, 'accountId'>): z.output<typeof listedTransaction> {
  return {
    transaction_id: row.id,
    external_id: externalIdOf(row),
    type: row.type,
    status: row.status,
    sub_status: row.subStatus,
    amount: row.amountCentavos,
    amount_fees: row.feeCentavos,
    net_amount: row.netCentavos,
    currency: row.currency,
    crypto_amount: row.units,
    crypto_received: row.type === 'crypto_in' ? row.receivedUnits : null,
    description: row.description,
    reference: row.reference,
    metadata: readMetadata(row.metadata),
    customer_name: row.customerName,
    destination: row.destination,
    refunded_amount: row.refundedCentavos,
    settled: {
      gross: row.settledGrossCentavos,
      fees: row.settledFeeCentavos,
      split: row.settledSplitCentavos,
      refunded: row.refundedCentavos,
      net: row.settledNetCentavos,
    },
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    paid_at: row.paidAt,
    scheduled_for: row.scheduledFor,
    dispute_state: row.disputeState,
  };
}

/** Everything about a transaction. */
export function toTransactionJson(whole: WholeTransaction): z.output<typeof transactionOutput>['data'] {
  const { customerName: name, customerEmail: email, customerDocument: document, customerPhone: phone } = whole;
  const isPix = whole.type === 'pix_in' || whole.type === 'pix_out';
  const known = [name, email, document, phone].some((value) => value !== null);
  return {
    ...toListItemJson(whole),
    customer: known ? { name, email, document, document_type: whole.customerDocumentType, phone } : null,
    callback_url: whole.callbackUrl,
    split: splitView(whole),
    pix: isPix
      ? {
          qr_code: whole.brCode,
          end_to_end_id: whole.endToEndId,
          pix_key: whole.pixKey,
          pix_key_type: whole.pixKeyType,
        }
      : null,
    crypto: whole.quotePrice === null ? null : presentCrypto(whole, whole.quotePrice),
    failure:
      whole.failureCode === null ? null : { code: whole.failureCode, message: payoutFailureText(whole.failureCode) },
    refunds: whole.refunds.map((refund) => ({
      refund_id: refund.id,
      amount: refund.centavos,
      status: refund.status,
      description: refund.description,
      reference: refund.reference,
      metadata: readMetadata(refund.metadata),
      created_at: refund.createdAt,
      finished_at: refund.finishedAt,
    })),
    reviews: whole.reviews.map((review) => ({
      review_id: review.id,
      reason: review.reason,
      expected_amount: review.expectedCentavos,
      received_amount: review.receivedCentavos,
      end_to_end_id: review.endToEndId,
      created_at: review.createdAt,
      resolved_at: review.resolvedAt,
      resolution: REVIEW_RESOLUTIONS.find((one) => one === review.resolution) ?? null,
    })),
    history: [
      // A part of another account's charge is there once it is paid.
      ...(whole.type === 'split_in' ? [] : [{ event: `${whole.type}.created`, at: whole.createdAt }]),
      ...whole.events.map(({ type, createdAt }) => ({ event: type, at: createdAt })),
    ],
  };
}

/** Crypto transactions are those that have a price. */
function presentCrypto(whole: WholeTransaction, price: bigint) {
  const isIn = whole.type === 'crypto_in';
  const waiting = whole.reviews.filter(({ resolvedAt }) => resolvedAt === null);
  return {
    wallet: whole.wallet,
    memo: whole.memo,
    received_amount: whole.receivedUnits,
    // By the ledger, which has what was credited of a review, too.
    credited_net_amount: isIn ? whole.settledGrossCentavos - whole.settledFeeCentavos : 0n,
    credited_fees: isIn ? whole.settledFeeCentavos : 0n,
    review_amount: waiting.reduce((sum, { receivedCentavos }) => sum + receivedCentavos, 0n),
    confirmations: whole.confirmations,
    confirmations_needed: whole.confirmationsNeeded,
    tx_hashes: whole.txHashes,
    quote: {
      price,
      spread_percent: whole.quoteSpreadBps ?? 0,
      quoted_at: whole.quotedAt,
      sources: (whole.quoteSources ?? []).map((one) => ({
        source: one.source,
        price: BigInt(one.price),
        at: new Date(one.at),
      })),
    },
  };
}

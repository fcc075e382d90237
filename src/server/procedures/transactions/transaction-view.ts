import type { z } from 'zod';
import type { transactionListOutput, transactionOutput } from '#contract/transactions/transactions.ts';
import { unitsToNumber } from '#domain/quotes/crypto-units.ts';
import { toBrl } from '#domain/values/money.ts';
import { externalIdOf, splitOf, splitView } from '#domain/webhooks/events.ts';
import type { WholeTransaction } from '#services/transactions/get-transaction.ts';
import type { ListedTransaction } from '#services/transactions/list-transactions.ts';
import { payoutFailureText } from './payout-failure-text.ts';

/** A transaction as the list shows it. */
export function toListItemJson(row: ListedTransaction): z.output<typeof transactionListOutput>['data'][number] {
  return {
    transaction_id: row.id,
    external_id: externalIdOf(row),
    type: row.type,
    status: row.status,
    sub_status: row.subStatus,
    amount: toBrl(row.amountCentavos),
    amount_fees: toBrl(row.feeCentavos),
    net_amount: toBrl(row.netCentavos),
    currency: row.currency,
    crypto_amount: row.units === null ? null : unitsToNumber(row.units),
    crypto_received: row.type === 'crypto_in' ? unitsToNumber(row.receivedUnits) : null,
    description: row.description,
    customer_name: row.customerName,
    destination: row.destination,
    refunded_amount: toBrl(row.refundedCentavos),
    settled: {
      gross: toBrl(row.settledGrossCentavos),
      fees: toBrl(row.settledFeeCentavos),
      split: toBrl(row.settledSplitCentavos),
      refunded: toBrl(row.refundedCentavos),
      net: toBrl(row.settledNetCentavos),
    },
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    paid_at: row.paidAt?.toISOString() ?? null,
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
    split: splitView(splitOf(whole)),
    pix: isPix
      ? {
          qr_code: whole.brCode,
          end_to_end_id: whole.endToEndId,
          pix_key: whole.pixKey,
          pix_key_type: whole.pixKeyType?.toUpperCase() ?? null,
        }
      : null,
    crypto: whole.type === 'crypto_in' || whole.type === 'crypto_out' ? presentCrypto(whole) : null,
    failure:
      whole.failureCode === null ? null : { code: whole.failureCode, message: payoutFailureText(whole.failureCode) },
    refunds: whole.refunds.map((refund) => ({
      refund_id: refund.id,
      amount: toBrl(refund.centavos),
      status: refund.status,
      description: refund.description,
      created_at: refund.createdAt.toISOString(),
      finished_at: refund.finishedAt?.toISOString() ?? null,
    })),
    reviews: whole.reviews.map((review) => ({
      review_id: review.id,
      reason: review.reason,
      expected_amount: toBrl(review.expectedCentavos),
      received_amount: toBrl(review.receivedCentavos),
      end_to_end_id: review.endToEndId,
      created_at: review.createdAt.toISOString(),
      resolved_at: review.resolvedAt?.toISOString() ?? null,
    })),
    history: [
      // A part of another account's charge is there once it is paid.
      ...(whole.type === 'split_in' ? [] : [{ event: `${whole.type}.created`, at: whole.createdAt.toISOString() }]),
      ...whole.events.map(({ type, createdAt }) => ({ event: type, at: createdAt.toISOString() })),
    ],
  };
}

function presentCrypto(whole: WholeTransaction) {
  return {
    wallet: whole.wallet,
    memo: whole.memo,
    received_amount: unitsToNumber(whole.receivedUnits),
    credited_net_amount: toBrl(whole.creditedCentavos - whole.creditedFeeCentavos),
    credited_fees: toBrl(whole.creditedFeeCentavos),
    review_amount: toBrl(whole.reviewedCentavos),
    confirmations: whole.confirmations,
    confirmations_needed: whole.confirmationsNeeded,
    tx_hashes: whole.txHashes,
    quote: {
      price: whole.quotePrice === null ? 0 : unitsToNumber(whole.quotePrice),
      spread_percent: (whole.quoteSpreadBps ?? 0) / 100,
      quoted_at: whole.quotedAt?.toISOString() ?? null,
      sources: (whole.quoteSources ?? []).map(({ source, price, at }) => ({
        source,
        price: unitsToNumber(BigInt(price)),
        at,
      })),
    },
  };
}

import type { z } from 'zod';
import type { transactionDetailOutput } from '#contract/transactions/transaction-detail.ts';
import { maskDocument, maskPhone, maskProvidedDocument } from '#domain/encryption/masked.ts';
import type { TransactionDetail } from '#services/transactions/get-transaction-detail.ts';
import { toTransactionJson } from './transaction-view.ts';

/** Without what depends on who looks. */
type Output = Omit<z.output<typeof transactionDetailOutput>, 'approval'>;

/** A transaction as the panel shows it: people's numbers masked, the rest as it is. */
export function presentDetail(detail: TransactionDetail): Output {
  const { fee, refundable } = detail;
  return {
    transaction: presentMasked(detail.whole),
    receiver: receiverOf(detail.whole),
    fee: fee && { percent: fee.bps, fixed: fee.fixedCentavos },
    timeline: timelineOf(detail),
    ledger: detail.transfers.map(({ id, kind, createdAt, entries }) => ({
      transfer_id: id,
      kind,
      at: createdAt,
      entries: entries.map(({ account, centavos, balanceAfterCentavos }) => ({
        account,
        amount: centavos,
        balance_after: balanceAfterCentavos,
      })),
    })),
    limits: detail.limits.map(({ name, limitCentavos, valueCentavos }) => ({
      name,
      limit: limitCentavos,
      value: valueCentavos,
    })),
    deliveries: detail.deliveries.map((delivery) => ({
      delivery_id: delivery.id,
      event: delivery.event,
      topic: delivery.topic,
      url: delivery.url,
      status: delivery.status,
      attempts: delivery.attempts,
      last_status: delivery.lastStatusCode,
      created_at: delivery.createdAt,
      finished_at: delivery.finishedAt,
      next_attempt_at: delivery.nextAttemptAt,
    })),
    provider_calls: detail.providerCalls.map(presentProviderCall),
    refundable: refundable && { amount: refundable.centavos, until: refundable.until },
    dispute: detail.dispute && {
      dispute_id: detail.dispute.id,
      state: detail.dispute.state,
      amount: detail.dispute.centavos,
      answer_by: detail.dispute.answerBy,
    },
    lost_to_payer: detail.lostToPayer && {
      dispute_id: detail.lostToPayer.disputeId,
      closed_at: detail.lostToPayer.closedAt,
    },
    repeat: detail.repeat,
    cancellable: detail.cancellable,
    payment_url: detail.paymentUrl,
    provider_url: detail.whole.providerUrl,
  };
}

/** A call to a provider, its bodies masked as they are kept. */
export function presentProviderCall({
  rail: _,
  durationMs,
  requestBody,
  responseBody,
  ...call
}: TransactionDetail['providerCalls'][number]): Output['provider_calls'][number] {
  return { ...call, duration_ms: durationMs, request: requestBody, response: responseBody };
}

function presentMasked(whole: TransactionDetail['whole']): Output['transaction'] {
  const shown = toTransactionJson(whole);
  const { customer, pix } = shown;
  return {
    ...shown,
    customer: customer && {
      ...customer,
      document: customer.document && maskDocument(customer.document),
      phone: customer.phone && maskPhone(customer.phone),
    },
    pix: pix && { ...pix, pix_key: whole.destination },
  };
}

function receiverOf({ receiverName: name, receiverDocument: document }: TransactionDetail['whole']) {
  return name === null ? null : { name, document: document && maskProvidedDocument(document) };
}

type Moment = Output['timeline'][number];

/** What happened, oldest first; what happened at one instant in the order in which it must have. */
function timelineOf({ whole, payoutSentAt, deliveries }: TransactionDetail): Moment[] {
  const moment = (what: string, at: Date, more: Partial<Moment> = {}): Moment => ({
    what,
    at,
    amount: null,
    reference: null,
    http_status: null,
    duration_ms: null,
    ...more,
  });
  const arrival = whole.endToEndId ?? whole.txHashes[0] ?? null;
  // Nobody asked for such a PIX here: it was made in the bank's application, and charged later.
  const atBank = whole.type === 'pix_out' && whole.pixKey === null;
  const amount = whole.amountCentavos;
  const ARRIVALS = ['paid', 'completed', 'underpaid', 'overpaid', 'detected'];
  return [
    ...(whole.type === 'split_in' || atBank ? [] : [moment('created', whole.createdAt, { amount })]),
    ...(atBank && whole.paidAt ? [moment('made_at_bank', whole.paidAt, { amount, reference: arrival })] : []),
    ...(payoutSentAt ? [moment('sent', payoutSentAt)] : []),
    ...whole.events.map(({ type, createdAt }) => {
      const what = type.startsWith('dispute.') ? type.replace('.', '_') : type.slice(type.indexOf('.') + 1);
      if (atBank && what === 'paid') return moment('charged', createdAt);
      return moment(what, createdAt, { reference: ARRIVALS.includes(what) ? arrival : null });
    }),
    ...whole.refunds.map(({ kind, centavos, createdAt }) => moment(`refund_${kind}`, createdAt, { amount: centavos })),
    ...deliveries.flatMap(({ status, finishedAt, lastStatusCode, lastDurationMs }) =>
      finishedAt === null || (status !== 'delivered' && status !== 'failed')
        ? []
        : [
            moment(status === 'delivered' ? 'webhook_delivered' : 'webhook_failed', finishedAt, {
              http_status: lastStatusCode,
              duration_ms: lastDurationMs,
            }),
          ],
    ),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
}

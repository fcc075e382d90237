import type { z } from 'zod';
import { overviewInput, overviewOutput } from '#contract/reports/overview.ts';
import { getOverview, type Overview } from '#services/reports/get-overview.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

export const overviewRouter = router({
  /** Balances, what moved in a period, and what needs a person. */
  get: memberProcedure
    .input(overviewInput)
    .output(encoded(overviewOutput))
    .query(async ({ ctx, input }) => present(await getOverview(ctx.deps, ctx.principal, input.period))),
});

function present(overview: Overview): z.output<typeof overviewOutput> {
  const { balances, span, total, received, refunded, splits, conversion, fees, sent, series, attention } = overview;
  const receivedCentavos = received.pix.centavos + received.crypto.centavos;
  return {
    balances: {
      available: balances.availableCentavos,
      pending: balances.pendingCentavos,
      blocked: balances.blockedCentavos,
      owed: balances.owedCentavos,
    },
    period: {
      starts_at: span.start,
      before: { starts_at: span.before.start, ends_at: span.before.end },
      unit: span.unit,
    },
    total: {
      opening: total.openingCentavos,
      pending_change: total.pendingChangeCentavos,
      closing: total.closingCentavos,
    },
    received: {
      amount: receivedCentavos,
      pix: sums(received.pix),
      crypto: sums(received.crypto),
      before: received.before.centavos,
      change_percent: percent(receivedCentavos - received.before.centavos, received.before.centavos),
    },
    conversion: { ...conversion, percent: percent(BigInt(conversion.paid), BigInt(conversion.made)) },
    fees: {
      amount: fees.receivedCentavos + fees.sentCentavos,
      received: fees.receivedCentavos,
      sent: fees.sentCentavos,
    },
    sent: { amount: sent.pix.centavos + sent.crypto.centavos, pix: sums(sent.pix), crypto: sums(sent.crypto) },
    refunded: sums(refunded),
    splits: { received: splits.received.centavos, given: splits.givenCentavos },
    series: series.map(({ from, pixCentavos, cryptoCentavos }) => ({
      from,
      pix: pixCentavos,
      crypto: cryptoCentavos,
    })),
    attention: {
      verification: attention.verification,
      webhooks: attention.failing.map(({ endpointId, topic, url, failingSince, waiting, disabledReason }) => ({
        endpoint_id: endpointId,
        topic,
        host: new URL(url).host,
        failing_since: failingSince,
        waiting,
        disabled_reason: disabledReason,
      })),
      limits: attention.limits.map(({ name, usedCentavos, limitCentavos, endsAt }) => ({
        name,
        used: usedCentavos,
        limit: limitCentavos,
        ends_at: endsAt,
      })),
      awaited_approvals: pile(attention.approvals),
      awaited_batches: attention.batches && {
        count: attention.batches.count,
        amount: attention.batches.centavos,
        oldest_batch_id: attention.batches.oldestId,
        oldest_at: attention.batches.oldestAt,
      },
      stuck_withdrawals: pile(attention.stuck),
      in_review: pile(attention.inReview),
      disputes: attention.disputes && {
        count: attention.disputes.count,
        amount: attention.disputes.centavos,
        first_dispute_id: attention.disputes.firstId,
        first_answer_by: attention.disputes.firstAnswerBy,
      },
      missing_providers: attention.missingProviders,
      unmatched: inboxPile(attention.unmatched),
      unrequested: inboxPile(attention.unrequested),
    },
    has_transactions: overview.hasTransactions,
  };
}

const inboxPile = ({ count, centavos, oldestAt }: Overview['attention']['unmatched']) =>
  oldestAt && { count, amount: centavos, oldest_at: oldestAt };

const sums = ({ count, centavos }: Overview['sent']['pix']) => ({ count, amount: centavos });

const pile = ({ count, centavos, oldestId, oldestAt }: Overview['attention']['stuck']) =>
  oldestId && oldestAt ? { count, amount: centavos, oldest_transaction_id: oldestId, oldest_at: oldestAt } : null;

/** In percent to a tenth, to be shown; null where there is nothing to compare with. */
const percent = (part: bigint, whole: bigint) =>
  whole === 0n ? null : Math.round((Number(part) / Number(whole)) * 1000) / 10;

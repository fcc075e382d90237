import type { z } from 'zod';
import { overviewInput, overviewOutput } from '#contract/reports/overview.ts';
import { toBrl } from '#domain/values/money.ts';
import { getOverview, type Overview } from '#services/reports/get-overview.ts';
import { memberProcedure, router } from '../procedure.ts';

export const overviewRouter = router({
  /** Balances, what moved in a period, and what needs a person. */
  get: memberProcedure
    .input(overviewInput)
    .output(overviewOutput)
    .query(async ({ ctx, input }) => present(await getOverview(ctx.deps, ctx.principal, input.period))),
});

function present(overview: Overview): z.output<typeof overviewOutput> {
  const { balances, span, total, received, refunded, splits, conversion, fees, sent, series, attention } = overview;
  const receivedCentavos = received.pix.centavos + received.crypto.centavos;
  return {
    balances: {
      available: toBrl(balances.availableCentavos),
      pending: toBrl(balances.pendingCentavos),
      blocked: toBrl(balances.blockedCentavos),
    },
    period: {
      starts_at: span.start.toISOString(),
      before: { starts_at: span.before.start.toISOString(), ends_at: span.before.end.toISOString() },
      unit: span.unit,
    },
    total: {
      opening: toBrl(total.openingCentavos),
      pending_change: toBrl(total.pendingChangeCentavos),
      closing: toBrl(total.closingCentavos),
    },
    received: {
      amount: toBrl(receivedCentavos),
      pix: sums(received.pix),
      crypto: sums(received.crypto),
      before: toBrl(received.before.centavos),
      change_percent: percent(receivedCentavos - received.before.centavos, received.before.centavos),
    },
    conversion: { ...conversion, percent: percent(BigInt(conversion.paid), BigInt(conversion.made)) },
    fees: {
      amount: toBrl(fees.receivedCentavos + fees.sentCentavos),
      received: toBrl(fees.receivedCentavos),
      sent: toBrl(fees.sentCentavos),
    },
    sent: { amount: toBrl(sent.pix.centavos + sent.crypto.centavos), pix: sums(sent.pix), crypto: sums(sent.crypto) },
    refunded: sums(refunded),
    splits: { received: toBrl(splits.received.centavos), given: toBrl(splits.givenCentavos) },
    series: series.map(({ from, pixCentavos, cryptoCentavos }) => ({
      from: from.toISOString(),
      pix: toBrl(pixCentavos),
      crypto: toBrl(cryptoCentavos),
    })),
    attention: {
      verification: attention.verification,
      webhooks: attention.failing.map(({ endpointId, topic, failingSince, waiting, disabled }) => ({
        endpoint_id: endpointId,
        topic,
        failing_since: failingSince.toISOString(),
        waiting,
        disabled,
      })),
      limits: attention.limits.map(({ name, usedCentavos, limitCentavos, endsAt }) => ({
        name,
        used: toBrl(usedCentavos),
        limit: toBrl(limitCentavos),
        ends_at: endsAt.toISOString(),
      })),
      stuck_withdrawals: pile(attention.stuck),
      in_review: pile(attention.inReview),
    },
    has_transactions: overview.hasTransactions,
  };
}

const sums = ({ count, centavos }: Overview['sent']['pix']) => ({ count, amount: toBrl(centavos) });

const pile = ({ count, centavos, oldestId, oldestAt }: Overview['attention']['stuck']) =>
  oldestId && oldestAt
    ? { count, amount: toBrl(centavos), oldest_transaction_id: oldestId, oldest_at: oldestAt.toISOString() }
    : null;

/** To a tenth, for eyes; null where there is nothing to compare with. */
const percent = (part: bigint, whole: bigint) =>
  whole === 0n ? null : Math.round((Number(part) / Number(whole)) * 1000) / 10;

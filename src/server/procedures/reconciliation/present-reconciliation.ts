import type { z } from 'zod';
import type { reconciliationDayOutput } from '#contract/reconciliation/reconciliation.ts';
import type { getReconciledDay } from '#services/reconciliation/get-own-reconciliation.ts';

type Output = z.output<typeof reconciliationDayOutput>;
type Found = NonNullable<Awaited<ReturnType<typeof getReconciledDay>>>;

export function presentDay(day: Found['day']): Output['day'] {
  return {
    day_id: day.id,
    day: day.day,
    rail: day.rail,
    checked_at: day.checkedAt,
    whole: day.isWhole,
    psp: presentFigures(day.theirs),
    ledger: presentFigures(day.ours),
    balance: day.balanceCentavos,
    unlisted: day.balanceDifferenceCentavos,
    other_days: day.explainedCentavos,
    unexplained: day.unexplainedCentavos,
    unreadable: day.unreadable,
    item_count: day.itemCount,
  };
}

const presentFigures = (figures: Found['day']['theirs']) => ({
  opening: figures.openingCentavos,
  received: figures.receivedCentavos,
  returned: figures.returnedCentavos,
  sent: figures.sentCentavos,
  closing: figures.closingCentavos,
});

export const presentItem = (item: Found['items'][number]): Output['items'][number] => ({
  reason: item.why,
  kind: item.kind,
  key: item.key,
  end_to_end_id: item.endToEndId,
  psp_amount: item.theirsCentavos,
  ledger_amount: item.oursCentavos,
  psp_at: item.theirsAt,
  ledger_at: item.oursAt,
  transaction_id: item.transactionId,
});

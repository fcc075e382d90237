import type { z } from 'zod';
import type { reconciliationDayOutput } from '#contract/reconciliation/reconciliation.ts';
import { amountText, assetOf } from '#domain/reconciliation/reconciled-amounts.ts';
import type { getReconciledDay } from '#services/reconciliation/get-own-reconciliation.ts';

type Output = z.output<typeof reconciliationDayOutput>;
type Found = NonNullable<Awaited<ReturnType<typeof getReconciledDay>>>;
type Figures = Found['day']['theirs'];

/** A day of reconciliation as pages see it; its amounts are texts in its own currency. */
export function presentDay(day: Found['day']): Output['day'] {
  const { currency, theirs, ours } = day;
  const text = (amount: bigint) => amountText(amount, currency);
  const figures = (of: (name: keyof Figures) => bigint) => ({
    opening: text(of('openingAmount')),
    received: text(of('receivedAmount')),
    returned: text(of('returnedAmount')),
    sent: text(of('sentAmount')),
    closing: text(of('closingAmount')),
  });
  return {
    day_id: day.id,
    day: day.day,
    rail: day.rail,
    currency,
    asset: assetOf(currency),
    checked_at: day.checkedAt,
    whole: day.isWhole,
    psp: figures((name) => theirs[name]),
    ledger: figures((name) => ours[name]),
    difference: figures((name) => theirs[name] - ours[name]),
    fees: text(day.feesAmount),
    ledger_brl: day.oursCentavos,
    balance: day.balanceAmount === null ? null : text(day.balanceAmount),
    unlisted: text(day.balanceDifferenceAmount),
    other_days: text(day.explainedAmount),
    unexplained: text(day.unexplainedAmount),
    unreadable: day.unreadable,
    item_count: day.itemCount,
    differences: day.differences,
    acknowledged: day.acknowledged,
  };
}

/** An item of a day in this currency. */
export const presentItem = (item: Found['items'][number], currency: string): Output['items'][number] => ({
  reason: item.why,
  kind: item.kind,
  key: item.key,
  end_to_end_id: item.endToEndId,
  psp_amount: item.theirsAmount === null ? null : amountText(item.theirsAmount, currency),
  ledger_amount: item.oursAmount === null ? null : amountText(item.oursAmount, currency),
  ledger_brl: item.oursCentavos,
  psp_at: item.theirsAt,
  ledger_at: item.oursAt,
  transaction_id: item.transactionId,
});

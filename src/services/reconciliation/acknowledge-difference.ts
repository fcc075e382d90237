import { acknowledgeDay, type ReconciledDay } from '#db/reconciliation/reconciled-days.ts';
import { amountText } from '#domain/reconciliation/reconciled-amounts.ts';
import { type AsOperator, INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/**
 * Notes that an operator knows what differs of a day: the day stays in sight and is compared again,
 * and nobody is alarmed while it is just that. `differences` is what the operator has seen (the
 * digest of the day). Returns false where the day does not differ, or by something else by now.
 */
export async function acknowledgeDifference(
  deps: Pick<Deps, 'db' | 'clock'> & AsOperator,
  {
    day,
    differences,
    reason,
  }: {
    day: Pick<ReconciledDay, 'id' | 'day' | 'rail' | 'currency' | 'unexplainedAmount'>;
    differences: string;
    reason: string;
  },
): Promise<boolean> {
  const audit = operatorEntry(deps, INSTALLATION, 'reconciliation.acknowledged', {
    ...{ subject: `${day.rail} ${day.day}`, currency: day.currency },
    ...{ amount: amountText(day.unexplainedAmount, day.currency), reason },
  });
  return acknowledgeDay(deps.db.pool, { dayId: day.id, differences, reason, now: deps.clock() }, audit);
}

import { expediteDay, listReconciledRails } from '#db/reconciliation/reconciled-days.ts';
import { planDays } from '#db/reconciliation/run-reconciliation.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import type { Deps } from '../deps.ts';
import { planOf, planProcessors } from './plan-reconciliation.ts';

/** A day of a rail that the worker was asked to compare. */
type RequestedDay = { id: string };

/**
 * Has a day (`YYYY-MM-DD`) of one rail, or of all (null), compared by the worker now, in each of
 * its currencies, also one that is not over. Empty: no rail has such a day.
 */
export async function requestReconciliation(
  deps: Pick<Deps, 'db' | 'clock' | 'wakeWorkers'>,
  { day, rail }: { day: string; rail: string | null },
): Promise<RequestedDay[]> {
  const { pool } = deps.db;
  const now = deps.clock();
  await planProcessors(deps);
  const rails = (await listReconciledRails(pool)).filter(
    (one) => (rail === null || one.rail === rail) && one.firstDay <= day && day <= dateInSaoPaulo(now),
  );
  const requested: RequestedDay[] = [];
  for (const { rail: name, currency } of rails) {
    await planDays(pool, { rail: name, currency, last: day, ...planOf(now) });
    const id = await expediteDay(pool, { rail: name, currency, day, now });
    if (id) requested.push({ id });
  }
  deps.wakeWorkers();
  return requested;
}

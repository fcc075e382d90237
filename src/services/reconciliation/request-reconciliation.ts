import { expediteDay, listReconciledRails } from '#db/reconciliation/reconciled-days.ts';
import { planDays } from '#db/reconciliation/run-reconciliation.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import type { Deps } from '../deps.ts';
import { planOf } from './plan-reconciliation.ts';

/** A day of a rail that the worker was asked to compare. */
type RequestedDay = { id: string; rail: string };

/**
 * Has a day (`YYYY-MM-DD`) of one rail, or of all (null), compared by the worker now, also one that
 * is not over. Empty: no rail has such a day.
 */
export async function requestReconciliation(
  deps: Pick<Deps, 'db' | 'clock' | 'wakeWorkers'>,
  { day, rail }: { day: string; rail: string | null },
): Promise<RequestedDay[]> {
  const { pool } = deps.db;
  const now = deps.clock();
  const rails = (await listReconciledRails(pool)).filter(
    (one) => (rail === null || one.rail === rail) && one.firstDay <= day && day <= dateInSaoPaulo(now),
  );
  const requested: RequestedDay[] = [];
  for (const { rail: name } of rails) {
    await planDays(pool, { rail: name, last: day, ...planOf(now) });
    const id = await expediteDay(pool, { rail: name, day, now });
    if (id) requested.push({ id, rail: name });
  }
  deps.wakeWorkers();
  return requested;
}

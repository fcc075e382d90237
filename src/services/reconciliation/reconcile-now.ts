import type { ReconciledDay, ReconciliationItem } from '#db/reconciliation/reconciled-days.ts';
import type { Deps } from '../deps.ts';
import { listDayItems, listReconciliation } from './list-reconciliation.ts';
import { requestReconciliation } from './request-reconciliation.ts';

/** A day that was compared, with what differs of it. */
export type ComparedDay = ReconciledDay & { items: ReconciliationItem[] };

/** A worker reads its tasks every second. */
const LOOK_EVERY_MS = 250;

/**
 * Has the worker compare a day (`YYYY-MM-DD`) of one rail, or of all (null), and waits until it
 * has. Empty: no rail has such a day. Null: it is not compared within `waitMaxMs`, but will be.
 */
export async function reconcileNow(
  deps: Pick<Deps, 'db' | 'clock' | 'wakeWorkers'>,
  { day, rail }: { day: string; rail: string | null },
  waitMaxMs: number,
): Promise<ComparedDay[] | null> {
  const now = deps.clock();
  const ids = new Set((await requestReconciliation(deps, { day, rail })).map(({ id }) => id));
  if (ids.size === 0) return [];
  for (const deadline = performance.now() + waitMaxMs; performance.now() < deadline; await pause()) {
    const days = (await listReconciliation(deps, { accountId: null, rail, day })).filter(({ id }) => ids.has(id));
    if (!days.every(({ checkedAt }) => checkedAt !== null && checkedAt >= now)) continue;
    return Promise.all(
      days.map(async (one) => ({ ...one, items: await listDayItems(deps, { dayId: one.id, accountId: null }) })),
    );
  }
  return null;
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

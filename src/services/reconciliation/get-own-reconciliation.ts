import {
  findReconciledDay,
  hasReconciledRail,
  type ReconciledDay,
  type ReconciliationItem,
} from '#db/reconciliation/reconciled-days.ts';
import type { Deps } from '../deps.ts';
import { listDayItems } from './list-reconciliation.ts';

/** Whether the account has credentials of its own with a PSP whose books are compared. */
export const hasOwnReconciliation = ({ db }: Pick<Deps, 'db'>, accountId: string): Promise<boolean> =>
  hasReconciledRail(db.pool, accountId);

/**
 * A day and its differences. `accountId`: only a day of this account's own credentials; null: any.
 * Null: there is no such day.
 */
export async function getReconciledDay(
  deps: Pick<Deps, 'db'>,
  which: { dayId: string; accountId: string | null },
): Promise<{ day: ReconciledDay; items: ReconciliationItem[] } | null> {
  const day = await findReconciledDay(deps.db.pool, which);
  return day && { day, items: await listDayItems(deps, which) };
}

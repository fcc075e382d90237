import {
  type DayOfRail,
  listReconciledDays,
  listReconciliationItems,
  type ReconciledDay,
} from '#db/reconciliation/reconciled-days.ts';
import type { Deps } from '../deps.ts';

/** Years of days of a rail, for files; a page of the panel takes fewer. */
const DAYS_MAX = 4_000;

type Reader = Pick<Deps, 'db'>;

/** Which days: `accountId`: only those of this account's own credentials; null: all. */
export type ReconciliationFilter = { accountId: string | null; rail?: string | null; day?: string | null };

/** A page of days, the newest first; of one that was not compared yet the figures are zero. */
export function listReconciliation(
  { db }: Reader,
  { accountId, rail = null, day = null }: ReconciliationFilter,
  page: { before: DayOfRail | null; limit: number } = { before: null, limit: DAYS_MAX },
): Promise<ReconciledDay[]> {
  return listReconciledDays(db.pool, { accountId, rail, day, ...page });
}

/** What differs of a day, as far as it is kept: what nothing explains first. */
export const listDayItems = ({ db }: Reader, which: { dayId: string; accountId: string | null }) =>
  listReconciliationItems(db.pool, which);

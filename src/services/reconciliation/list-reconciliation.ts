import {
  type DayOfRail,
  listReconciledDays,
  listReconciliationItems,
  type ReconciledDay,
} from '#db/reconciliation/reconciled-days.ts';
import type { Deps } from '../deps.ts';

type Reader = Pick<Deps, 'db'>;

/** Which days: `accountId`: only those of this account's own credentials; null: all. */
export type ReconciliationFilter = {
  accountId: string | null;
  rail?: string | null;
  day?: string | null;
  dayId?: string | null;
  /**
   * Only those with a difference that nothing explains, or with what could not be read, and that no
   * operator has acknowledged.
   */
  isOpen?: boolean;
};

/**
 * A page of days, the newest first, or all of them; of one that was not compared yet the figures
 * are zero.
 */
export function listReconciliation(
  { db }: Reader,
  { rail = null, day = null, ...filter }: ReconciliationFilter,
  page: { before: DayOfRail | null; limit: number | null } = { before: null, limit: null },
): Promise<ReconciledDay[]> {
  return listReconciledDays(db.pool, { ...filter, rail, day, ...page });
}

/** What differs of a day, as far as it is kept: what nothing explains first. */
export const listDayItems = ({ db }: Reader, which: { dayId: string; accountId: string | null }) =>
  listReconciliationItems(db.pool, which);

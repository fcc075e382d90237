import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '#services/deps.ts';
import { getReconciledDay } from '#services/reconciliation/get-own-reconciliation.ts';
import { listReconciliation } from '#services/reconciliation/list-reconciliation.ts';
import { presentDay, presentItem } from './present-reconciliation.ts';

const DAYS_PER_PAGE = 31;

/**
 * Returns a page of days, the newest first, over the credentials of `accountId`; null: of
 * everybody.
 */
export async function readDays(
  deps: Pick<Deps, 'db'>,
  { accountId, before }: { accountId: string | null; before: { day: string; rail: string; currency: string } | null },
) {
  const days = await listReconciliation(deps, { accountId }, { before, limit: DAYS_PER_PAGE + 1 });
  const last = days.length > DAYS_PER_PAGE ? days[DAYS_PER_PAGE - 1] : undefined;
  return {
    days: days.slice(0, DAYS_PER_PAGE).map(presentDay),
    next_cursor: last ? `${last.day} ${last.rail} ${last.currency}` : null,
  };
}

/** Returns one day with its differences. Errors (DomainError): not_found. */
export async function readDay(deps: Pick<Deps, 'db'>, which: { dayId: string; accountId: string | null }) {
  const found = await getReconciledDay(deps, which);
  if (!found) throw new DomainError('not_found');
  return { day: presentDay(found.day), items: found.items.map((item) => presentItem(item, found.day.currency)) };
}

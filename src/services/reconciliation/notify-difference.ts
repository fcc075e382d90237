import { findAccountTerms } from '#db/accounts/account-terms.ts';
import type { DayToReconcile, RunOutcome } from '#db/reconciliation/run-reconciliation.ts';
import type { Role } from '#domain/members/roles.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/** Who may see what differs; a test compares it with the table of what roles may call. */
export const RECONCILERS: readonly Role[] = ['owner', 'finance'];

/**
 * Notifies those who may see it that a day of an account's own provider differs: once a day,
 * however often it is compared again, and once more after each difference of it that an operator
 * acknowledged, where it differs by something else. Members are not notified of differences on the
 * installation's own rails.
 */
export async function notifyDifference(
  deps: Deps,
  day: Pick<DayToReconcile, 'id' | 'accountId' | 'startsAt'> & Pick<RunOutcome, 'acknowledgedBefore'>,
): Promise<void> {
  const { id, accountId, startsAt, acknowledgedBefore } = day;
  const terms = accountId === null ? null : await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (terms?.mode !== 'live') return;
  await notifyMembers(deps, {
    kind: 'reconciliation_differs',
    ...{ merchantId: terms.merchantId, accountId: terms.accountId, subjectId: id },
    ...(acknowledgedBefore !== null && { occasion: acknowledgedBefore }),
    params: { startsAt },
    isFor: ({ role }) => RECONCILERS.includes(role),
  });
}

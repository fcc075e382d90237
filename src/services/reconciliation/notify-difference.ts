import { findAccountTerms } from '#db/accounts/account-terms.ts';
import type { DayToReconcile } from '#db/reconciliation/run-reconciliation.ts';
import type { Role } from '#domain/members/roles.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';

/** Who may see what differs; a test compares it with the table of what roles may call. */
export const RECONCILERS: readonly Role[] = ['owner', 'finance'];

/**
 * Notifies those who may see it that a day of an account's own provider differs, once a day,
 * however often it is compared again. Members are not notified of differences on the installation's
 * own rails.
 */
export async function notifyDifference(
  deps: Deps,
  { id, accountId, startsAt }: Pick<DayToReconcile, 'id' | 'accountId' | 'startsAt'>,
): Promise<void> {
  const terms = accountId === null ? null : await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (terms?.mode !== 'live') return;
  await notifyMembers(deps, {
    kind: 'reconciliation_differs',
    ...{ merchantId: terms.merchantId, accountId: terms.accountId, subjectId: id },
    params: { startsAt },
    isFor: ({ role }) => RECONCILERS.includes(role),
  });
}

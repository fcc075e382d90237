import { setSuspension } from '#db/accounts/set-suspension.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import { notifyChange } from '../members/notify-change.ts';
import type { NotifyDeps } from '../members/notify-members.ts';

type SuspendDeps = NotifyDeps & AsOperator;

/**
 * Suspends an account, in every process at once: its keys are rejected, its members read but change
 * nothing, no money leaves. Withdrawals that were sent are completed, incoming money is credited,
 * webhooks are sent. Returns false when it is suspended already, null when there is no such
 * account.
 */
export const suspendAccount = (
  deps: SuspendDeps,
  { accountId, reason }: { accountId: string; reason: string },
): Promise<boolean | null> => change(deps, accountId, reason);

/** Ends a suspension. Returns false when there is none, null when there is no such account. */
export const resumeAccount = (deps: SuspendDeps, accountId: string): Promise<boolean | null> =>
  change(deps, accountId, null);

async function change(deps: SuspendDeps, accountId: string, reason: string | null): Promise<boolean | null> {
  if (!isUuid(accountId)) return null;
  const changed = await setSuspension(deps.db.pool, {
    ...{ accountId, reason },
    audit: (about) =>
      reason === null
        ? operatorEntry(deps, about, 'account.resumed', {})
        : operatorEntry(deps, about, 'account.suspended', { reason }),
    now: deps.clock(),
  });
  if (!changed) return null;
  if (!changed.changed) return false;
  await notifyChange(deps, {
    merchantId: changed.merchantId,
    what: reason === null ? 'account_resumed' : 'account_suspended',
    about: reason === null ? null : reason,
    by: null,
    origin: null,
  });
  return true;
}

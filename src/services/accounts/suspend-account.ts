import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { setSuspension } from '#db/accounts/set-suspension.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { type AsOperator, operatorEntry } from '../audit/record-audit.ts';
import { prepareChangeNotices } from '../members/notify-change.ts';
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
  const now = deps.clock();
  const account = await findAccountTerms(deps.db.pool, accountId, now);
  if (!account) return null;
  const { merchantId } = account;
  const notices = await prepareChangeNotices(deps, { merchantId, by: null, origin: null });
  const about = { merchantId, accountId };
  const audit =
    reason === null
      ? { ...operatorEntry(deps, about, 'account.resumed', {}), notices: notices('account_resumed') }
      : {
          ...operatorEntry(deps, about, 'account.suspended', { reason }),
          notices: notices('account_suspended', reason),
        };
  const isChanged = await setSuspension(deps.db.pool, { accountId, reason, audit, now });
  if (isChanged) deps.wakeWorkers();
  return isChanged;
}

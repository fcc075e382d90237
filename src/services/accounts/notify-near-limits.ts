import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { scheduleTask } from '#db/tasks/tasks.ts';
import { toBrl } from '#domain/values/money.ts';
import type { Deps } from '../deps.ts';
import { notifyMembers } from '../members/notify-members.ts';
import { getLimits } from './get-limits.ts';
import { nearLimits } from './near-limits.ts';

/** Long enough for a batch of withdrawals to cause one check. */
const CHECK_AFTER_MS = 5_000;

/**
 * Schedules a check of the account's limits; to be called before a withdrawal is sent. For test
 * accounts it does nothing.
 */
export async function planLimitCheck(
  deps: Pick<Deps, 'db' | 'clock'>,
  { accountId, livemode }: { accountId: string; livemode: boolean },
): Promise<void> {
  if (!livemode) return;
  const dueAt = new Date(deps.clock().getTime() + CHECK_AFTER_MS);
  await scheduleTask(deps.db.pool, { kind: 'check_limits', subjectId: accountId, dueAt });
}

/** Notifies a merchant's members of each limit that is nearly used up, once a day or night. */
export async function notifyNearLimits(deps: Deps, accountId: string): Promise<void> {
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (!terms) return;
  for (const { name, usedCentavos, limitCentavos, endsAt } of nearLimits(await getLimits(deps, accountId))) {
    await notifyMembers(deps, {
      kind: 'limit_nearly_reached',
      ...{ merchantId: terms.merchantId, accountId, subjectId: accountId },
      occasion: `${name} ${endsAt.toISOString()}`,
      params: { limit: name, usedReais: toBrl(usedCentavos), limitReais: toBrl(limitCentavos), endsAt },
    });
  }
}

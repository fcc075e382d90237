import type { AccountTerms } from '#db/accounts/account-terms.ts';
import { type NotifyDeps, notifyMembers } from '../members/notify-members.ts';

/**
 * Notifies every member of a merchant that fees, limits or prices of its live account change, have
 * changed, or do not change after all. `from`: when the change takes or took effect. For a test
 * account no one is notified: play money is worth no message.
 */
export async function notifyTermsChange(
  deps: NotifyDeps,
  { merchantId, accountId, mode }: Pick<AccountTerms, 'merchantId' | 'accountId' | 'mode'>,
  { what, from }: { what: 'terms_changed' | 'terms_planned' | 'terms_plan_cancelled'; from: Date },
): Promise<void> {
  if (mode === 'live') await notifyMembers(deps, { kind: what, merchantId, accountId, params: { from } });
}

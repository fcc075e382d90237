import type { AccountTerms } from '#db/accounts/account-terms.ts';
import type { NoticeToSend } from '#db/notices/insert-notices.ts';
import { type NotifyDeps, prepareNotices } from '../members/notify-members.ts';

/**
 * Prepares the notices to every member of a merchant that fees, limits or prices of its live
 * account change, have changed, or do not change after all; the change's own commit writes them.
 * `from`: when the change takes or took effect. For a test account no one is notified: play money
 * is worth no message.
 */
export async function prepareTermsNotices(
  deps: NotifyDeps,
  { merchantId, accountId, mode }: Pick<AccountTerms, 'merchantId' | 'accountId' | 'mode'>,
  what: 'terms_changed' | 'terms_planned' | 'terms_plan_cancelled',
): Promise<(from: Date) => NoticeToSend[]> {
  if (mode !== 'live') return () => [];
  const notices = await prepareNotices(deps, { kind: what, merchantId, accountId });
  return (from) => notices({ from });
}

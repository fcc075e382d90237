import type { AccountTerms } from '#db/accounts/account-terms.ts';
import { type FirstSteps, findFirstSteps } from '#db/accounts/first-steps.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import type { Deps } from '../deps.ts';
import { lacksOwnCredentials } from '../providers/require-own-credentials.ts';

/**
 * Which first steps an account has taken. `provider`: whether its own PSP credentials are
 * connected; null where it needs none.
 */
export async function getFirstSteps(
  deps: Pick<Deps, 'db' | 'settings'>,
  account: Pick<AccountTerms, 'accountId' | 'mode' | 'credentials'>,
): Promise<FirstSteps & { provider: 'missing' | 'connected' | null }> {
  const { accountId, mode } = account;
  const steps = await findFirstSteps(deps.db.pool, { accountId, testReceiverUrl: TEST_RECEIVER_URL });
  const isAsked = deps.settings.requireOwnCredentials && mode === 'live';
  const provider = lacksOwnCredentials(deps, account, 'api_pix') ? 'missing' : 'connected';
  return { ...steps, provider: isAsked ? provider : null };
}

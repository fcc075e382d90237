import { type FirstSteps, findFirstSteps } from '#db/accounts/first-steps.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import type { Deps } from '../deps.ts';

/**
 * Which first steps the merchant of an account has taken; they are the same in both modes.
 * `provider`: whether live payments have the merchant's own PSP credentials; null where they need
 * none.
 */
export async function getFirstSteps(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  accountId: string,
): Promise<FirstSteps & { provider: 'missing' | 'connected' | null }> {
  const steps = await findFirstSteps(db.pool, { accountId, testReceiverUrl: TEST_RECEIVER_URL });
  const provider = steps.connected ? 'connected' : 'missing';
  return { ...steps, provider: settings.requireOwnCredentials ? provider : null };
}

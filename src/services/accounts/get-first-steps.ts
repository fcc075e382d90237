import { type FirstSteps, findFirstSteps } from '#db/accounts/first-steps.ts';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';
import type { Deps } from '../deps.ts';

/** How far an account has come since it was opened. */
export const getFirstSteps = ({ db }: Pick<Deps, 'db'>, accountId: string): Promise<FirstSteps> =>
  findFirstSteps(db.pool, { accountId, testReceiverUrl: TEST_RECEIVER_URL });

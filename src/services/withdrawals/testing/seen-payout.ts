import type { SeenPayout } from '../settle-payout.ts';

/** A payout as a provider states it that says nothing more of it. */
export const seenPayout = (status: SeenPayout['status'], more: Partial<SeenPayout> = {}): SeenPayout => ({
  ...{ status, failureCode: null, providerId: null, endToEndId: null, txHash: null, receiver: null },
  ...more,
});

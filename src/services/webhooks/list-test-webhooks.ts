import { listReceivedWebhooks } from '#db/webhooks/received-webhooks.ts';
import { RECEIVED_KEPT_MAX, RECEIVED_KEPT_MS } from '#domain/webhooks/test-receiver.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { type ReceivedMessage, receivedContext } from './receive-test-webhook.ts';

export type ReceivedWebhook = ReceivedMessage & { id: string; verified: boolean; receivedAt: Date };

/** What the built-in receiver got for this account in the last seven days, the newest first. */
export async function listTestWebhooks(deps: Deps, accountId: string): Promise<ReceivedWebhook[]> {
  // The receiver goes by real time, as a system of the merchant's own would.
  const since = new Date(ownTime(deps).getTime() - RECEIVED_KEPT_MS);
  const rows = await listReceivedWebhooks(deps.db.pool, { accountId, since, limit: RECEIVED_KEPT_MAX });
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    ...(JSON.parse(deps.secretBox.open(sealed, receivedContext(row.id))) as ReceivedMessage),
  }));
}

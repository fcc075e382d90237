import { afterAll, beforeAll, expect, test } from 'vitest';
import { withChangeBefore } from '#db/testing/with-change-before.ts';
import { startWebhookMerchants, type WebhookMerchants } from '#testing/webhook-merchants.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { getWebhookDelivery } from './list-webhook-deliveries.ts';

let setup: WebhookMerchants;
beforeAll(async () => {
  setup = await startWebhookMerchants();
});
afterAll(() => setup.stop());

/** A delivery that its receiver rejected once, and the next attempt at it. */
async function rejectedOnce() {
  const server = await setup.receiver(500);
  const one = await setup.merchant(server.url);
  const { delivery_id: id } = await setup.settled(one, 'pending', 1, await setup.paidCharge(one));
  const { deps } = setup.trilho;
  // The worker makes no further one.
  await deps.db.pool.query(`UPDATE tasks SET due_at = due_at + interval '1 day' WHERE subject_id = $1`, [id]);
  const task = { kind: 'deliver_webhook' as const, subjectId: id, attempts: 2, leaseUntil: deps.clock() };
  const attempt = () => deliverWebhook(deps, task);
  const readWhile = (statement: string, change: () => Promise<unknown>) => {
    const db = { ...deps.db, pool: withChangeBefore(deps.db.pool, statement, change) };
    return getWebhookDelivery({ ...deps, db }, one.accountId, id);
  };
  return { one, server, attempt, readWhile };
}

test('a delivery is shown with as many attempts as it had when its status was read', async () => {
  const { attempt, readWhile } = await rejectedOnce();
  const { status, attempts, tries } = await readWhile('list-attempts', attempt);
  expect([status, attempts, tries.length]).toEqual(['pending', 1, 1]);
});

test('an attempt right after a rotation of the secret is shown with what it was signed with', async () => {
  const { one, server, attempt, readWhile } = await rejectedOnce();
  const { tries } = await readWhile('find-delivery-details', async () => {
    await one.panel.rotateSecret();
    setup.timePasses(1_000);
    await attempt();
  });
  expect(tries).toHaveLength(2);
  expect(tries[1]?.headers['webhook-signature']).toBe(server.calls[1]?.headers['webhook-signature']);
});

import * as contract from '#contract/webhooks/webhooks.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { getWebhooks } from '#services/webhooks/get-webhooks.ts';
import { listTestWebhooks } from '#services/webhooks/list-test-webhooks.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '#services/webhooks/list-webhook-deliveries.ts';
import {
  enableWebhookEndpoint,
  removeWebhookEndpoint,
  setWebhookEndpoint,
} from '#services/webhooks/manage-webhook-endpoints.ts';
import {
  endWebhookSecretOverlap,
  revealWebhookSecret,
  rotateWebhookSecret,
} from '#services/webhooks/manage-webhook-secret.ts';
import { resendFailedWebhooks, resendWebhook } from '#services/webhooks/resend-webhooks.ts';
import { sendTestWebhook } from '#services/webhooks/send-test-webhook.ts';
import { setTestReceiver } from '#services/webhooks/set-test-receiver.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { presentDelivery, presentListItem, presentWebhooks } from './webhook-view.ts';

// Where events go, and whether any do, is worth as much to a thief as what signs them.
const changesEndpoint = memberProcedure.meta({ confirm: 'recent' });
const changesTopic = changesEndpoint.input(contract.topicInput);
const showsSecret = memberProcedure.meta({ confirm: 'recent', secrets: ['secret'] });

export const webhooksRouter = router({
  overview: memberProcedure
    .output(encoded(contract.webhooksOutput))
    .query(async ({ ctx }) => presentWebhooks(await getWebhooks(ctx.deps, ctx.principal.accountId))),

  setEndpoint: changesEndpoint
    .input(contract.setEndpointInput)
    .mutation(({ ctx, input }) => setWebhookEndpoint(ctx.deps, whoIn(ctx), input)),
  removeEndpoint: changesTopic.mutation(({ ctx, input }) => removeWebhookEndpoint(ctx.deps, whoIn(ctx), input.topic)),
  enableEndpoint: changesTopic.mutation(({ ctx, input }) => enableWebhookEndpoint(ctx.deps, whoIn(ctx), input.topic)),

  /** Asks for no fresh proof: no URL is replaced, and nothing goes where others see it. */
  setTestReceiver: memberProcedure.mutation(({ ctx }) => setTestReceiver(ctx.deps, whoIn(ctx))),
  received: memberProcedure
    .output(encoded(contract.receivedWebhooksOutput))
    .query(async ({ ctx: { deps, principal } }) => ({
      received: (await listTestWebhooks(deps, principal.accountId)).map(({ receivedAt, ...received }) => ({
        ...received,
        received_at: receivedAt,
      })),
    })),

  // Mutations: what they answer is noted, and must not be kept by a browser's cache.
  revealSecret: showsSecret
    .output(encoded(contract.webhookSecretOutput))
    .mutation(async ({ ctx }) => ({ secret: await revealWebhookSecret(ctx.deps, whoIn(ctx)) })),
  rotateSecret: showsSecret.output(encoded(contract.rotatedSecretOutput)).mutation(async ({ ctx }) => {
    const { secret, overlapUntil } = await rotateWebhookSecret(ctx.deps, whoIn(ctx));
    return { secret, overlap_until: overlapUntil };
  }),
  endSecretOverlap: memberProcedure
    .meta({ confirm: 'recent' })
    .mutation(({ ctx }) => endWebhookSecretOverlap(ctx.deps, whoIn(ctx))),

  deliveries: memberProcedure
    .input(contract.deliveryListInput)
    .output(encoded(contract.deliveryListOutput))
    .query(async ({ ctx, input }) => {
      const { deliveries, nextCursor } = await listWebhookDeliveries(ctx.deps, ctx.principal.accountId, {
        status: input.status,
        topic: input.topic,
        transactionId: input.transaction_id,
        afterDeliveryId: input.cursor,
        limit: input.limit,
      });
      return { deliveries: deliveries.map(presentListItem), next_cursor: nextCursor };
    }),
  delivery: memberProcedure
    .input(contract.deliveryInput)
    .output(encoded(contract.deliveryOutput))
    .query(async ({ ctx, input }) =>
      presentDelivery(await getWebhookDelivery(ctx.deps, ctx.principal.accountId, input.delivery_id)),
    ),

  resend: memberProcedure
    .input(contract.deliveryInput)
    .output(encoded(contract.resentOutput))
    .mutation(async ({ ctx, input }) => ({
      outcome: await resendWebhook(ctx.deps, ctx.principal.accountId, input.delivery_id),
    })),
  resendFailed: memberProcedure
    .input(contract.resendFailedInput)
    .output(encoded(contract.resendFailedOutput))
    .mutation(({ ctx, input }) => resendFailedWebhooks(ctx.deps, whoIn(ctx), input.topic)),
  sendTest: memberProcedure
    .input(contract.topicInput)
    .output(encoded(contract.testEventOutput))
    .mutation(async ({ ctx, input }) => ({
      delivery_id: (await sendTestWebhook(ctx.deps, ctx.principal, { topic: input.topic, endpointId: null }))
        .deliveryId,
    })),
});

const whoIn = ({ principal, member, panel }: { principal: Principal; member: Member; panel: { origin: Origin } }) => ({
  accountId: principal.accountId,
  mode: principal.mode,
  member,
  origin: panel.origin,
});

import {
  eventInput,
  eventListInput,
  eventListOutput,
  eventOutput,
  eventResendInput,
  eventResendOutput,
  heldSendInput,
  heldSendOutput,
  replayInput,
  replayOutput,
} from '#contract/webhooks/events.ts';
import { getEvent } from '#services/webhooks/get-event.ts';
import { listOwnEvents } from '#services/webhooks/list-own-events.ts';
import { replayEvents } from '#services/webhooks/replay-events.ts';
import { resendEvent } from '#services/webhooks/resend-event.ts';
import { sendHeldWebhooks } from '#services/webhooks/send-held-webhooks.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, actingIn, router } from '../procedure.ts';
import { presentEvent, toEventJson } from './event-view.ts';

export const eventsRouter = router({
  list: accountProcedure
    .meta({
      permission: 'transactions:read',
      openapi: {
        method: 'GET',
        path: '/events',
        operationId: 'listEvents',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['invalid_input'] },
    })
    .input(eventListInput)
    .output(encoded(eventListOutput))
    .query(async ({ ctx, input }) => {
      const { events, nextCursor } = await listOwnEvents(ctx.deps, ctx.principal.accountId, {
        statuses: input.status,
        types: input.type,
        transactionId: input.transaction_id,
        since: input.since,
        beforeEventId: input.cursor,
        limit: input.limit,
      });
      return {
        success: true as const,
        data: events.map(presentEvent),
        next_cursor: nextCursor,
      };
    }),

  get: accountProcedure
    .meta({
      permission: 'transactions:read',
      openapi: {
        method: 'GET',
        path: '/events/{eventId}',
        operationId: 'getEvent',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['event_not_found'] },
    })
    .input(eventInput)
    .output(encoded(eventOutput))
    .query(async ({ ctx, input }) => {
      const event = await getEvent(ctx.deps, ctx.principal.accountId, input.eventId);
      return { success: true as const, data: toEventJson(event) };
    }),

  resend: accountProcedure
    .meta({
      permission: 'charges:write',
      openapi: {
        method: 'POST',
        path: '/events/{eventId}/resend',
        operationId: 'resendEvent',
        tags: ['events'],
        protect: true,
      },
      rest: {
        errors: ['invalid_input', 'event_not_found', 'endpoint_not_found', 'endpoint_disabled', 'webhook_disabled'],
      },
    })
    .input(eventResendInput)
    .output(encoded(eventResendOutput))
    .mutation(async ({ ctx, input }) => {
      const { eventId, endpoint_id: endpointId } = input;
      const deliveries = await resendEvent(ctx.deps, ctx.principal.accountId, { eventId, endpointId });
      const event = { ...deliveries[0], deliveries };
      return { success: true as const, message: 'Evento a caminho', data: presentEvent(event) };
    }),

  sendHeld: accountProcedure
    .meta({
      permission: 'charges:write',
      openapi: {
        method: 'POST',
        path: '/events/held/send',
        operationId: 'sendHeldEvents',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'webhook_disabled'] },
    })
    .input(heldSendInput)
    .output(encoded(heldSendOutput))
    .mutation(async ({ ctx, input: { topic } }) => {
      const sending = await sendHeldWebhooks(ctx.deps, actingIn(ctx), topic);
      return { success: true as const, message: 'Envio iniciado', data: { topic, sending } };
    }),

  replay: accountProcedure
    .meta({
      permission: 'charges:write',
      openapi: {
        method: 'POST',
        path: '/events/replay/start',
        operationId: 'replayEvents',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'endpoint_not_found'] },
    })
    .input(replayInput)
    .output(encoded(replayOutput))
    .mutation(async ({ ctx, input }) => {
      const { count, nextCursor } = await replayEvents(ctx.deps, actingIn(ctx), {
        since: input.since,
        until: input.until,
        types: input.type,
        statuses: input.status,
        endpointId: input.endpoint_id,
        afterEventId: input.cursor,
      });
      return { success: true as const, message: 'Reenvio iniciado', data: { sending: count }, next_cursor: nextCursor };
    }),
});

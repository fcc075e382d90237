import { z } from 'zod';
import * as contract from '#contract/webhooks/webhook-endpoints.ts';
import { ownTime } from '#services/accounts/on-test-clock.ts';
import {
  createApiEndpoint,
  deleteApiEndpoint,
  listOwnApiEndpoints,
  requireApiEndpoint,
  rotateEndpointSecret,
  testApiEndpoint,
  updateApiEndpoint,
} from '#services/webhooks/manage-api-endpoints.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, actingIn, router } from '../procedure.ts';
import { presentEndpoint } from './present-endpoint.ts';

/**
 * Endpoints of webhooks beside those of the topics. A member is asked for a fresh second factor, as
 * for those: where events go is worth as much to a thief as what signs them.
 */
export const endpointsRouter = router({
  list: accountProcedure
    .meta({
      permission: 'webhooks:write',
      openapi: {
        method: 'GET',
        path: '/webhook-endpoints',
        operationId: 'listWebhookEndpoints',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: [] },
    })
    .input(z.object({}))
    .output(encoded(contract.endpointListOutput))
    .query(async ({ ctx }) => {
      const endpoints = await listOwnApiEndpoints(ctx.deps, ctx.principal.accountId);
      const now = ownTime(ctx.deps);
      return { success: true as const, data: endpoints.map((endpoint) => presentEndpoint(endpoint, now)) };
    }),

  create: accountProcedure
    .meta({
      permission: 'webhooks:write',
      confirm: 'recent',
      secrets: ['data.secret'],
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints',
        operationId: 'createWebhookEndpoint',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'too_many_endpoints'], status: 201 },
    })
    .input(contract.createEndpointInput)
    .output(encoded(contract.createdEndpointOutput))
    .mutation(async ({ ctx, input }) => {
      const { url, description, event_types: eventTypes, enabled } = input;
      const { endpoint, secret } = await createApiEndpoint(ctx.deps, actingIn(ctx), {
        ...{ id: ctx.subjectId, url, description, enabled },
        eventTypes: eventTypes ?? [],
      });
      const data = { ...presentEndpoint(endpoint, ownTime(ctx.deps)), secret };
      return { success: true as const, message: 'Endpoint criado com sucesso', data };
    }),

  get: accountProcedure
    .meta({
      permission: 'webhooks:write',
      openapi: {
        method: 'GET',
        path: '/webhook-endpoints/{endpointId}',
        operationId: 'getWebhookEndpoint',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['endpoint_not_found'] },
    })
    .input(contract.endpointInput)
    .output(encoded(contract.endpointOutput))
    .query(async ({ ctx, input }) => {
      const endpoint = await requireApiEndpoint(ctx.deps, ctx.principal.accountId, input.endpointId);
      return { success: true as const, data: presentEndpoint(endpoint, ownTime(ctx.deps)) };
    }),

  change: accountProcedure
    .meta({
      permission: 'webhooks:write',
      confirm: 'recent',
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{endpointId}',
        operationId: 'updateWebhookEndpoint',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'endpoint_not_found'] },
    })
    .input(contract.changeEndpointInput)
    .output(encoded(contract.changedEndpointOutput))
    .mutation(async ({ ctx, input }) => {
      const { endpointId, url, description, event_types: eventTypes, enabled } = input;
      const endpoint = await updateApiEndpoint(ctx.deps, actingIn(ctx), endpointId, {
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(eventTypes !== undefined && { eventTypes: eventTypes ?? [] }),
        ...(enabled !== undefined && { enabled }),
      });
      const data = presentEndpoint(endpoint, ownTime(ctx.deps));
      return { success: true as const, message: 'Endpoint alterado', data };
    }),

  rotateSecret: accountProcedure
    .meta({
      permission: 'webhooks:write',
      confirm: 'recent',
      secrets: ['data.secret'],
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{endpointId}/rotate-secret',
        operationId: 'rotateWebhookEndpointSecret',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'endpoint_not_found', 'secret_overlap'] },
    })
    .input(contract.rotateEndpointSecretInput)
    .output(encoded(contract.createdEndpointOutput))
    .mutation(async ({ ctx, input }) => {
      const { endpointId, overlap } = input;
      const { endpoint, secret } = await rotateEndpointSecret(ctx.deps, actingIn(ctx), endpointId, {
        ...{ overlap, requestId: ctx.subjectId, resumed: ctx.resumed },
      });
      const data = { ...presentEndpoint(endpoint, ownTime(ctx.deps)), secret };
      return { success: true as const, message: 'Segredo trocado', data };
    }),

  test: accountProcedure
    .meta({
      permission: 'webhooks:write',
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{endpointId}/test',
        operationId: 'testWebhookEndpoint',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['endpoint_not_found', 'endpoint_disabled', 'too_many_test_events'] },
    })
    .input(contract.endpointInput)
    .output(encoded(contract.testedEndpointOutput))
    .mutation(async ({ ctx, input }) => {
      const { endpointId } = input;
      const eventId = await testApiEndpoint(ctx.deps, actingIn(ctx), endpointId, {
        resumed: ctx.resumed,
        // Calls of the panel that are sent together have one id.
        eventId: ctx.resumed === undefined ? undefined : ctx.subjectId,
      });
      const data = { endpoint_id: endpointId.toLowerCase(), event_id: eventId };
      return { success: true as const, message: 'Evento de teste a caminho', data };
    }),

  remove: accountProcedure
    .meta({
      permission: 'webhooks:write',
      confirm: 'recent',
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{endpointId}/remove',
        operationId: 'removeWebhookEndpoint',
        tags: ['events'],
        protect: true,
      },
      rest: { errors: ['endpoint_not_found'] },
    })
    .input(contract.endpointInput)
    .output(encoded(contract.removedEndpointOutput))
    .mutation(async ({ ctx, input }) => {
      const { endpointId } = input;
      await deleteApiEndpoint(ctx.deps, actingIn(ctx), endpointId, { resumed: ctx.resumed });
      return { success: true as const, message: 'Endpoint removido', data: { endpoint_id: endpointId.toLowerCase() } };
    }),
});

import { z } from 'zod';
import { ENDPOINT_DESCRIPTION_LENGTH_MAX } from '#domain/webhooks/api-endpoints.ts';
import { DISABLED_REASONS } from '#domain/webhooks/disabled-reason.ts';
import { TEST_EVENT_TYPE } from '#domain/webhooks/events.ts';
import { optional } from '../codecs.ts';
import { filledTextInput, instantOutput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';
import { openSet } from '../value-sets.ts';
import { EVENT_TYPES, someOf } from './events.ts';
import { eventIdOutput } from './webhook-bodies.ts';
import { urlInput } from './webhooks.ts';

/** Endpoints of webhooks over REST: each takes the types of events that it names, or all. */

/** A test event is sent to the endpoint that it was asked for. */
const TYPES = EVENT_TYPES.filter((type) => type !== TEST_EVENT_TYPE);

const endpointId = z.uuid().describe('Identificador do endpoint.');
const url = urlInput.describe('Para onde os eventos vão, por POST: uma URL https de endereço público.');
const description = filledTextInput(ENDPOINT_DESCRIPTION_LENGTH_MAX).describe('Para você reconhecer o endpoint.');
const eventTypes = someOf('SubscribedType', TYPES)
  .min(1, { error: issue('not_some_of', { values: TYPES.join(', ') }) })
  .transform((types) => [...new Set(types)])
  .describe('Só os eventos destes tipos.');
const enabled = z.boolean({ error: issue('not_yes_or_no') });

const endpoint = {
  endpoint_id: endpointId,
  url: z.string(),
  description: z.string().nullable(),
  event_types: z
    .array(openSet(TYPES))
    .nullable()
    .describe('Os tipos de evento que ele recebe; null: todos, também os que vierem a existir.'),
  enabled: z.boolean().describe('false: nada é enviado a ele.'),
  disabled_reason: named('DisabledReason', z.enum(DISABLED_REASONS))
    .nullable()
    .describe(
      'Por que está desativado. merchant: você o desativou; gone: ele respondeu 410; failing: em cinco dias nada chegou a ele.',
    ),
  disabled_at: instantOutput.nullable(),
  failing_since: instantOutput
    .nullable()
    .describe('Desde quando um evento espera por ele depois de uma tentativa que falhou.'),
  last_delivered_at: instantOutput.nullable().describe('Quando ele recebeu um evento pela última vez.'),
  secret_overlap_until: instantOutput
    .nullable()
    .describe('Até quando o segredo anterior assina também; null: só o atual assina.'),
  created_at: instantOutput,
};

const shownOnce = {
  secret: z
    .string()
    .nullable()
    .describe(
      'O segredo (whsec_…) que assina o que vai a este endpoint. Só aparece nesta resposta: guarde-o. null quando a Idempotency-Key é repetida: se ele se perdeu, troque-o com overlap: false.',
    ),
};

const success = z.literal(true);
const webhookEndpoint = named('WebhookEndpoint', z.object(endpoint));
const withSecret = named('WebhookEndpointWithSecret', z.object({ ...endpoint, ...shownOnce }));

/** GET /webhook-endpoints */
export const endpointListOutput = z.object({ success, data: z.array(webhookEndpoint) });

/** Not checked here: a text that is no id is not found. */
export const endpointInput = z.object({ endpointId: z.string().describe('Identificador do endpoint.') });

/** GET /webhook-endpoints/{endpointId} */
export const endpointOutput = z.object({ success, data: webhookEndpoint });

/** POST /webhook-endpoints */
export const createEndpointInput = z.object({
  url,
  description: optional(description),
  event_types: optional(eventTypes).describe('Só os eventos destes tipos; sem ele, todos.'),
  enabled: enabled.default(true).describe('false: o endpoint é criado desativado.'),
});

export const createdEndpointOutput = z.object({
  success,
  message: z.string(),
  data: withSecret,
});

/** POST /webhook-endpoints/{endpointId}: what is left out stays. */
export const changeEndpointInput = endpointInput.extend({
  url: url.optional(),
  description: description.nullable().optional().describe('null: sem descrição.'),
  event_types: eventTypes.nullable().optional().describe('Só os eventos destes tipos; null: todos.'),
  enabled: enabled.optional().describe('false: nada mais é enviado a ele, e o que espera fica retido.'),
});

export const changedEndpointOutput = z.object({ success, message: z.string(), data: webhookEndpoint });

/** POST /webhook-endpoints/{endpointId}/remove */
export const removedEndpointOutput = z.object({
  success,
  message: z.string(),
  data: named('RemovedWebhookEndpoint', z.object({ endpoint_id: endpointId })),
});

/** POST /webhook-endpoints/{endpointId}/rotate-secret */
export const rotateEndpointSecretInput = endpointInput.extend({
  overlap: enabled
    .default(true)
    .describe('true: o segredo anterior assina também por 24 horas; false: já não assina nada.'),
});

/** POST /webhook-endpoints/{endpointId}/test */
export const testedEndpointOutput = z.object({
  success,
  message: z.string(),
  data: named(
    'TestedWebhookEndpoint',
    z.object({
      endpoint_id: endpointId,
      event_id: eventIdOutput.describe('O evento de teste: GET /events/{eventId} diz se chegou.'),
    }),
  ),
});

export type ApiEndpointOutput = z.input<typeof endpointListOutput>['data'][number];

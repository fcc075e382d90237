import { z } from 'zod';
import { eventIdOf, publicEventId, TOPICS } from '#domain/webhooks/events.ts';
import { optional, parsed } from '../codecs.ts';
import { instantOutput, uuidInput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';
import { describedInstant, limitInput, listOf, optionalParameter } from '../query-fields.ts';
import { deliveryStatus, openSet, topic } from '../value-sets.ts';
import { eventIdOutput, WEBHOOK_BODIES } from './webhook-bodies.ts';

/** Events over REST: what happened, and the status of each delivery. */

export const EVENT_TYPES: readonly string[] = Object.values(WEBHOOK_BODIES).flatMap(({ shape }) => shape.type.options);

const eventType = named('EventType', z.enum(EVENT_TYPES));

const STATUS_TEXT =
  'pending: a caminho; delivered: recebido; failed: as tentativas acabaram sem que fosse recebido; held: retido, porque o webhook está desativado ou sem URL.';

/** Not checked here: a text that is no id is not found. */
const eventIdInput = z
  .string()
  .meta({ description: 'Identificador do evento, como no cabeçalho webhook-id.' })
  .transform(eventIdOf);

const cursorInput = parsed(z.string({ error: issue('not_cursor') }), eventIdOf, publicEventId, 'not_cursor');

/** GET /events; query parameters are texts. */
export const eventListInput = z.object({
  status: listOf(deliveryStatus, `Só os que estão assim, separados por vírgulas. ${STATUS_TEXT}`),
  type: listOf(eventType, 'Só estes tipos, separados por vírgulas, ex.: pix_in.paid.'),
  transaction_id: optionalParameter(z.string({ error: issue('not_text') }).describe('Só os desta transação.')),
  since: optionalParameter(describedInstant('Só os que aconteceram a partir deste instante.')),
  limit: limitInput('Quantos eventos a página tem, no máximo.'),
  cursor: optionalParameter(cursorInput.describe('O next_cursor da página anterior.')),
});

const attempt = {
  number: z.int().min(1).describe('A partir de 1.'),
  started_at: instantOutput,
  duration_ms: z.int().min(0).describe('Até a resposta, em milissegundos.'),
  status_code: z.int().nullable().describe('O status HTTP da sua resposta; null: não houve resposta.'),
  error: z
    .string()
    .nullable()
    .describe('Por que não houve resposta: blocked_address, timeout, tls ou connection; senão null.'),
};

const delivery = {
  status: deliveryStatus.describe(STATUS_TEXT),
  topic: topic
    .nullable()
    .describe('O tópico do webhook; null: vai à callbackUrl da cobrança, ou a um endpoint, que está em endpoint_id.'),
  endpoint_id: z.uuid().nullable().describe('O endpoint de /webhook-endpoints a que vai; senão null.'),
  url: z.string().nullable().describe('Para onde vai ou foi; null: o tópico não tem URL.'),
  attempt_count: z.int().min(0).describe('Quantas tentativas houve.'),
  last_attempt: named('DeliveryAttemptItem', z.object(attempt)).nullable(),
  next_attempt_at: instantOutput
    .nullable()
    .describe(
      'Quando será a próxima tentativa, se status é pending; durante uma, quando outra a substitui se ela não terminar.',
    ),
  finished_at: instantOutput.nullable().describe('Quando foi recebido, ou quando desistimos.'),
};

const event = {
  event_id: eventIdOutput.describe('Como no cabeçalho webhook-id e em id no corpo.'),
  type: openSet(EVENT_TYPES).describe('O que aconteceu, como em type no corpo.'),
  transaction_id: z.uuid().nullable().describe('null: um evento de teste, que não é de nenhuma transação.'),
  created_at: instantOutput.describe('Quando aconteceu.'),
};

const eventItem = named(
  'EventItem',
  z.object({
    ...event,
    deliveries: z.array(named('DeliveryItem', z.object(delivery))).describe('Para onde o evento vai.'),
  }),
);

export const eventListOutput = z.object({
  success: z.literal(true),
  data: z.array(eventItem),
  next_cursor: eventIdOutput.nullable().describe('Envie como cursor para a próxima página; null na última.'),
});

/** GET /events/{eventId} */
export const eventInput = z.object({ eventId: eventIdInput });

export const eventOutput = z.object({
  success: z.literal(true),
  data: named(
    'Event',
    z.object({
      ...event,
      body: z.string().describe('O corpo exato que cada tentativa leva: JSON, em um texto.'),
      deliveries: z
        .array(
          named(
            'Delivery',
            z.object({
              ...delivery,
              attempts: z
                .array(
                  named(
                    'DeliveryAttempt',
                    z.object({ ...attempt, answer: z.string().nullable().describe('O começo da sua resposta.') }),
                  ),
                )
                .describe('As últimas tentativas, da mais antiga à mais nova.'),
            }),
          ),
        )
        .describe('Para onde o evento vai.'),
    }),
  ),
});

const endpointIdInput = optional(
  uuidInput.describe('Só para este endpoint de /webhook-endpoints; sem ele, para onde o evento vai.'),
);

/** POST /events/{eventId}/resend */
export const eventResendInput = z.object({ eventId: eventIdInput, endpoint_id: endpointIdInput });

export const eventResendOutput = z.object({ success: z.literal(true), message: z.string(), data: eventItem });

/** POST /events/held/send */
export const heldSendInput = z.object({
  topic: named('Topic', z.enum(TOPICS, { error: issue('not_one_of', choiceOf(TOPICS)) })).describe(
    'O tópico cujos eventos retidos são enviados.',
  ),
});

export const heldSendOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named(
    'HeldEventsSending',
    z.object({
      topic,
      sending: z.int().min(0).describe('Quantos eventos retidos serão enviados; acima de 1000, 1000.'),
    }),
  ),
});

/** An event that is being sent needs no replay. */
const REPLAYED_STATUSES = ['delivered', 'failed', 'held'] as const;

export const someOf = <T extends string>(name: string, values: readonly T[]) => {
  const error = issue('not_some_of', { values: values.join(', ') });
  return z
    .array(named(name, z.enum(values as readonly [T, ...T[]], { error })), { error })
    .max(values.length, { error });
};

/** POST /events/replay/start */
export const replayInput = z.object({
  since: describedInstant('Só os que aconteceram a partir deste instante, dos últimos 30 dias.'),
  until: optional(describedInstant('Só os que aconteceram antes deste instante; sem ele, até agora.')),
  type: someOf('EventType', EVENT_TYPES).default([]).describe('Só estes tipos; sem ele, todos.'),
  status: someOf('ReplayedStatus', REPLAYED_STATUSES)
    .default([...REPLAYED_STATUSES])
    .describe('Só os que estão assim; sem ele, delivered, failed e held.'),
  endpoint_id: endpointIdInput,
  cursor: optional(cursorInput.describe('O next_cursor da chamada anterior, com o mesmo filtro.')),
});

export const replayOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named(
    'EventReplay',
    z.object({
      sending: z.int().min(0).describe('Quantos envios esperam a vez, um para cada destino de um evento.'),
    }),
  ),
  next_cursor: eventIdOutput.nullable().describe('Envie como cursor para continuar; null quando não há mais eventos.'),
});

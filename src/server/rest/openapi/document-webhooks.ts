import { WEBHOOK_BODIES, type WebhookBodyName, type WebhookType } from '#contract/webhooks/webhook-bodies.ts';
import { TEST_EVENT_TYPE, type TransactionFields } from '#domain/webhooks/events.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import { messages } from '#messages/messages.ts';
import { type DisputeEventType, disputeEventBody } from '#services/disputes/dispute-event.ts';
import { eventBody, testEventBody } from '#services/webhooks/event-body.ts';
import {
  CHARGE_ID,
  CREATED_AT,
  CRYPTO_WITHDRAWAL_ID,
  DESTINATION_WALLET,
  DISPUTE_ID,
  END_TO_END_ID,
  INVOICE_ID,
  ORDER,
  PAID_AT,
  REFUND_ID,
  REFUNDED_AT,
  SPLIT_ID,
  WITHDRAWAL_END_TO_END_ID,
  WITHDRAWAL_ID,
} from './document-ids.ts';

const HEADER = { in: 'header', required: true };

/** The headers of a webhook (Standard Webhooks), among the document's parameters. */
export const WEBHOOK_HEADERS = {
  'webhook-id': {
    name: 'webhook-id',
    ...HEADER,
    description: 'Identificador do evento, igual em todas as tentativas: um que já chegou pode ser ignorado.',
    schema: { type: 'string' },
    example: 'evt_01a1f8f491c07d55a1b2c3d4e5f60718',
  },
  'webhook-timestamp': {
    name: 'webhook-timestamp',
    ...HEADER,
    description: 'Quando esta tentativa foi feita, em segundos desde 1970.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1795178140',
  },
  'webhook-signature': {
    name: 'webhook-signature',
    ...HEADER,
    description:
      'v1, uma vírgula e o HMAC-SHA256 em base64 de "webhook-id.webhook-timestamp.corpo", com a secret_key da conta ou, num endpoint de /webhook-endpoints, com o segredo dele. Nas 24 horas depois da troca do segredo são duas, separadas por um espaço: a do novo e a do anterior.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const;

/** The `webhooks` of the document: every type of event that is sent, with the body of one. */
export function webhooks() {
  return Object.fromEntries(
    Object.entries(WEBHOOK_BODIES).flatMap(([name, body]) =>
      body.shape.type.options.map((type) => [type, { post: describeEvent(name as WebhookBodyName, type) }]),
    ),
  );
}

/** The schema of any event's body; its type says which one it is. */
export function webhookEvent() {
  const bodies = Object.entries(WEBHOOK_BODIES).map(([name, body]) => ({ reference: bodyReference(name), body }));
  const mapping = bodies.flatMap(({ reference, body }) => body.shape.type.options.map((type) => [type, reference]));
  return {
    oneOf: bodies.map(({ reference }) => ({ $ref: reference })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  };
}

const bodyReference = (name: string) => `#/components/schemas/${name}`;

function describeEvent(bodyName: WebhookBodyName, type: WebhookType) {
  return {
    operationId: type,
    ...textsOf(type),
    tags: ['webhooks'],
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: bodyReference(bodyName) },
          example: exampleOf(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'Recebido; o evento não é enviado de novo.' },
      410: {
        description:
          'O webhook é desativado, e os eventos ficam retidos até serem enviados pelo painel ou pela API. De uma callbackUrl o evento não é enviado de novo.',
      },
      default: {
        description: `O evento é enviado de novo, com intervalos crescentes, até ${WEBHOOK_ATTEMPTS_MAX} vezes.`,
      },
    },
  };
}

/** Heading and, where it needs one, description, from the catalogue of texts. */
function textsOf(type: WebhookType): { summary: string; description?: string } {
  const texts: Record<string, { summary: string; description?: string }> = messages['pt-BR'].docs.events.types;
  const found = texts[type.replace('.', '_')];
  if (!found) throw new Error(`The catalogue of texts has nothing of the event ${type}.`);
  return found;
}

const isDisputeEvent = (type: WebhookType): type is DisputeEventType => type.startsWith('dispute.');
const ANSWER_BY = '2026-11-22T12:35:40.310Z';

type ShapeName = Exclude<WebhookBodyName, 'WebhookTestEvent' | 'DisputeEvent'>;
type Details<N extends ShapeName> = Parameters<typeof eventBody<N>>[1]['details'];
type EventExample<N extends ShapeName> = {
  shape: N;
  fields: TransactionFields;
  previousStatus: string | null;
  details: Details<N>;
};
/** An example of any shape, with that shape's details. */
type AnyExample = { [N in ShapeName]: EventExample<N> }[ShapeName];

function exampleOf(type: WebhookType): unknown {
  const now = new Date(type.startsWith('pix_in.refund') ? REFUNDED_AT : '2026-11-20T12:35:40.310Z');
  const eventId = '01a1f8f4-91c0-7d55-a1b2-c3d4e5f60718';
  if (type === TEST_EVENT_TYPE) {
    return JSON.parse(testEventBody({ eventId, now, livemode: true, topic: 'deposit', endpointId: null }));
  }
  if (isDisputeEvent(type)) {
    const state = type === 'dispute.closed' ? 'won' : 'open';
    const dispute = {
      id: DISPUTE_ID,
      reason: 'fraud' as const,
      centavos: 150_75n,
      state,
      answerBy: new Date(ANSWER_BY),
    } as const;
    const event = { eventId, now, livemode: true, fields: transaction, charge: transaction, details: charge, dispute };
    return JSON.parse(disputeEventBody(type, event));
  }
  const { shape, fields, previousStatus, details } = EVENTS[type] as EventExample<'PixInEvent'>;
  const [, name = ''] = type.split('.');
  return JSON.parse(eventBody(shape, { eventId, now, livemode: true, fields, previousStatus, name, details }));
}

const transaction = {
  id: CHARGE_ID,
  type: 'pix_in',
  status: 'paid',
  amountCentavos: 150_75n,
  feeCentavos: 1_51n,
  netCentavos: 149_24n,
  externalId: END_TO_END_ID,
  createdAt: new Date(CREATED_AT),
  paidAt: new Date(PAID_AT),
} as const;
const unpaid = { ...transaction, externalId: CHARGE_ID.replaceAll('-', ''), paidAt: null };
const unpaidCharge = {
  split: null,
  txid: CHARGE_ID.replaceAll('-', ''),
  end_to_end_id: null,
  description: 'Pedido 1042',
  ...ORDER,
  payer: { name: 'Maria d. S.', document: '***.982.247-**', document_type: 'cpf' },
} as const;
const charge = { ...unpaidCharge, end_to_end_id: END_TO_END_ID } as const;
const refund = {
  ...charge,
  refund_id: REFUND_ID,
  refund_amount: 10_00n,
  refund_reference: null,
  refund_metadata: null,
};

const withdrawal = {
  ...transaction,
  id: WITHDRAWAL_ID,
  type: 'pix_out',
  status: 'paid',
  amountCentavos: 50_00n,
  feeCentavos: 90n,
  netCentavos: 50_00n,
  externalId: WITHDRAWAL_END_TO_END_ID,
} as const;
const unsent = { ...withdrawal, externalId: WITHDRAWAL_ID.replaceAll('-', ''), paidAt: null };
const unnamed = { reference: null, metadata: null };
const ofPayout = { description: 'Repasse semanal', ...unnamed };
const endToEnd = { ...ofPayout, end_to_end_id: WITHDRAWAL_END_TO_END_ID };

const invoice = {
  ...transaction,
  id: INVOICE_ID,
  type: 'crypto_in',
  status: 'completed',
  amountCentavos: 250_00n,
  feeCentavos: 3_75n,
  netCentavos: 246_25n,
  externalId: '673dd2a1c4e0f8b2a91d7e35',
} as const;
const open = { ...invoice, status: 'pending', paidAt: null };
const arrived = (received: bigint, net: bigint, fees: bigint, subStatus: string | null, confirmations: number) => ({
  currency: 'USDT_TRX',
  crypto_amount: 46_29629700n,
  crypto_received: received,
  sub_status: subStatus,
  credited_net_amount: net,
  credited_fees: fees,
  review_amount: 0n,
  confirmations,
  description: 'Pedido 1043',
  reference: 'pedido-1043',
  metadata: null,
  payer: null,
});
const NOTHING = arrived(0n, 0n, 0n, null, 0);

const cryptoWithdrawal = {
  ...transaction,
  id: CRYPTO_WITHDRAWAL_ID,
  type: 'crypto_out',
  status: 'completed',
  amountCentavos: 100_00n,
  feeCentavos: 1_50n,
  netCentavos: 98_50n,
  externalId: '673dd2f7c4e0f8b2a91d7e41',
} as const;
const sent = {
  currency: 'USDT_BSC',
  crypto_amount: 18_24074074n,
  wallet: DESTINATION_WALLET,
  description: null,
  ...unnamed,
};

const EVENTS: Record<Exclude<WebhookType, typeof TEST_EVENT_TYPE | DisputeEventType>, AnyExample> = {
  'pix_in.paid': { shape: 'PixInEvent', fields: transaction, previousStatus: 'pending', details: charge },
  'pix_in.expired': {
    shape: 'PixInEvent',
    fields: { ...unpaid, status: 'expired' },
    previousStatus: 'pending',
    details: unpaidCharge,
  },
  'pix_in.cancelled': {
    shape: 'PixInEvent',
    fields: { ...unpaid, status: 'cancelled' },
    previousStatus: 'pending',
    details: unpaidCharge,
  },
  'pix_in.review': {
    shape: 'PixReviewEvent',
    fields: { ...unpaid, status: 'review' },
    previousStatus: 'pending',
    details: { ...charge, review_reason: 'amount_differs', received_amount: 150_00n },
  },
  'split_in.paid': {
    shape: 'SplitInEvent',
    fields: {
      ...transaction,
      id: SPLIT_ID,
      type: 'split_in',
      amountCentavos: 20_00n,
      feeCentavos: 0n,
      netCentavos: 20_00n,
      externalId: SPLIT_ID.replaceAll('-', ''),
      createdAt: new Date(PAID_AT),
    },
    previousStatus: null,
    details: {},
  },
  'pix_in.refunded': {
    shape: 'PixRefundEvent',
    fields: transaction,
    previousStatus: 'paid',
    details: { ...refund, refunded_amount: 10_00n, return_id: 'D99999999202611201237Qw8Er5Ty2Ui' },
  },
  'pix_in.refund_failed': {
    shape: 'PixRefundEvent',
    fields: transaction,
    previousStatus: 'paid',
    details: { ...refund, refunded_amount: 0n },
  },
  'pix_out.processing': {
    shape: 'PixOutEvent',
    fields: { ...unsent, status: 'processing' },
    previousStatus: 'pending',
    details: ofPayout,
  },
  'pix_out.paid': { shape: 'PixOutEvent', fields: withdrawal, previousStatus: 'processing', details: endToEnd },
  'pix_out.failed': {
    shape: 'PixOutEvent',
    fields: { ...unsent, status: 'failed' },
    previousStatus: 'processing',
    details: { ...ofPayout, failure_code: 'AC03' },
  },
  'pix_out.review': {
    shape: 'PixOutEvent',
    fields: { ...withdrawal, status: 'review' },
    previousStatus: 'paid',
    details: { ...endToEnd, failure_code: 'provider_says_failed' },
  },
  'pix_out.cancelled': {
    shape: 'PixOutEvent',
    fields: { ...unsent, status: 'cancelled' },
    previousStatus: 'pending',
    details: ofPayout,
  },
  'crypto_in.detected': {
    shape: 'CryptoInEvent',
    fields: open,
    previousStatus: 'pending',
    details: arrived(46_29629700n, 0n, 0n, 'detected', 1),
  },
  'crypto_in.completed': {
    shape: 'CryptoInEvent',
    fields: invoice,
    previousStatus: 'pending',
    details: arrived(46_29629700n, 246_25n, 3_75n, null, 20),
  },
  'crypto_in.underpaid': {
    shape: 'CryptoInEvent',
    fields: { ...invoice, feeCentavos: 1_87n, netCentavos: 123_12n },
    previousStatus: 'pending',
    details: arrived(23_14814800n, 123_12n, 1_87n, 'underpaid', 20),
  },
  'crypto_in.overpaid': {
    shape: 'CryptoInEvent',
    fields: { ...invoice, feeCentavos: 4_05n, netCentavos: 265_95n },
    previousStatus: 'pending',
    details: arrived(50_00000000n, 265_95n, 4_05n, 'overpaid', 20),
  },
  'crypto_in.expired': {
    shape: 'CryptoInEvent',
    fields: { ...open, status: 'expired' },
    previousStatus: 'pending',
    details: NOTHING,
  },
  'crypto_in.cancelled': {
    shape: 'CryptoInEvent',
    fields: { ...open, status: 'cancelled' },
    previousStatus: 'pending',
    details: NOTHING,
  },
  'crypto_in.failed': {
    shape: 'CryptoInEvent',
    fields: { ...open, status: 'failed' },
    previousStatus: 'pending',
    details: NOTHING,
  },
  'crypto_out.completed': {
    shape: 'CryptoOutEvent',
    fields: cryptoWithdrawal,
    previousStatus: 'pending',
    details: sent,
  },
  'crypto_out.failed': {
    shape: 'CryptoOutEvent',
    fields: { ...cryptoWithdrawal, status: 'failed', paidAt: null },
    previousStatus: 'pending',
    details: { ...sent, failure_code: 'wallet_refused' },
  },
  'crypto_out.review': {
    shape: 'CryptoOutEvent',
    fields: { ...cryptoWithdrawal, status: 'review' },
    previousStatus: 'completed',
    details: { ...sent, failure_code: 'provider_says_failed' },
  },
};

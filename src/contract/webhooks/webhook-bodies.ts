import { z } from 'zod';
import { REVIEW_REASONS } from '#domain/charges/charge-settlement.ts';
import { INVOICE_SUB_STATUSES } from '#domain/invoices/invoice-settlement.ts';
import type { ListedType } from '#domain/transactions/transaction-states.ts';
import { eventIdOf, publicEventId, TEST_EVENT_TYPE } from '#domain/webhooks/events.ts';
import { brlOutput, unitsOutput } from '../amounts.ts';
import { reject } from '../codecs.ts';
import { instantOutput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';
import { MERCHANT_FIELDS_OUTPUT } from '../transactions/merchant-fields.ts';
import { split } from '../transactions/split.ts';
import { disputeReason, disputeState, documentType, statusText, topic, uncheckedSet } from '../value-sets.ts';

/**
 * The bodies of webhooks, one for each shape of `data`; each is signed by Standard Webhooks and
 * sent with POST.
 */

/** The id of an event as receivers see it. */
export const eventIdOutput = z.codec(z.string(), z.string(), {
  decode: (text, payload) => eventIdOf(text) ?? reject(payload, issue('not_cursor')),
  encode: publicEventId,
});

/** `type` is the same for all events of a shape: receivers can distinguish the shapes by it. */
const transaction = <const T extends ListedType>(type: T) => ({
  transaction_id: z.uuid(),
  external_id: z.string().describe('Identificador no provedor.'),
  type: z.literal(type),
  status: statusText.describe('O status depois da mudança.'),
  amount: brlOutput.describe('Valor, em reais.'),
  amount_fees: brlOutput.describe('Tarifa, em reais.'),
  created_at: instantOutput,
  paid_at: instantOutput.nullable(),
  net_amount: brlOutput.describe('Valor líquido, em reais.'),
  previous_status: statusText.describe('O status antes da mudança.'),
});

/** The merchant's own fields, as the request had them. */
const asked = {
  description: z.string().nullable().describe('A descrição que veio no pedido, ou null.'),
  ...MERCHANT_FIELDS_OUTPUT,
};

const payer = named(
  'MaskedPayer',
  z.object({
    name: z.string().nullable().describe('O primeiro nome, e dos outros a inicial: Maria d. S.'),
    document: z.string().nullable().describe('Mascarado: ***.982.247-** ou **.345.678/0001-**.'),
    document_type: documentType.nullable(),
  }),
)
  .nullable()
  .describe('Quem paga, como veio no pedido, mascarado; null: o pedido não disse nome nem documento.');

const charge = {
  split: split
    .nullable()
    .describe('A parte de outra conta, em reais, ou null: amount - amount_fees - split.amount = net_amount.'),
  txid: z.string().describe('O txid da cobrança no PIX: transaction_id sem os hifens.'),
  end_to_end_id: z.string().nullable().describe('Identificador do pagamento no PIX; null enquanto não foi paga.'),
  ...asked,
  payer,
};

const failureCode = z
  .string()
  .optional()
  .describe('Por que falhou ou está em análise; GET /payments/transactions/{transactionId} o diz em palavras.');

const envelope = <const T extends string, D extends z.ZodRawShape>(types: readonly T[], data: D) =>
  z.object({
    id: eventIdOutput.describe('Identificador do evento, igual ao cabeçalho webhook-id e em todas as tentativas.'),
    type: z.enum(types),
    timestamp: instantOutput.describe('Quando aconteceu.'),
    livemode: z.boolean().describe('false: conta de teste, sem dinheiro de verdade.'),
    data: z.object(data),
  });

const eventBody = <const K extends ListedType, const T extends string, D extends z.ZodRawShape>(
  type: K,
  types: readonly T[],
  details: D,
) => envelope(types, { ...transaction(type), ...details });

/** By name in the OpenAPI document. */
export const WEBHOOK_BODIES = {
  PixInEvent: eventBody('pix_in', ['pix_in.paid', 'pix_in.expired', 'pix_in.cancelled'], charge),
  PixReviewEvent: eventBody('pix_in', ['pix_in.review'], {
    ...charge,
    review_reason: named('ChargeReviewReason', z.enum(REVIEW_REASONS)).describe(
      'amount_differs: o valor pago é outro; second_payment: a cobrança já tinha um pagamento.',
    ),
    received_amount: brlOutput.describe('Valor que chegou e espera por análise, em reais.'),
    end_to_end_id: z.string().describe('Identificador do pagamento no PIX.'),
  }),
  SplitInEvent: envelope(['split_in.paid'], {
    ...transaction('split_in'),
    external_id: z.string().describe('Identificador da própria divisão.'),
    previous_status: z.null(),
  }),
  PixRefundEvent: eventBody('pix_in', ['pix_in.refunded', 'pix_in.refund_failed'], {
    ...charge,
    refund_id: z.uuid(),
    refund_amount: brlOutput.describe('Valor desta devolução, em reais.'),
    refunded_amount: brlOutput.describe(
      'Tudo o que já foi devolvido, em reais. Passa do valor pago quando o mecanismo de devolução (MED) toma o pagamento também depois de uma devolução.',
    ),
    refund_reference: MERCHANT_FIELDS_OUTPUT.reference.describe('A reference da devolução; senão null.'),
    refund_metadata: MERCHANT_FIELDS_OUTPUT.metadata.describe('O metadata da devolução; senão null.'),
    return_id: z.string().optional().describe('Identificador da devolução no PIX (rtrId).'),
  }),
  DisputeEvent: eventBody('pix_in', ['dispute.opened', 'dispute.due_soon', 'dispute.closed'], {
    ...charge,
    dispute_id: z.uuid(),
    dispute_state: disputeState,
    reason: disputeReason,
    disputed_amount: brlOutput.describe('Valor contestado, em reais.'),
    answer_by: instantOutput.describe('Até quando responder.'),
  }),
  PixOutEvent: eventBody(
    'pix_out',
    ['pix_out.processing', 'pix_out.paid', 'pix_out.failed', 'pix_out.review', 'pix_out.cancelled'],
    {
      end_to_end_id: z.string().optional(),
      ...asked,
      failure_code: failureCode,
      made_at_bank: z
        .literal(true)
        .optional()
        .describe('Presente quando o PIX foi feito no aplicativo do banco, sem pedido à API, e cobrado desta conta.'),
    },
  ),
  CryptoInEvent: eventBody(
    'crypto_in',
    [
      'crypto_in.detected',
      'crypto_in.completed',
      'crypto_in.underpaid',
      'crypto_in.overpaid',
      'crypto_in.expired',
      'crypto_in.cancelled',
      'crypto_in.failed',
    ],
    {
      currency: z.string(),
      crypto_amount: unitsOutput.describe('Quantidade pedida, na moeda.'),
      crypto_received: unitsOutput.describe('Quantidade que chegou, na moeda.'),
      sub_status: uncheckedSet('InvoiceSubStatus', INVOICE_SUB_STATUSES)
        .nullable()
        .describe('partial, detected, underpaid, overpaid, late ou paid_again; senão null.'),
      credited_net_amount: brlOutput.describe('Quanto entrou no saldo até agora, em reais.'),
      credited_fees: brlOutput.describe('Tarifa do que entrou, em reais.'),
      review_amount: brlOutput.describe(
        'Quanto chegou com atraso, de novo ou a mais e passa do máximo da conta: espera por análise, em reais.',
      ),
      confirmations: z.number(),
      ...asked,
      payer,
    },
  ),
  CryptoOutEvent: eventBody('crypto_out', ['crypto_out.completed', 'crypto_out.failed', 'crypto_out.review'], {
    currency: z.string(),
    crypto_amount: unitsOutput.describe('Quantidade enviada, na moeda.'),
    wallet: z.string(),
    ...asked,
    failure_code: failureCode,
  }),
  WebhookTestEvent: envelope([TEST_EVENT_TYPE], {
    topic: topic.nullable().describe('O tópico do webhook que foi testado; null: um endpoint, endpoint_id.'),
    endpoint_id: z.uuid().nullable().describe('O endpoint que foi testado; null: o webhook do tópico.'),
    message: z.string(),
  }),
} as const;

/**
 * By name: the webhooks, and the event of a charge that failed, which is stored and never sent,
 * because the merchant has no id of that charge.
 */
const EVENT_BODIES = { ...WEBHOOK_BODIES, PixInFailedEvent: eventBody('pix_in', ['pix_in.failed'], charge) };

export type EventBodyName = keyof typeof EVENT_BODIES;
export type EventBody<N extends EventBodyName> = z.output<(typeof EVENT_BODIES)[N]>;

/** The exact text of an event's body, which is stored, signed and sent. */
export const encodeEventBody = <N extends EventBodyName>(name: N, body: EventBody<N>): string =>
  JSON.stringify(z.encode(EVENT_BODIES[name] as z.ZodType, body));

export type WebhookBodyName = keyof typeof WEBHOOK_BODIES;
export type WebhookType = z.infer<(typeof WEBHOOK_BODIES)[WebhookBodyName]>['type'];

import { z } from 'zod';
import { REVIEW_REASONS, REVIEW_RESOLUTIONS } from '#domain/charges/charge-settlement.ts';
import { DISPLAY_STATUSES, SUB_STATUSES } from '#domain/transactions/display-status.ts';
import { TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { AMOUNT_CENTAVOS_MAX, parseBrl, toBrl } from '#domain/values/money.ts';
import { TEST_EVENT_TYPE } from '#domain/webhooks/events.ts';
import { BRL_RANGE, brlOutput, percentOutput, positiveBrlInput, unitsOutput } from '../amounts.ts';
import { optional, reject } from '../codecs.ts';
import { instantOutput, textInput, uuidInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { PIX_DESCRIPTION_LENGTH_MAX } from '../lengths.ts';
import { named } from '../named.ts';
import { describedInstant, limitInput, listOf, optionalParameter } from '../query-fields.ts';
import { priceSource } from '../quotes/price-source.ts';
import {
  disputeState,
  documentTypeText,
  openSet,
  PIX_KEY_TYPES,
  transactionStatus,
  transactionType,
  uncheckedSet,
} from '../value-sets.ts';
import { WEBHOOK_BODIES } from '../webhooks/webhook-bodies.ts';
import {
  checkMerchantFields,
  MERCHANT_FIELDS,
  MERCHANT_FIELDS_OUTPUT,
  MERCHANT_FILTERS,
  readMerchantFields,
} from './merchant-fields.ts';
import { split } from './split.ts';

const TEXT_LENGTH_MAX = 200;

const PARAMETER_ISSUE = issue('not_amount_parameter', { min: toBrl(1n), max: toBrl(AMOUNT_CENTAVOS_MAX) });

/** An amount in BRL as a query parameter, e.g. `100.5`. */
const amountParameter = z.codec(
  z.string({ error: PARAMETER_ISSUE }).regex(/^\d{1,7}(\.\d{1,2})?$/, { error: PARAMETER_ISSUE, abort: true }),
  z.bigint(),
  {
    decode(text, payload) {
      const centavos = parseBrl(Number(text));
      return centavos !== null && centavos <= AMOUNT_CENTAVOS_MAX ? centavos : reject(payload, PARAMETER_ISSUE);
    },
    encode: (centavos) => String(toBrl(centavos)),
  },
);

const displayStatus = named('DisplayStatus', z.enum(DISPLAY_STATUSES));

const amountOverride = { override: { type: 'number' as const, ...BRL_RANGE } };

/** Not checked here: a text that is no id is not found. */
const transactionIdInput = z.string().meta({ description: 'Identificador da transação.', format: 'uuid' });

/** GET /payments/transactions; query parameters are texts. */
export const transactionListInput = z.object({
  type: listOf(transactionType, 'Só estes tipos, separados por vírgulas.'),
  status: listOf(transactionStatus, 'Só estes status, separados por vírgulas.'),
  display_status: listOf(
    displayStatus,
    'Só as que o painel mostra assim, separados por vírgulas: por exemplo, paid também encontra faturas em cripto pagas. review encontra também as que têm um valor em análise, como um segundo pagamento.',
  ),
  from: optionalParameter(describedInstant('Só as criadas a partir deste instante.')),
  to: optionalParameter(describedInstant('Só as criadas antes deste instante.')),
  paid_from: optionalParameter(describedInstant('Só as pagas a partir deste instante.')),
  paid_to: optionalParameter(describedInstant('Só as pagas antes deste instante.')),
  min_amount: optionalParameter(
    amountParameter.meta({
      description: 'Só as deste valor em reais, ou maiores; de faturas em cripto vale também o valor creditado.',
      ...amountOverride,
    }),
  ),
  max_amount: optionalParameter(
    amountParameter.meta({
      description: 'Só as deste valor em reais, ou menores; de faturas em cripto vale também o valor creditado.',
      ...amountOverride,
    }),
  ),
  text: optionalParameter(
    textInput(TEXT_LENGTH_MAX).describe(
      'Busca por identificador, txid, end-to-end id, carteira, documento, telefone ou reference inteiros, também a de uma devolução, e pelo começo das palavras de nome, e-mail, descrição e metadata (de uma palavra com menos de três letras, só por ela inteira).',
    ),
  ).transform((text) => (text?.trim() ? text : null)),
  reference: optionalParameter(MERCHANT_FILTERS.reference),
  metadata: optionalParameter(MERCHANT_FILTERS.metadata),
  limit: limitInput('Quantas transações a página tem.'),
  cursor: optionalParameter(uuidInput.describe('O next_cursor da página anterior.')),
});

/** As DICT writes it: in capitals. */
const pixKeyTypeText = z.codec(uncheckedSet('PixKeyType', PIX_KEY_TYPES), z.string(), {
  decode: (type) => type.toLowerCase(),
  encode: (type) => type.toUpperCase(),
});

const listed = {
  transaction_id: z.uuid(),
  external_id: z.string().describe('Identificador no provedor.'),
  type: transactionType.describe('split_in: a parte desta conta na cobrança de outra.'),
  status: transactionStatus,
  sub_status: uncheckedSet('SubStatus', SUB_STATUSES)
    .nullable()
    .describe(
      'Depósitos em cripto: partial, detected, underpaid, overpaid, late ou paid_again. Saques: pending_approval enquanto esperam por uma segunda pessoa, scheduled enquanto esperam pela data. Senão null.',
    ),
  amount: brlOutput.describe('Valor, em reais.'),
  amount_fees: brlOutput.describe('Tarifa, em reais.'),
  net_amount: brlOutput.describe('Valor líquido, em reais.'),
  currency: z.string().nullable().describe('Moeda, nas transações em cripto.'),
  crypto_amount: unitsOutput.nullable().describe('Quantidade na moeda, com até 8 casas decimais.'),
  crypto_received: unitsOutput.nullable().describe('Depósitos em cripto: quanto chegou, na moeda; senão null.'),
  description: z.string().nullable(),
  ...MERCHANT_FIELDS_OUTPUT,
  customer_name: z.string().nullable(),
  destination: z
    .string()
    .nullable()
    .describe('Para onde vai um saque: a chave PIX (CPF, CNPJ e telefone mascarados) ou a carteira.'),
  refunded_amount: brlOutput.describe(
    'Quanto já foi devolvido, em reais. Passa do valor pago quando o mecanismo de devolução (MED) toma o pagamento também depois de uma devolução.',
  ),
  settled: named(
    'SettledAmounts',
    z.object({
      gross: brlOutput.describe('O que entrou (positivo) ou foi enviado (negativo).'),
      fees: brlOutput.describe('Tarifa cobrada.'),
      split: brlOutput.describe('Divisão com outra conta.'),
      refunded: brlOutput.describe('Devolvido ao pagador.'),
      net: brlOutput.describe('gross - fees - split - refunded: quanto o saldo mudou.'),
    }),
  ).describe(
    'O que de fato se moveu até agora, pelos lançamentos da conta, em reais; zero enquanto nada foi pago ou enviado. Somado, dá o saldo; amount, amount_fees e net_amount são o combinado.',
  ),
  created_at: instantOutput,
  expires_at: instantOutput.nullable().describe('Até quando uma cobrança pode ser paga.'),
  paid_at: instantOutput.nullable(),
  scheduled_for: instantOutput.nullable().describe('Saques agendados: quando começa, ou começaria; senão null.'),
  dispute_state: disputeState
    .nullable()
    .describe('Como está a contestação (MED) do pagamento, a mais nova; null se não foi contestado.'),
};

/** A transaction as the list has it. */
export const listedTransaction = named('TransactionItem', z.object(listed));

export const transactionListOutput = z.object({
  success: z.literal(true),
  data: z.array(listedTransaction),
  next_cursor: z.string().nullable().describe('Envie como cursor para a próxima página; null na última.'),
});

export type ListedTransaction = z.input<typeof listedTransaction>;

/**
 * The events of a transaction's history: its creation, the events of its webhooks, and the end of a
 * charge that the PSP never created.
 */
export const HISTORY_EVENTS: readonly string[] = [
  ...TRANSACTION_TYPES.map((type) => `${type}.created`),
  ...Object.values(WEBHOOK_BODIES).flatMap(({ shape }) => shape.type.options),
  'pix_in.failed',
].filter((event) => event !== TEST_EVENT_TYPE);

const historyEvent = openSet(HISTORY_EVENTS).describe('Como nos webhooks, ex.: pix_in.paid; created: foi criada.');

const reviewReason = uncheckedSet('ReviewReason', [...REVIEW_REASONS, 'above_maximum']).describe(
  'amount_differs: o valor pago é outro; second_payment: a cobrança já tinha um pagamento; above_maximum: em cripto, passa do máximo da conta.',
);

/** GET /payments/transactions/{transactionId} */
export const transactionInput = z.object({ transactionId: transactionIdInput });

export const transactionOutput = z.object({
  success: z.literal(true),
  data: named(
    'Transaction',
    z.object({
      ...listed,
      customer: named(
        'TransactionCustomer',
        z.object({
          name: z.string().nullable(),
          email: z.string().nullable(),
          document: z.string().nullable(),
          document_type: documentTypeText.nullable(),
          phone: z.string().nullable(),
        }),
      ).nullable(),
      callback_url: z.string().nullable(),
      split: split.nullable().describe('A divisão com outra conta.'),
      pix: named(
        'PixDetails',
        z.object({
          qr_code: z.string().nullable(),
          end_to_end_id: z.string().nullable(),
          pix_key: z.string().nullable(),
          pix_key_type: pixKeyTypeText.nullable(),
        }),
      ).nullable(),
      crypto: named(
        'CryptoDetails',
        z.object({
          wallet: z.string().nullable(),
          memo: z.string().nullable(),
          received_amount: unitsOutput.describe('Quanto chegou, na moeda.'),
          credited_net_amount: brlOutput.describe('Quanto entrou no saldo até agora, em reais.'),
          credited_fees: brlOutput.describe('Tarifa do que entrou, em reais.'),
          review_amount: brlOutput.describe(
            'Quanto chegou com atraso, de novo ou a mais e passa do máximo da conta: espera por análise, em reais.',
          ),
          confirmations: z.number(),
          confirmations_needed: z.number().nullable(),
          tx_hashes: z.array(z.string()).describe('As transações na rede.'),
          quote: named(
            'CryptoDetailsQuote',
            z.object({
              price: unitsOutput.describe('Preço de uma unidade em reais, com o spread da conta.'),
              spread_percent: percentOutput,
              quoted_at: instantOutput.nullable(),
              sources: z.array(priceSource),
            }),
          ),
        }),
      ).nullable(),
      failure: named('TransactionFailure', z.object({ code: z.string(), message: z.string() }))
        .nullable()
        .describe('Por que um saque falhou.'),
      refunds: z.array(
        named(
          'TransactionRefund',
          z.object({
            refund_id: z.uuid(),
            amount: brlOutput,
            status: z.enum(['pending', 'completed', 'failed']),
            description: z.string().nullable(),
            ...MERCHANT_FIELDS_OUTPUT,
            created_at: instantOutput,
            finished_at: instantOutput.nullable(),
          }),
        ),
      ),
      reviews: z
        .array(
          named(
            'TransactionReview',
            z.object({
              review_id: z.uuid(),
              reason: reviewReason,
              expected_amount: brlOutput.describe('O valor pedido, em reais.'),
              received_amount: brlOutput.describe('Quanto chegou e espera por análise, em reais.'),
              end_to_end_id: z.string().nullable().describe('Identificador do pagamento no PIX; null em cripto.'),
              created_at: instantOutput,
              resolved_at: instantOutput.nullable().describe('Quando a análise terminou; null: ainda não terminou.'),
              resolution: named('ReviewResolution', z.enum(REVIEW_RESOLUTIONS))
                .nullable()
                .describe(
                  'Como terminou: credit, creditado; return, devolvido ao pagador; write_off, não será creditado.',
                ),
            }),
          ),
        )
        .describe('O que chegou e não pôde ser creditado como pedido, do mais antigo ao mais novo.'),
      history: z
        .array(named('TransactionHistoryItem', z.object({ event: historyEvent, at: instantOutput })))
        .describe('O que aconteceu com a transação, do mais antigo ao mais novo.'),
    }),
  ),
});

/**
 * POST /payments/transactions/{transactionId}/refund; without an amount, what is left of the
 * original.
 */
export const refundInput = z
  .object({
    transactionId: transactionIdInput,
    /** An amount above the charge's is rejected with an error of the refund's own. */
    amount: optional(positiveBrlInput).describe(
      'Quanto devolver, em reais; sem ele, tudo o que resta do valor original.',
    ),
    description: optional(textInput(PIX_DESCRIPTION_LENGTH_MAX)).describe('Texto livre, enviado ao pagador.'),
    ...MERCHANT_FIELDS,
  })
  .check(checkMerchantFields)
  .transform(({ transactionId, amount, description, ...fields }) => ({
    transactionId,
    amount,
    description,
    merchantFields: readMerchantFields(fields),
  }));

export const refundOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named(
    'Refund',
    z.object({
      refund_id: z.uuid(),
      transaction_id: z.uuid(),
      amount: brlOutput,
      status: z.literal('pending'),
      ...MERCHANT_FIELDS_OUTPUT,
      created_at: instantOutput,
    }),
  ),
});

/** POST /payments/transactions/{transactionId}/cancel */
export const cancelInput = z.object({ transactionId: transactionIdInput });

export const cancelOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named('Cancellation', z.object({ transaction_id: z.uuid(), status: z.literal('cancelled') })),
});

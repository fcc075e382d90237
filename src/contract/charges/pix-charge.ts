import { z } from 'zod';
import { CHARGE_EXPIRES_IN } from '#domain/charges/expires-in.ts';
import { URL_LENGTH_MAX } from '#domain/webhooks/callback-url.ts';
import { brlInput, brlOutput, rangedBrlInput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { emailInput, instantOutput, textInput, uuidInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { DESCRIPTION_LENGTH_MAX } from '../lengths.ts';
import { named } from '../named.ts';
import {
  checkMerchantFields,
  MERCHANT_FIELDS,
  MERCHANT_FIELDS_OUTPUT,
  readMerchantFields,
} from '../transactions/merchant-fields.ts';
import { split } from '../transactions/split.ts';
import { CUSTOMER_FIELDS, checkCustomerDocument, readCustomer } from './customer.ts';
import { expiresInInput } from './expires-in-input.ts';

/**
 * POST /payments/transactions. Only `amount` is required; whatever else is sent must be valid, null
 * counts as absent.
 */
export const pixChargeInput = z
  .object({
    amount: rangedBrlInput,
    ...CUSTOMER_FIELDS,
    description: optional(textInput(DESCRIPTION_LENGTH_MAX)).describe(
      'Texto livre; os primeiros 140 caracteres aparecem ao pagador.',
    ),
    callbackUrl: optional(textInput(URL_LENGTH_MAX)).describe(
      'URL https que recebe as mudanças de status desta cobrança; sem ela vale o webhook da conta.',
    ),
    expiresIn: expiresInInput(
      CHARGE_EXPIRES_IN,
      'Em quantos segundos a cobrança vence: de 60 a 7776000 (90 dias); sem ele vale o prazo da instalação, de um dia por padrão.',
    ),
    ...MERCHANT_FIELDS,
    splitReceiverUserId: optional(uuidInput).describe('account_id de quem recebe a divisão.'),
    splitReceiverEmail: optional(emailInput).describe(
      'E-mail de quem recebe a divisão, em vez de splitReceiverUserId.',
    ),
    splitAmount: optional(brlInput).describe('Parte de quem recebe a divisão, em reais; obrigatória com um recebedor.'),
  })
  .check((payload) => {
    checkCustomerDocument(payload);
    checkMerchantFields(payload);
    const { value, issues } = payload;
    const wrong = (field: keyof typeof value, message: string) =>
      issues.push({ code: 'custom', message, path: [field], input: value[field] });
    const hasReceiver = value.splitReceiverUserId !== null || value.splitReceiverEmail !== null;
    const hasAmount = value.splitAmount !== null;
    if (hasReceiver && !hasAmount) wrong('splitAmount', issue('split_amount_missing'));
    if (hasAmount && !hasReceiver) wrong('splitReceiverUserId', issue('split_receiver_missing'));
  })
  .transform((fields, payload) => {
    const { amount, description, callbackUrl, splitReceiverUserId, splitReceiverEmail, splitAmount } = fields;
    const split = splitAmount !== null && {
      receiverAccountId: splitReceiverUserId,
      receiverEmail: splitReceiverEmail,
      centavos: splitAmount,
    };
    return {
      amount,
      ...readCustomer(fields, payload),
      description,
      callbackUrl,
      expiresInSeconds: fields.expiresIn,
      merchantFields: readMerchantFields(fields),
      split: split || null,
    };
  });

export const pixChargeOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named(
    'PixCharge',
    z.object({
      transaction_id: z.uuid().describe('Identificador da transação.'),
      amount: brlOutput.describe('Valor da cobrança, em reais.'),
      status: z.literal('pending'),
      payment_url: z
        .string()
        .describe('Página de pagamento desta cobrança, para onde o pagador pode ser levado: não pede chave nem login.'),
      qr_code_svg_url: z.string().describe('Imagem SVG do QR code, enquanto a cobrança pode ser paga; depois, 410.'),
      qr_code_png_url: z.string().describe('A mesma imagem, em PNG.'),
      payment_data: named(
        'PixPaymentData',
        z.object({
          qr_code: z.string().describe('Código PIX copia e cola, que também é o conteúdo do QR code.'),
          pix_key: z.string().nullable().describe('Sempre null: a cobrança se paga pelo código.'),
          txid: z.uuid().describe('Igual a transaction_id.'),
          expiration_date: instantOutput.nullable().describe('Fim do prazo de pagamento.'),
          reference_code: z.uuid().describe('Igual a transaction_id.'),
        }),
      ),
      customer: named(
        'PixChargeCustomer',
        z.object({
          name: z.string().nullable(),
          email: z.string().nullable(),
          document: z.string().nullable(),
          document_type: z.string().nullable(),
          phone: z.string().nullable(),
        }),
      ),
      split: split.nullable().describe('Quem mais recebe desta cobrança, e quanto, em reais; null: ninguém.'),
      description: z.string().nullable(),
      callback_url: z.string().nullable().describe('A callbackUrl desta cobrança; null: vale o webhook da conta.'),
      ...MERCHANT_FIELDS_OUTPUT,
      created_at: instantOutput,
    }),
  ),
});

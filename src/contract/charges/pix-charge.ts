import { z } from 'zod';
import { parseDocument } from '#domain/values/documents.ts';
import { URL_LENGTH_MAX } from '#domain/webhooks/callback-url.ts';
import {
  brlInput,
  brlOutput,
  emailInput,
  filledTextInput,
  instantOutput,
  phoneInput,
  rangedBrlInput,
  textInput,
  uuidInput,
} from '../fields.ts';

/** API Pix: devedor.nome. */
const NAME_LENGTH_MAX = 200;
/** Ours to choose; the first 140 characters reach the payer's bank (API Pix: solicitacaoPagador). */
const DESCRIPTION_LENGTH_MAX = 500;
/** A CNPJ with all its punctuation has 18. */
const DOCUMENT_LENGTH_MAX = 30;

const DOCUMENT_TYPE_MESSAGE = 'Deve ser cpf ou cnpj.';

/** POST /payments/transactions. Only `amount` is required; whatever else is sent must be valid, null counts as absent. */
export const pixChargeInput = z
  .object({
    amount: rangedBrlInput,
    customerName: filledTextInput(NAME_LENGTH_MAX).nullish().describe('Nome do pagador.'),
    customerEmail: emailInput.nullish().describe('E-mail do pagador.'),
    customerDocument: textInput(DOCUMENT_LENGTH_MAX)
      .nullish()
      .describe('CPF ou CNPJ do pagador, com ou sem pontuação; o CNPJ pode ser alfanumérico.'),
    customerDocumentType: z
      .string({ error: DOCUMENT_TYPE_MESSAGE })
      .refine((text) => documentType(text) !== null, { error: DOCUMENT_TYPE_MESSAGE })
      .nullish()
      .describe('cpf ou cnpj; obrigatório com customerDocument.'),
    customerPhone: phoneInput.nullish().describe('Telefone do pagador, com DDD.'),
    description: textInput(DESCRIPTION_LENGTH_MAX)
      .nullish()
      .describe('Texto livre; os primeiros 140 caracteres aparecem ao pagador.'),
    callbackUrl: textInput(URL_LENGTH_MAX)
      .nullish()
      .describe('URL https que recebe as mudanças de status desta cobrança; sem ela vale o webhook da conta.'),
    splitReceiverUserId: uuidInput.nullish().describe('account_id de quem recebe a divisão.'),
    splitReceiverEmail: emailInput
      .nullish()
      .describe('E-mail de quem recebe a divisão, em vez de splitReceiverUserId.'),
    splitAmount: brlInput.nullish().describe('Parte de quem recebe a divisão, em reais; obrigatória com um recebedor.'),
  })
  .check((check) => {
    const { value, issues } = check;
    const fault = (field: keyof typeof value, message: string) =>
      issues.push({ code: 'custom', message, path: [field], input: value[field] });
    const document = documentFault(value);
    if (document) fault(document.field, document.message);
    const receiver = (value.splitReceiverUserId ?? value.splitReceiverEmail ?? null) !== null;
    const amount = (value.splitAmount ?? null) !== null;
    if (receiver && !amount) fault('splitAmount', 'É obrigatório quando um recebedor da divisão é enviado.');
    if (amount && !receiver)
      fault('splitReceiverUserId', 'Envie splitReceiverUserId ou splitReceiverEmail com splitAmount.');
  });

type DocumentFault = { field: 'customerDocument' | 'customerDocumentType'; message: string };

/** What is wrong with a customer's document and its type, which belong together; `null` when nothing is. */
export function documentFault(input: {
  customerDocument?: string | null | undefined;
  customerDocumentType?: string | null | undefined;
}): DocumentFault | null {
  const document = input.customerDocument ?? null;
  const type = input.customerDocumentType ?? null;
  if (document === null && type === null) return null;
  if (type === null) {
    return { field: 'customerDocumentType', message: 'É obrigatório quando customerDocument é enviado.' };
  }
  if (document === null) {
    return { field: 'customerDocument', message: 'É obrigatório quando customerDocumentType é enviado.' };
  }
  const kind = documentType(type);
  if (kind === null || parseDocument(document, kind) !== null) return null;
  return { field: 'customerDocument', message: `Deve ser um ${kind.toUpperCase()} válido.` };
}

/** `cpf` or `cnpj`, written in any case. */
export function documentType(text: string): 'cpf' | 'cnpj' | null {
  const lower = text.toLowerCase();
  return lower === 'cpf' || lower === 'cnpj' ? lower : null;
}

export const pixChargeOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.object({
    transaction_id: z.uuid().describe('Identificador da transação.'),
    amount: brlOutput.describe('Valor da cobrança, em reais.'),
    status: z.literal('pending'),
    payment_data: z.object({
      qr_code: z.string().describe('Código PIX copia e cola, que também é o conteúdo do QR code.'),
      pix_key: z.string().nullable().describe('Sempre null: a cobrança se paga pelo código.'),
      txid: z.uuid().describe('Igual a transaction_id.'),
      expiration_date: instantOutput.nullable().describe('Fim do prazo de pagamento.'),
      reference_code: z.uuid().describe('Igual a transaction_id.'),
    }),
    customer: z.object({
      name: z.string().nullable(),
      email: z.string().nullable(),
      document: z.string().nullable(),
      document_type: z.string().nullable(),
      phone: z.string().nullable(),
    }),
    description: z.string().nullable(),
    callback_url: z.string().nullable().describe('A callbackUrl desta cobrança; null: vale o webhook da conta.'),
    created_at: instantOutput,
  }),
});

export type PixChargeInput = z.infer<typeof pixChargeInput>;
export type PixChargeOutput = z.infer<typeof pixChargeOutput>;

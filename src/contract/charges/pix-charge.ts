import { z } from 'zod';
import { type FieldIssue, type Issue, issueOf } from '#domain/errors/issues.ts';
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
import { choiceOf, issue, messageOf } from '../issues/issue-message.ts';

/** API Pix: devedor.nome. */
const NAME_LENGTH_MAX = 200;
/** Ours to choose; the first 140 characters reach the payer's bank (API Pix: solicitacaoPagador). */
const DESCRIPTION_LENGTH_MAX = 500;
/** A CNPJ with all its punctuation has 18. */
const DOCUMENT_LENGTH_MAX = 30;

const DOCUMENT_TYPE_ISSUE = issue('not_one_of', choiceOf(['cpf', 'cnpj']));

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
      .string({ error: DOCUMENT_TYPE_ISSUE })
      .refine((text) => documentType(text) !== null, { error: DOCUMENT_TYPE_ISSUE })
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
    const refuse = (field: keyof typeof value, message: string) =>
      issues.push({ code: 'custom', message, path: [field], input: value[field] });
    const document = documentIssue(value);
    if (document) refuse(document.field, messageOf(document));
    const receiver = (value.splitReceiverUserId ?? value.splitReceiverEmail ?? null) !== null;
    const amount = (value.splitAmount ?? null) !== null;
    if (receiver && !amount) refuse('splitAmount', issue('split_amount_missing'));
    if (amount && !receiver) refuse('splitReceiverUserId', issue('split_receiver_missing'));
  });

type DocumentIssue = FieldIssue & { field: 'customerDocument' | 'customerDocumentType' };

/** What is wrong with a customer's document and its type, which belong together; `null` when nothing is. */
export function documentIssue(input: {
  customerDocument?: string | null | undefined;
  customerDocumentType?: string | null | undefined;
}): DocumentIssue | null {
  const document = input.customerDocument ?? null;
  const type = input.customerDocumentType ?? null;
  if (document === null && type === null) return null;
  const wrong = (field: DocumentIssue['field'], issue: Issue): DocumentIssue => ({ field, ...issue });
  if (type === null) return wrong('customerDocumentType', issueOf('required_with', { field: 'customerDocument' }));
  if (document === null) return wrong('customerDocument', issueOf('required_with', { field: 'customerDocumentType' }));
  const kind = documentType(type);
  if (kind === null || parseDocument(document, kind) !== null) return null;
  return wrong('customerDocument', issueOf('not_document', { type: kind.toUpperCase() }));
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

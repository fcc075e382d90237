import { z } from 'zod';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { parseCurrencyCode } from '#domain/quotes/currencies.ts';
import { parseDocument } from '#domain/values/documents.ts';
import { URL_LENGTH_MAX } from '#domain/webhooks/callback-url.ts';
import { documentType } from '../charges/pix-charge.ts';
import { brlOutput, emailInput, filledTextInput, instantOutput, nameInput, phoneInput, textInput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';

const NAME_LENGTH_MAX = 200;
const DOCUMENT_LENGTH_MAX = 30;
const TYPE_ISSUE = issue('not_one_of', choiceOf(['cpf', 'cnpj']));

/** POST /accounts */
export const createAccountInput = z
  .object({
    name: nameInput(NAME_LENGTH_MAX).describe('Nome do cliente ou razão social.'),
    email: emailInput.describe('E-mail do cliente; cada conta tem um.'),
    document: filledTextInput(DOCUMENT_LENGTH_MAX).describe(
      'CPF ou CNPJ, com ou sem pontuação; o CNPJ pode ser alfanumérico.',
    ),
    documentType: z
      .string({ error: TYPE_ISSUE })
      .refine((text) => documentType(text) !== null, { error: TYPE_ISSUE })
      .describe('cpf ou cnpj.'),
    phone: phoneInput.nullish().describe('Telefone, com DDD.'),
    currency: z
      .string({ error: issue('not_text') })
      .refine((text) => parseCurrencyCode(text) !== null, {
        error: issue('unknown_currency'),
      })
      .nullish()
      .describe('Moeda dos depósitos e saques em cripto, em maiúsculas ou minúsculas; veja GET /payments/currencies.'),
    webhookUrl: textInput(URL_LENGTH_MAX).nullish().describe('URL https que recebe os eventos da conta.'),
  })
  .check(({ value, issues }) => {
    const kind = typeof value.documentType === 'string' ? documentType(value.documentType) : null;
    if (kind && typeof value.document === 'string' && parseDocument(value.document, kind) === null) {
      const message = issue('not_document', { type: kind.toUpperCase() });
      issues.push({ code: 'custom', message, path: ['document'], input: value.document });
    }
  });

const mode = z.enum(['live', 'test']).describe('test: só o sandbox, sem dinheiro de verdade.');
const kycStatus = z.enum(['pending', 'approved', 'rejected']).describe('Situação da verificação cadastral.');

const shownOnce = (description: string) => z.string().nullable().meta({ description });

export const createAccountOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.object({
    account_id: z.uuid(),
    name: z.string(),
    email: z.string(),
    document: z.string(),
    kyc_status: kycStatus,
    mode,
    api_key: shownOnce('Mostrada só na primeira resposta; null quando a Idempotency-Key é repetida.'),
    secret_key: shownOnce(
      'Verifica as assinaturas dos webhooks. Mostrada só na primeira resposta; null quando a Idempotency-Key é repetida.',
    ),
  }),
});

const feeOutput = z
  .object({ percent: z.number(), fixed: brlOutput })
  .describe('Tarifa: percentual mais parte fixa em reais.');

/** GET /account */
export const accountOutput = z.object({
  success: z.literal(true),
  data: z.object({
    account_id: z.uuid(),
    name: z.string(),
    email: z.string(),
    document: z.string(),
    document_type: z.enum(['cpf', 'cnpj']),
    kyc_status: kycStatus,
    mode,
    currency: z.string().nullable().describe('Moeda configurada dos depósitos e saques em cripto.'),
    can_create_accounts: z.boolean().describe('Se a conta pode criar contas para clientes.'),
    fees: z.object({ pix_in: feeOutput, pix_out: feeOutput, crypto_in: feeOutput, crypto_out: feeOutput }),
    rails: z
      .object({ pix_in: z.boolean(), pix_out: z.boolean(), crypto_in: z.boolean(), crypto_out: z.boolean() })
      .meta({ description: 'Quais operações estão ativas nesta conta.' }),
    webhooks: z.array(z.object({ topic: z.enum(['deposit', 'withdrawal', 'usdt']), url: z.string() })),
    created_at: instantOutput,
  }),
});

const limitValue = brlOutput.nullable().meta({ description: 'Em reais; null: sem limite.' });

/** GET /payments/limits */
export const limitsOutput = z.object({
  success: z.literal(true),
  data: z.object({
    limits: z.object(
      Object.fromEntries(LIMIT_NAMES.map((name) => [name, limitValue])) as Record<
        (typeof LIMIT_NAMES)[number],
        typeof limitValue
      >,
    ),
    used: z
      .object({
        pix_out_today: brlOutput,
        pix_out_tonight: brlOutput,
        crypto_out_today: brlOutput,
      })
      .describe('Quanto já foi sacado, em reais, sem tarifas.'),
    day_ends_at: instantOutput.describe('Quando as somas do dia recomeçam.'),
    night: z
      .object({ starts_at: instantOutput, ends_at: instantOutput })
      .nullable()
      .describe('A noite em que o limite noturno vale; null durante o dia.'),
  }),
});

import { z } from 'zod';
import { LIMIT_NAMES } from '#domain/accounts/limits.ts';
import { parseCurrencyCode } from '#domain/quotes/currencies.ts';
import { type DocumentType, parseDocument } from '#domain/values/documents.ts';
import { AMOUNT_CENTAVOS_MAX, formatBrl } from '#domain/values/money.ts';
import { URL_LENGTH_MAX } from '#domain/webhooks/callback-url.ts';
import { brlOutput, percentOutput } from '../amounts.ts';
import { documentTypeInput } from '../charges/customer.ts';
import { optional, parsed, reject } from '../codecs.ts';
import { emailInput, filledTextInput, instantOutput, nameInput, phoneInput, textInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { DOCUMENT_LENGTH_MAX, NAME_LENGTH_MAX } from '../lengths.ts';
import { named } from '../named.ts';
import { documentType, topic } from '../value-sets.ts';

const notOfType = (type: DocumentType) => issue('not_document', { type: type.toUpperCase() });

/** POST /accounts */
export const createAccountInput = z
  .object({
    name: nameInput(NAME_LENGTH_MAX).describe('Nome do cliente ou razão social.'),
    email: emailInput.describe('E-mail do cliente; cada conta tem um.'),
    document: filledTextInput(DOCUMENT_LENGTH_MAX).describe(
      'CPF ou CNPJ, com ou sem pontuação; o CNPJ pode ser alfanumérico.',
    ),
    documentType: documentTypeInput.describe('cpf ou cnpj.'),
    phone: optional(phoneInput).describe('Telefone, com DDD.'),
    currency: optional(
      parsed(z.string({ error: issue('not_text') }), parseCurrencyCode, String, 'unknown_currency'),
    ).describe('Moeda dos depósitos e saques em cripto, em maiúsculas ou minúsculas; veja GET /payments/currencies.'),
    webhookUrl: optional(textInput(URL_LENGTH_MAX)).describe('URL https que recebe os eventos da conta.'),
  })
  // Zod runs it also when other fields were rejected, so that all issues are reported at once.
  .check(({ value: { document, documentType: type }, issues }) => {
    const typeIsKnown = issues.every(({ path }) => path?.[0] !== 'documentType');
    if (!typeIsKnown || parseDocument(document, type) !== null) return;
    issues.push({ code: 'custom', message: notOfType(type), path: ['document'], input: document });
  })
  .transform(({ document, documentType: type, ...fields }, payload) => ({
    ...fields,
    document: parseDocument(document, type) ?? reject(payload, notOfType(type)),
    documentType: type,
  }));

const mode = named('AccountMode', z.enum(['live', 'test'])).describe('test: só o sandbox, sem dinheiro de verdade.');
const kycStatus = named('KycStatus', z.enum(['pending', 'approved', 'rejected'])).describe(
  'Situação da verificação cadastral.',
);

const shownOnce = (description: string) => z.string().nullable().meta({ description });

export const createAccountOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named(
    'CreatedAccount',
    z.object({
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
  ),
});

const feeOutput = named('Fee', z.object({ percent: percentOutput, fixed: brlOutput })).describe(
  'Tarifa: percentual mais parte fixa em reais.',
);

/** GET /account */
export const accountOutput = z.object({
  success: z.literal(true),
  data: named(
    'Account',
    z.object({
      account_id: z.uuid(),
      name: z.string(),
      email: z.string(),
      document: z.string(),
      document_type: documentType,
      kyc_status: kycStatus,
      mode,
      currency: z.string().nullable().describe('Moeda configurada dos depósitos e saques em cripto.'),
      can_create_accounts: z.boolean().describe('Se a conta pode criar contas para clientes.'),
      fees: named(
        'AccountFees',
        z.object({ pix_in: feeOutput, pix_out: feeOutput, crypto_in: feeOutput, crypto_out: feeOutput }),
      ),
      rails: named(
        'AccountRails',
        z.object({ pix_in: z.boolean(), pix_out: z.boolean(), crypto_in: z.boolean(), crypto_out: z.boolean() }),
      ).describe(
        'Quais operações estão ativas nesta conta: têm um provedor e não foram desligadas nela. As outras respondem rail_not_configured ou own_credentials_required. Um desligamento para todas as contas (rail_closed) não aparece aqui.',
      ),
      webhooks: z.array(named('AccountWebhook', z.object({ topic, url: z.string() }))),
      created_at: instantOutput,
    }),
  ),
});

const limitValue = brlOutput.nullable().meta({
  description: `Em reais; null: a conta não tem este limite. Nenhuma operação passa de ${formatBrl(AMOUNT_CENTAVOS_MAX)}.`,
});

/** GET /payments/limits */
export const limitsOutput = z.object({
  success: z.literal(true),
  data: named(
    'AccountLimits',
    z.object({
      limits: named(
        'LimitAmounts',
        z.object(
          Object.fromEntries(LIMIT_NAMES.map((name) => [name, limitValue])) as Record<
            (typeof LIMIT_NAMES)[number],
            typeof limitValue
          >,
        ),
      ),
      used: named(
        'UsedAmounts',
        z.object({
          pix_out_today: brlOutput,
          pix_out_tonight: brlOutput,
          crypto_out_today: brlOutput,
        }),
      ).describe('Quanto já foi sacado, em reais, sem tarifas.'),
      day_ends_at: instantOutput.describe('Quando as somas do dia recomeçam.'),
      night: named('NightPeriod', z.object({ starts_at: instantOutput, ends_at: instantOutput }))
        .nullable()
        .describe('A noite em que o limite noturno vale; null durante o dia.'),
    }),
  ),
});

import { z } from 'zod';
import { WITHDRAWAL_SUB_STATUSES } from '#domain/withdrawals/approvals.ts';
import { type PixKeyType, parsePixKey, pixKeyType } from '#domain/withdrawals/pix-key.ts';
import { brlOutput, rangedBrlInput } from '../amounts.ts';
import { optional, parsed, reject } from '../codecs.ts';
import { instantOutput, textInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { PIX_DESCRIPTION_LENGTH_MAX } from '../lengths.ts';
import { named } from '../named.ts';
import {
  checkMerchantFields,
  MERCHANT_FIELDS,
  MERCHANT_FIELDS_OUTPUT,
  readMerchantFields,
} from '../transactions/merchant-fields.ts';
import { cancelOutput } from '../transactions/transactions.ts';
import { PIX_KEY_TYPES } from '../value-sets.ts';
import { checkSchedule, readSchedule, SCHEDULE_FIELDS } from './payout-schedule.ts';

/** DICT: 77 for the longest key; punctuation and blanks may come with it. */
const KEY_LENGTH_MAX = 120;

/** Accepted in any case, documented as DICT spells it. */
const keyTypeText = named(
  'PixKeyType',
  z.string({ error: issue('not_pix_key_type') }).meta({ enum: [...PIX_KEY_TYPES] }),
);

/** A key is parsed by its type, which is a field beside it; `readPixKey` combines them. */
export const PIX_KEY_FIELDS = {
  pixKey: textInput(KEY_LENGTH_MAX).describe('Chave PIX de destino; é normalizada conforme o tipo.'),
  pixKeyType: parsed(keyTypeText, pixKeyType, String, 'not_pix_key_type').describe(
    'CPF, CNPJ, EMAIL, PHONE ou EVP (RANDOM é aceito como EVP), em qualquer caixa.',
  ),
};

type KeyFields = { pixKey: string; pixKeyType: PixKeyType };

const notOfType = (type: PixKeyType) => issue('not_pix_key', { type: type.toUpperCase() });

/** A check of the whole input, which zod runs also when other fields were rejected. */
export function checkPixKey({ value, issues }: z.core.ParsePayload<KeyFields>): void {
  const typeIsKnown = issues.every(({ path }) => path?.[0] !== 'pixKeyType');
  if (!typeIsKnown || parsePixKey(value.pixKey, value.pixKeyType) !== null) return;
  issues.push({ code: 'custom', message: notOfType(value.pixKeyType), path: ['pixKey'], input: value.pixKey });
}

/** The key as DICT spells it. */
export const readPixKey = ({ pixKey, pixKeyType: type }: KeyFields, payload: z.core.ParsePayload) => ({
  pixKey: parsePixKey(pixKey, type) ?? reject(payload, notOfType(type)),
  pixKeyType: type,
});

/** POST /payments/transfers/pix */
export const pixWithdrawalInput = z
  .object({
    amount: rangedBrlInput,
    ...PIX_KEY_FIELDS,
    description: optional(textInput(PIX_DESCRIPTION_LENGTH_MAX)).describe('Texto livre, enviado a quem recebe.'),
    ...MERCHANT_FIELDS,
    ...SCHEDULE_FIELDS,
  })
  .check(checkPixKey, checkMerchantFields, checkSchedule)
  .transform(({ amount, description, pixKey, pixKeyType, ...fields }, payload) => ({
    amount,
    ...readPixKey({ pixKey, pixKeyType }, payload),
    description,
    merchantFields: readMerchantFields(fields),
    schedule: readSchedule(fields),
  }));

/** A key to which a withdrawal may be sent; null: the text is no key of this type. */
export const pixKeyInput = z
  .object(PIX_KEY_FIELDS)
  .transform(({ pixKey, pixKeyType }) => ({ pixKey: parsePixKey(pixKey, pixKeyType) }));

export const pixKeyTypeOutput = z.codec(
  named('PixKeyType', z.enum(PIX_KEY_TYPES)),
  z.enum(['cpf', 'cnpj', 'email', 'phone', 'evp']),
  {
    decode: (type) => type.toLowerCase() as PixKeyType,
    encode: (type) => type.toUpperCase() as Uppercase<PixKeyType>,
  },
);

/** Of a crypto withdrawal. */
export const approvalSubStatus = z
  .literal('pending_approval')
  .optional()
  .describe(
    'Só quando o saque passa do valor a partir do qual a conta pede uma segunda pessoa: o valor fica bloqueado, e nada é enviado antes que ela o aprove no painel, em até 7 dias.',
  );

export const pixWithdrawalOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: named(
    'PixWithdrawal',
    z.object({
      transaction_id: z.uuid(),
      external_id: z.string().describe('Identificador no provedor; o end-to-end id assim que houver um.'),
      type: z.literal('pix_out'),
      status: z.literal('pending'),
      sub_status: named('WithdrawalSubStatus', z.enum(WITHDRAWAL_SUB_STATUSES))
        .optional()
        .describe(
          'Só quando o saque espera. pending_approval: passa do valor a partir do qual a conta pede uma segunda pessoa, e nada é enviado antes que ela o aprove no painel, em até 7 dias. scheduled: começa em scheduled_for.',
        ),
      scheduled_for: instantOutput
        .optional()
        .describe('Só de um saque agendado: quando começa. Até lá pode ser cancelado.'),
      amount: brlOutput.describe('Quanto chega a quem recebe, em reais.'),
      amount_fees: brlOutput.describe('Tarifa, em reais; somada a amount.'),
      amount_total: brlOutput.describe('Quanto sai do saldo: amount + amount_fees.'),
      pix_key: z.string().describe('A chave normalizada, como o DICT a escreve.'),
      pix_key_type: pixKeyTypeOutput,
      description: z.string().nullable(),
      ...MERCHANT_FIELDS_OUTPUT,
      created_at: instantOutput,
    }),
  ),
});

/** POST /payments/transfers/pix/{transactionId}/cancel */
export const cancelPixWithdrawalInput = z.object({
  transactionId: z.string().meta({ description: 'Identificador do saque agendado.', format: 'uuid' }),
});

export const cancelPixWithdrawalOutput = cancelOutput;

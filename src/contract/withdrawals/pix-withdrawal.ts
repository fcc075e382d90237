import { z } from 'zod';
import { parsePixKey, pixKeyType } from '#domain/withdrawals/pix-key.ts';
import { brlOutput, instantOutput, rangedBrlInput, textInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';

/** API Pix: pagador.infoPagador. */
const DESCRIPTION_LENGTH_MAX = 140;
/** DICT: 77 for the longest key; punctuation and blanks may come with it. */
const KEY_LENGTH_MAX = 120;

const TYPE_ISSUE = issue('not_pix_key_type');

/** POST /payments/transfers/pix */
export const pixWithdrawalInput = z
  .object({
    amount: rangedBrlInput,
    pixKey: textInput(KEY_LENGTH_MAX).describe('Chave PIX de destino; é normalizada conforme o tipo.'),
    pixKeyType: z
      .string({ error: TYPE_ISSUE })
      .refine((text) => pixKeyType(text) !== null, { error: TYPE_ISSUE })
      .describe('CPF, CNPJ, EMAIL, PHONE ou EVP (RANDOM é aceito como EVP), em qualquer caixa.'),
    description: textInput(DESCRIPTION_LENGTH_MAX).nullish().describe('Texto livre, enviado a quem recebe.'),
  })
  .check(({ value, issues }) => {
    const type = typeof value.pixKeyType === 'string' ? pixKeyType(value.pixKeyType) : null;
    if (type && typeof value.pixKey === 'string' && parsePixKey(value.pixKey, type) === null) {
      const message = issue('not_pix_key', { type: type.toUpperCase() });
      issues.push({ code: 'custom', message, path: ['pixKey'], input: value.pixKey });
    }
  });

export const pixWithdrawalOutput = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.object({
    transaction_id: z.uuid(),
    external_id: z.string().describe('Identificador no provedor; o end-to-end id assim que houver um.'),
    type: z.literal('pix_out'),
    status: z.literal('pending'),
    amount: brlOutput.describe('Quanto chega a quem recebe, em reais.'),
    amount_fees: brlOutput.describe('Tarifa, em reais; somada a amount.'),
    amount_total: brlOutput.describe('Quanto sai do saldo: amount + amount_fees.'),
    pix_key: z.string().describe('A chave normalizada, como o DICT a escreve.'),
    pix_key_type: z.enum(['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP']),
    description: z.string().nullable(),
    created_at: instantOutput,
  }),
});

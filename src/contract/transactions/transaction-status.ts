import { z } from 'zod';
import { brlOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';
import { statusText, uncheckedSet } from '../value-sets.ts';
import { MERCHANT_FIELDS_OUTPUT } from './merchant-fields.ts';

const PIX_TYPES = ['pix_in', 'pix_out'] as const;
const TYPE_ISSUE = issue('not_exactly_one_of', choiceOf(PIX_TYPES));

/** GET /payments/transactions/{transactionId}/status?type=pix_in|pix_out */
export const transactionStatusInput = z.object({
  transactionId: z.string().meta({ description: 'Identificador da transação.', format: 'uuid' }),
  type: named('PixTransactionType', z.enum(PIX_TYPES, { error: TYPE_ISSUE })).describe(
    'pix_in (recebida) ou pix_out (enviada).',
  ),
});

export const transactionStatusOutput = z.object({
  success: z.literal(true),
  data: named(
    'PixTransaction',
    z.object({
      transaction_id: z.uuid(),
      external_id: z
        .string()
        .describe('O end-to-end id assim que houver um; antes disso o txid ou idEnvio no provedor.'),
      type: uncheckedSet('PixTransactionType', PIX_TYPES).describe('pix_in ou pix_out.'),
      status: statusText.describe(
        'pix_in: pending, paid, expired, cancelled, failed, review ou refunded; pix_out: pending, processing, paid, failed, review ou cancelled.',
      ),
      amount: brlOutput.describe('Valor, em reais.'),
      amount_fees: brlOutput.describe('Tarifa, em reais.'),
      created_at: instantOutput,
      paid_at: instantOutput.nullable(),
      ...MERCHANT_FIELDS_OUTPUT,
    }),
  ),
});

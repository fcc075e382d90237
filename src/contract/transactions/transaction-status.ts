import { z } from 'zod';
import { brlOutput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';
import { MERCHANT_FIELDS_OUTPUT } from './merchant-fields.ts';

const TYPE_ISSUE = issue('not_exactly_one_of', choiceOf(['pix_in', 'pix_out']));

/** GET /payments/transactions/{transactionId}/status?type=pix_in|pix_out */
export const transactionStatusInput = z.object({
  transactionId: z.string().meta({ description: 'Identificador da transação.', format: 'uuid' }),
  type: z.enum(['pix_in', 'pix_out'], { error: TYPE_ISSUE }).describe('pix_in (recebida) ou pix_out (enviada).'),
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
      type: z.string().describe('pix_in ou pix_out.'),
      status: z
        .string()
        .describe(
          'pix_in: pending, paid, expired, cancelled, failed, review ou refunded; pix_out: pending, processing, paid, failed ou review.',
        ),
      amount: brlOutput.describe('Valor, em reais.'),
      amount_fees: brlOutput.describe('Tarifa, em reais.'),
      created_at: instantOutput,
      paid_at: instantOutput.nullable(),
      ...MERCHANT_FIELDS_OUTPUT,
    }),
  ),
});

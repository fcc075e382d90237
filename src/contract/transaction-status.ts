import { z } from 'zod';
import { instantOutput } from './fields.ts';

const TYPE_MESSAGE = 'Deve ser exatamente pix_in ou pix_out.';

/** GET /payments/transactions/{transactionId}/status?type=pix_in|pix_out */
export const transactionStatusInput = z.object({
  transactionId: z.string(),
  type: z.enum(['pix_in', 'pix_out'], { error: TYPE_MESSAGE }),
});

export const transactionStatusOutput = z.object({
  success: z.literal(true),
  data: z.object({
    transaction_id: z.uuid(),
    /** The end-to-end id once the charge is paid, before that the txid under which the PSP knows it. */
    external_id: z.string(),
    type: z.string(),
    status: z.string(),
    amount: z.number(),
    amount_fees: z.number(),
    created_at: instantOutput,
    paid_at: instantOutput.nullable(),
  }),
});

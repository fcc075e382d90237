import { z } from 'zod';
import { DECLINE_REASON_LENGTH_MAX } from '#domain/withdrawals/approvals.ts';
import { brlOutput, thresholdBrlInput } from '../amounts.ts';
import { filledTextInput, instantOutput } from '../fields.ts';

/** Panel only: what a second person decides about a withdrawal that waits. */
export const approveInput = z.object({ transaction_id: z.string() });

export const declineInput = z.object({
  transaction_id: z.string(),
  reason: filledTextInput(DECLINE_REASON_LENGTH_MAX).transform((text) => text.trim()),
});

/** In reais; null: no withdrawal waits. */
export const thresholdInput = z.object({ amount: thresholdBrlInput.nullable() });

export const thresholdOutput = z.object({
  /** Above this amount a withdrawal waits for a second person; null: none does. */
  amount: brlOutput.nullable(),
  /** What was proposed in its place. */
  proposal: z
    .object({
      amount: brlOutput.nullable(),
      /** When it applies by itself; null: once another owner approves it. */
      applies_from: instantOutput.nullable(),
      by: z.string().nullable(),
      own: z.boolean(),
      at: instantOutput,
    })
    .nullable(),
});

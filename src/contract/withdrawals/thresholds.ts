import { z } from 'zod';
import { THRESHOLD_KINDS } from '#domain/withdrawals/thresholds.ts';
import { brlOutput, thresholdBrlInput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';

/** Panel only: above which amounts an account asks for more of a withdrawal. */
export const thresholdKindInput = z.object({ kind: z.enum(THRESHOLD_KINDS) });

/** In reais; null: it holds for no withdrawal. */
export const thresholdInput = thresholdKindInput.extend({ amount: thresholdBrlInput.nullable() });

export const thresholdOutput = z.object({
  /** Above this amount it holds for a withdrawal; null: for none. */
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

import { z } from 'zod';
import { THRESHOLD_KINDS } from '#domain/withdrawals/thresholds.ts';
import { brlOutput, thresholdBrlInput } from '../amounts.ts';
import { instantOutput } from '../fields.ts';

/** Panel only: the amounts above which an account requires more of a withdrawal. */
export const thresholdKindInput = z.object({ kind: z.enum(THRESHOLD_KINDS) });

/** In reais; null: no withdrawal is affected. */
export const thresholdInput = thresholdKindInput.extend({ amount: thresholdBrlInput.nullable() });

export const thresholdOutput = z.object({
  /** Withdrawals above this amount are affected; null: none. */
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

import { z } from 'zod';

/** How far an account has come since it was opened. */
export const firstStepsOutput = z.object({
  charge_id: z.string().nullable(),
  pending_charge_id: z.string().nullable(),
  paid: z.boolean(),
  has_endpoint: z.boolean(),
  /** Events go to the built-in receiver. */
  has_test_receiver: z.boolean(),
  webhook_delivered: z.boolean(),
  kyc_status: z.enum(['pending', 'approved', 'rejected']),
  /** Of a live account that has to use its own credentials with a PSP; null: it need not. */
  provider: z.enum(['missing', 'connected']).nullable(),
});

export type FirstStepsOutput = z.input<typeof firstStepsOutput>;

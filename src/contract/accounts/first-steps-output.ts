import { z } from 'zod';

/**
 * How far a merchant has come, in live or in test mode; and what the account itself has to go on
 * with.
 */
export const firstStepsOutput = z.object({
  charged: z.boolean(),
  charge_id: z.string().nullable(),
  pending_charge_id: z.string().nullable(),
  paid: z.boolean(),
  has_endpoint: z.boolean(),
  /** Events go to the built-in receiver. */
  has_test_receiver: z.boolean(),
  webhook_delivered: z.boolean(),
  kyc_status: z.enum(['pending', 'approved', 'rejected']),
  /** Whether live payments have the merchant's own PSP credentials; null: they need none. */
  provider: z.enum(['missing', 'connected']).nullable(),
});

export type FirstStepsOutput = z.input<typeof firstStepsOutput>;
